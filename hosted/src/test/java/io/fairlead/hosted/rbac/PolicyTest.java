package io.fairlead.hosted.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Expectations were taken from a kube-apiserver 1.36 with the same objects. */
class PolicyTest {
    private static final UserInfo JANE = UserInfo.of("jane", List.of("devs", UserInfo.AUTHENTICATED));

    private final RbacObjects objects = new RbacObjects();
    private final PolicyCache cache = new PolicyCache(objects);

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        {"verbs":["get"],"apiGroups":[""],"resources":["pods"]}                               | get    | ''   | pods    | ''     | ''  | true
        {"verbs":["get"],"apiGroups":[""],"resources":["pods"]}                               | list   | ''   | pods    | ''     | ''  | false
        {"verbs":["get"],"apiGroups":[""],"resources":["pods"]}                               | get    | apps | pods    | ''     | ''  | false
        {"verbs":["get"],"apiGroups":[""],"resources":["pods"]}                               | get    | ''   | pods    | log    | ''  | false
        {"verbs":["get"],"apiGroups":[""],"resources":["pods/log"]}                           | get    | ''   | pods    | log    | ''  | true
        {"verbs":["get"],"apiGroups":[""],"resources":["pods/log"]}                           | get    | ''   | pods    | ''     | ''  | false
        {"verbs":["get"],"apiGroups":[""],"resources":["*/log"]}                              | get    | ''   | pods    | log    | ''  | true
        {"verbs":["get"],"apiGroups":[""],"resources":["*/log"]}                              | get    | ''   | pods    | xlog   | ''  | false
        {"verbs":["get"],"apiGroups":[""],"resources":["*/log"]}                              | get    | ''   | pods    | ''     | ''  | false
        {"verbs":["get"],"apiGroups":[""],"resources":["pods/*"]}                             | get    | ''   | pods    | log    | ''  | false
        {"verbs":["get"],"apiGroups":[""],"resources":["*"]}                                  | get    | ''   | pods    | log    | ''  | true
        {"verbs":["*"],"apiGroups":["*"],"resources":["*"]}                                   | impersonate | x | y   | ''     | ''  | true
        {"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["a"]}         | get    | ''   | pods    | ''     | a   | true
        {"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["a"]}         | get    | ''   | pods    | ''     | b   | false
        {"verbs":["list"],"apiGroups":[""],"resources":["pods"],"resourceNames":["a"]}        | list   | ''   | pods    | ''     | ''  | false
        {"verbs":["get"],"resources":["pods"]}                                                | get    | ''   | pods    | ''     | ''  | false
        {"verbs":["get"],"nonResourceURLs":["*"]}                                             | get    | ''   | pods    | ''     | ''  | false
        """)
    void rule_matchesAsKubernetesDoes(
            String rule, String verb, String group, String resource, String subresource, String name, boolean allowed) {
        RequestInfo request = resource(verb, group, "ns", resource, subresource, name);

        assertThat(PolicyRule.of(JsonMapper.shared().readTree(rule)).allows(request))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "/healthz, /healthz, true",
        "/healthz, /healthz/, false",
        "/healthz/*, /healthz/etcd, true",
        "/healthz/*, /healthz, false",
        "/health**, /healthz, true",
        "*, /anything, true",
        "/*, /anything, true",
        "/a*b, /axb, false",
    })
    void rule_matchesPathsAsKubernetesDoes(String allowed, String path, boolean expected) {
        PolicyRule rule = new PolicyRule(List.of("get"), List.of(), List.of(), List.of(), List.of(allowed));

        assertThat(rule.allows(RequestInfo.nonResource(path, "get"))).isEqualTo(expected);
    }

    @Test
    void decide_byClusterRoleBinding_holdsInEveryNamespace() {
        objects.clusterRole("reader", "[" + POD_READER + "]").bind("", "all", "ClusterRole reader", "Group devs");

        assertAllowed(
                JANE,
                pods("ns"),
                "RBAC: allowed by ClusterRoleBinding \"all\" of ClusterRole \"reader\" to Group \"devs\"");
        assertAllowed(
                JANE,
                pods(""),
                "RBAC: allowed by ClusterRoleBinding \"all\" of ClusterRole \"reader\" to Group \"devs\"");
    }

    @Test
    void decide_byRoleBinding_holdsInItsNamespaceAlone() {
        objects.role("ns", "reader", "[" + POD_READER + "]").bind("ns", "rb", "Role reader", "User jane");

        assertAllowed(JANE, pods("ns"), "RBAC: allowed by RoleBinding \"rb/ns\" of Role \"reader\" to User \"jane\"");
        assertThat(cache.policy().decide(JANE, pods("other"))).isEqualTo(new Verdict.NoOpinion(""));
        assertThat(cache.policy().decide(JANE, pods(""))).isEqualTo(new Verdict.NoOpinion(""));
    }

    @Test
    void decide_serviceAccountSubjectWithoutNamespace_isOfTheBindingsNamespace() {
        objects.role("ns", "reader", "[" + POD_READER + "]")
                .bind("ns", "rb", "Role reader", "ServiceAccount bot")
                .bind("", "crb", "ClusterRole nothing", "ServiceAccount bot");
        UserInfo bot = UserInfo.of("system:serviceaccount:ns:bot", List.of());

        assertAllowed(
                bot,
                pods("ns"),
                "RBAC: allowed by RoleBinding \"rb/ns\" of Role \"reader\" to ServiceAccount \"bot/ns\"");
        assertThat(cache.policy().decide(UserInfo.of("system:serviceaccount:other:bot", List.of()), pods("ns")))
                .isInstanceOf(Verdict.NoOpinion.class);
    }

    @Test
    void decide_roleThatDoesNotExist_grantsNothingAndIsNamed() {
        objects.bind("ns", "rb", "ClusterRole nothere", "User jane").bind("ns", "rb2", "Role nor-me", "User jane");

        assertThat(cache.policy().decide(JANE, pods("ns")).reason())
                .isEqualTo("RBAC: [clusterrole.rbac.authorization.k8s.io \"nothere\" not found, "
                        + "role.rbac.authorization.k8s.io \"nor-me\" not found]");
    }

    @Test
    void decide_systemMasters_isNeverRefused() {
        UserInfo admin = UserInfo.of("admin", List.of(UserInfo.MASTERS));

        assertAllowed(admin, resource("delete", "x", "", "y", "", "z"), "");
    }

    @Test
    void policy_followsTheObjects() {
        objects.role("ns", "reader", "[" + POD_READER + "]");
        assertThat(cache.policy().decide(JANE, pods("ns"))).isInstanceOf(Verdict.NoOpinion.class);

        objects.bind("ns", "rb", "Role reader", "User jane");
        assertThat(cache.policy().decide(JANE, pods("ns"))).isInstanceOf(Verdict.Allowed.class);
        assertThat(cache.policy()).isSameAs(cache.policy());

        objects.clear("roles");
        assertThat(cache.policy().decide(JANE, pods("ns"))).isInstanceOf(Verdict.NoOpinion.class);
    }

    @Test
    void aggregatedRole_holdsTheRulesOfTheRolesItSelects() {
        objects.put("clusterroles", AGGREGATED)
                .put("clusterroles", labelled("b", "grand", "[" + POD_READER + "]"))
                .bind("", "all", "ClusterRole aggregated", "User jane");

        assertThat(cache.policy().decide(JANE, pods(""))).isInstanceOf(Verdict.Allowed.class);
    }

    static final String POD_READER = "{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}";
    static final String AGGREGATED = """
        {"kind":"ClusterRole","metadata":{"name":"aggregated"},
         "aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"to":"grand"}}]}}\
        """;

    static String labelled(String name, String to, String rules) {
        return "{\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"%s\",\"labels\":{\"to\":\"%s\"}},\"rules\":%s}"
                .formatted(name, to, rules);
    }

    static RequestInfo pods(String namespace) {
        return resource("get", "", namespace, "pods", "", "");
    }

    static RequestInfo resource(
            String verb, String group, String namespace, String resource, String subresource, String name) {
        return new RequestInfo(true, "/", verb, "apis", group, "v1", namespace, resource, subresource, name, "");
    }

    private void assertAllowed(UserInfo user, RequestInfo request, String reason) {
        assertThat(cache.policy().decide(user, request)).isEqualTo(new Verdict.Allowed(reason));
    }
}
