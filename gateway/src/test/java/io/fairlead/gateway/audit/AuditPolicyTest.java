package io.fairlead.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies as kube-apiserver reads and applies them. */
class AuditPolicyTest {
    private static final String HEAD = "{apiVersion: audit.k8s.io/v1, kind: Policy, ";
    private static final UserInfo TIM = UserInfo.of("tim@k8s.io", List.of("humans", "developers"));

    /** The table of upstream's own test of rules (apiserver {@code pkg/audit/policy/checker_test.go}), and more of it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                             | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{verbs: [create, get]}                         | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{verbs: [create]}                              | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " false",
                "{users: [tim@k8s.io]}                          | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{users: [ann]}                                 | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " false",
                "{userGroups: [others, developers]}             | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{userGroups: [others]}                         | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " false",
                "{namespaces: [default]}                        | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{namespaces: [kube-system]}                    | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " false",
                "{namespaces: ['']}                             | GET  /api/v1/nodes/one                            |"
                        + " true",
                "{namespaces: ['']}                             | GET  /healthz                                     |"
                        + " false",
                "{resources: [{}]}                              | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{resources: [{group: '*'}]}                    | GET  /apis/apps/v1/deployments                    |"
                        + " true",
                "{resources: [{group: apps}]}                   | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " false",
                "{resources: [{resources: [pods]}]}             | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{resources: [{resources: [pods]}]}             | GET  /api/v1/namespaces/default/pods/busybox/log  |"
                        + " false",
                "{resources: [{resources: [pods/log]}]}         | GET  /api/v1/namespaces/default/pods/busybox/log  |"
                        + " true",
                "{resources: [{resources: [pods/log]}]}         | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " false",
                "{resources: [{resources: [pods/*]}]}           | GET  /api/v1/namespaces/default/pods/busybox/log  |"
                        + " true",
                "{resources: [{resources: [pods/*]}]}           | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " true",
                "{resources: [{resources: [pods/*]}]}           | GET  /api/v1/namespaces/default/podsets/a         |"
                        + " false",
                "{resources: [{resources: ['*/log']}]}          | GET  /api/v1/namespaces/default/pods/busybox/log  |"
                        + " true",
                "{resources: [{resources: ['*/log']}]}          | GET  /api/v1/namespaces/default/pods/busybox/xlog |"
                        + " false",
                "{resources: [{resources: ['*/log']}]}          | GET  /api/v1/namespaces/default/pods/busybox      |"
                        + " false",
                "{resources: [{resources: ['*']}]}              | GET  /api/v1/namespaces/default/pods/busybox/log  |"
                        + " true",
                "{resources: [{resources: [pods], resourceNames: [busybox]}]} | GET"
                        + " /api/v1/namespaces/default/pods/busybox | true",
                "{resources: [{resources: [pods], resourceNames: [edit]}]}    | GET"
                        + " /api/v1/namespaces/default/pods/busybox | false",
                "{resources: [{resources: [pods], resourceNames: [edit]}]}    | GET /api/v1/namespaces/default/pods   "
                        + "      | false",
                "{nonResourceURLs: ['*']}                       | GET  /healthz/ping                                |"
                        + " true",
                "{nonResourceURLs: ['*']}                       | GET  /api/v1/nodes                                |"
                        + " false",
                "{nonResourceURLs: [/healthz]}                  | GET  /healthz/ping                                |"
                        + " false",
                "{nonResourceURLs: [/healthz*]}                 | GET  /healthz/ping                                |"
                        + " true",
                "{nonResourceURLs: [/metrics, /healthz/*]}      | GET  /healthz/ping                                |"
                        + " true",
                "{nonResourceURLs: [/metrics]}                  | GET  /healthz                                     |"
                        + " false",
                "{verbs: [get], nonResourceURLs: [/healthz]}    | POST /healthz                                     |"
                        + " false",
            })
    void rule_matchesAsUpstream(String rule, String request, boolean matches) {
        String level = rule.equals("{}") ? "{level: Metadata}" : rule.replaceFirst("}$", ", level: Metadata}");
        AuditPolicy policy = AuditPolicy.parse(HEAD + "rules: [" + level + "]}");

        assertThat(policy.of(info(request), TIM).level()).isEqualTo(matches ? AuditLevel.METADATA : AuditLevel.NONE);
    }

    @Test
    void callerWhoIsNotKnown_matchesNoRuleAboutUsersOrGroups() {
        AuditPolicy policy = AuditPolicy.parse(HEAD + """
            rules: [{level: None, users: ['']}, {level: None, userGroups: ['system:unauthenticated']}, {level: Request}]}\
            """);

        assertThat(policy.of(info("GET /api/v1/nodes"), null).level()).isEqualTo(AuditLevel.REQUEST);
    }

    @Test
    void firstRuleThatMatches_decides_withTheStagesThatEitherOmits() {
        AuditPolicy policy = AuditPolicy.parse("""
            apiVersion: audit.k8s.io/v1
            kind: Policy
            metadata: {name: any}
            omitStages: [RequestReceived]
            omitManagedFields: true
            rules:
            - {level: None, verbs: [watch]}
            - {level: RequestResponse, verbs: [get], omitStages: [Panic], omitManagedFields: false}
            - {level: Metadata}
            """);

        Ruling ofGet = policy.of(info("GET /api/v1/nodes/one"), TIM);
        assertThat(ofGet.level()).isEqualTo(AuditLevel.REQUEST_RESPONSE);
        assertThat(ofGet.omitted()).containsExactlyInAnyOrder(AuditStage.REQUEST_RECEIVED, AuditStage.PANIC);
        assertThat(ofGet.omitManagedFields()).isFalse();
        Ruling ofList = policy.of(info("GET /api/v1/nodes"), TIM);
        assertThat(ofList.level()).isEqualTo(AuditLevel.METADATA);
        assertThat(ofList.omitted()).containsExactly(AuditStage.REQUEST_RECEIVED);
        assertThat(ofList.omitManagedFields()).isTrue();
        assertThat(policy.of(info("GET /api/v1/nodes?watch=true"), TIM).isNone())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rules: [{level: Everything}]  | rules[0].level: Unsupported value: \"Everything\": supported values:"
                        + " \"None\", \"Metadata\", \"Request\", \"RequestResponse\"",
                "rules: [{verbs: [get]}]       | rules[0].level: Required value",
                "rules: []                     | rules: Required value: a policy without rules records nothing",
                "rules: [{level: None, verb: [get]}] | unknown field \"rules[0].verb\"",
                "rules: [{level: None, level: Metadata}] | level",
                "rules: [{level: None, verbs: get}] | verbs",
                "omitStages: [Later], rules: [{level: None}] | omitStages[0]: Invalid value: \"Later\": allowed stages"
                        + " are RequestReceived,ResponseStarted,ResponseComplete,Panic",
                "rules: [{level: None, nonResourceURLs: [healthz]}] | rules[0].nonResourceURLs[0]: Invalid value:"
                        + " \"healthz\": non-resource URL rules must begin with a '/' character",
                "rules: [{level: None, nonResourceURLs: ['/a*b']}] | '*' must be the final character",
                "rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}] | rules cannot apply to both regular"
                        + " resources and non-resource URLs",
                "rules: [{level: None, resources: [{group: apps/v1}]}] | rules[0].resources[0].group: Invalid value:"
                        + " \"apps/v1\"",
                "rules: [{level: None, resources: [{resourceNames: [a]}]}] | using resourceNames requires at least one"
                        + " resource",
            })
    void policyThatCannotBeUsed_isRefused_withTheValue(String text, String problem) {
        assertThatThrownBy(() -> AuditPolicy.parse(HEAD + text + "}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem)
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource({
        "audit.k8s.io/v1beta1, Policy, 'apiVersion \"audit.k8s.io/v1beta1\"'",
        "audit.k8s.io/v1, Event, 'kind \"Event\"'"
    })
    void fileOfAnotherKind_isRefused(String apiVersion, String kind, String problem) {
        String text = "{apiVersion: " + apiVersion + ", kind: " + kind + ", rules: [{level: None}]}";

        assertThatThrownBy(() -> AuditPolicy.parse(text))
                .hasMessageContaining(problem)
                .hasMessageContaining("expected audit.k8s.io/v1, Policy");
    }

    private static RequestInfo info(String request) {
        String[] words = request.trim().split(" +", 2);
        int mark = words[1].indexOf('?');
        return mark < 0
                ? RequestInfoParser.parse(words[0], words[1], "")
                : RequestInfoParser.parse(words[0], words[1].substring(0, mark), words[1].substring(mark + 1));
    }
}
