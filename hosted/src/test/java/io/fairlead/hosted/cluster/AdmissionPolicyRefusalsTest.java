package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What is refused of admission policies and their bindings. Expected texts are those of a kube-apiserver 1.36. */
class AdmissionPolicyRefusalsTest extends EveryKindFixture {
    private static final String VALIDATING = "ValidatingAdmissionPolicy";
    private static final String MUTATING = "MutatingAdmissionPolicy";
    private static final String PODS =
            "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [%s], resources:"
                    + " [pods]}]}";

    @Test
    void policy_saysWhatItIsForAndWhatItDoes() {
        assertThat(refusal(VALIDATING, "{}"))
                .isEqualTo("[spec.matchConstraints: Required value, spec.validations: Required value: validations or"
                        + " auditAnnotations must contain at least one item, spec.auditAnnotations: Required value:"
                        + " validations or auditAnnotations must contain at least one item]");
        assertThat(refusal(VALIDATING, "{matchConstraints: {}, validations: [{expression: 'true'}]}"))
                .isEqualTo("spec.matchConstraints.resourceRules: Required value");
        assertThat(refusal(MUTATING, "{}"))
                .isEqualTo("[spec.matchConstraints: Required value, spec.mutations: Required value: mutations must"
                        + " contain at least one item, spec.reinvocationPolicy: Required value]");
    }

    @Test
    void everyPartOfAPolicy_isJudgedInOrder() {
        assertThat(refusal(VALIDATING, """
            {failurePolicy: X, paramKind: {apiVersion: a/b/c}, matchConstraints: {resourceRules: [{}]},
             matchConditions: [{expression: 'true'}, {name: a, expression: ' '}, {name: a, expression: 'true'}],
             variables: [{}, {name: '1', expression: '1'}],
             validations: [{message: ' '}, {expression: 'true', message: "a\\nb", messageExpression: ' ', reason: X}],
             auditAnnotations: [{key: k}]}
            """))
                .isEqualTo("[spec.failurePolicy: Unsupported value: \"X\": supported values: \"Fail\", \"Ignore\","
                        + " spec.paramKind.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string:"
                        + " a/b/c, spec.paramKind.kind: Required value,"
                        + " spec.matchConstraints.resourceRules[0].operations: Required value,"
                        + " spec.matchConstraints.resourceRules[0].apiGroups: Required value,"
                        + " spec.matchConstraints.resourceRules[0].apiVersions: Required value,"
                        + " spec.matchConstraints.resourceRules[0].resources: Required value,"
                        + " spec.matchConditions[0].name: Required value, spec.matchConditions[1].expression:"
                        + " Required value, spec.matchConditions[2].name: Duplicate value: \"a\","
                        + " spec.variables[0].name: Required value: name is not specified,"
                        + " spec.variables[0].expression: Required value: expression is not specified,"
                        + " spec.variables[1].name: Invalid value: \"1\": must be a valid CEL identifier,"
                        + " spec.validations[0].expression: Required value: expression is not specified,"
                        + " spec.validations[0].message: Invalid value: \" \": must be non-empty if specified,"
                        + " spec.validations[1].messageExpression: Invalid value: \" \": must be non-empty if"
                        + " specified, spec.validations[1].message: Invalid value: \"a\\n"
                        + "b\": must not contain line breaks, spec.validations[1].reason: Unsupported value:"
                        + " \"X\": supported values: \"Forbidden\", \"Invalid\", \"RequestEntityTooLarge\","
                        + " spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not"
                        + " specified]");
        assertThat(refusal(MUTATING, "{reinvocationPolicy: Z, " + PODS.formatted("DELETE") + """
            , mutations: [{patchType: JSONPatch}, {patchType: ApplyConfiguration, jsonPatch: {}},
              {patchType: JSONPatch, jsonPatch: {}, applyConfiguration: {}}]}
            """))
                .isEqualTo("[spec.matchConstraints.resourceRules.operations: Unsupported value: \"DELETE\": supported"
                        + " values: \"*\", \"CONNECT\", \"CREATE\", \"UPDATE\", spec.mutations[0].jsonPatch:"
                        + " Required value: must be specified when patchType is JSONPatch,"
                        + " spec.mutations[1].applyConfiguration: Required value: must be specified when patchType"
                        + " is ApplyConfiguration, spec.mutations[1].jsonPatch: Invalid value: \"{jsonPatch}\":"
                        + " must not be specified when patchType is ApplyConfiguration,"
                        + " spec.mutations[2].jsonPatch.expression: Required value,"
                        + " spec.mutations[2].applyConfiguration: Invalid value: \"{applyConfiguration}\": must"
                        + " not be specified when patchType is JSONPatch, spec.reinvocationPolicy: Unsupported"
                        + " value: \"Z\": supported values: \"IfNeeded\", \"Never\"]");
    }

    @Test
    void binding_namesItsParametersInOneWay_andItsActionsOnce() {
        assertThat(refusal(
                        VALIDATING + "Binding",
                        "{policyName: p, validationActions: [Deny, Warn, X, Deny], paramRef: {}}"))
                .isEqualTo("[spec.paramRef: Required value: one of name or selector must be specified,"
                        + " spec.paramRef.parameterNotFoundAction: Required value, spec.validationActions[2]:"
                        + " Unsupported value: \"X\": supported values: \"Audit\", \"Deny\", \"Warn\","
                        + " spec.validationActions[3]: Duplicate value: \"Deny\", spec.validationActions:"
                        + " Invalid value: [\"Deny\",\"Warn\",\"X\",\"Deny\"]: must not contain both Deny and"
                        + " Warn (repeating the same validation failure information in the API response and"
                        + " headers serves no purpose)]");
        assertThat(refusal(
                        MUTATING + "Binding",
                        "{policyName: p, paramRef: {name: a, selector: {}, parameterNotFoundAction: X}}"))
                .isEqualTo("[spec.paramRef.name: Forbidden: name and selector are mutually exclusive,"
                        + " spec.paramRef.selector: Forbidden: name and selector are mutually exclusive,"
                        + " spec.paramRef.parameterNotFoundAction: Unsupported value: \"X\": supported values:"
                        + " \"Deny\", \"Allow\"]");
    }

    @Test
    void soundPolicy_isTaken() {
        create(
                        VALIDATING,
                        "{" + PODS.formatted("CREATE") + ", paramKind: {apiVersion: v1, kind: ConfigMap},"
                                + " matchConditions: [{name: a.b/c, expression: 'true'}],"
                                + " auditAnnotations: [{key: k, valueExpression: \"'v'\"}]}")
                .expect(201);
    }

    private String refusal(String kind, String spec) {
        return create(kind, spec)
                .expect(422)
                .message()
                .replaceFirst("^" + kind + "\\.admissionregistration\\.k8s\\.io \"p\" is invalid: ", "");
    }

    private Api.Answer create(String kind, String spec) {
        String lower = kind.toLowerCase(Locale.ROOT);
        String plural = lower.endsWith("policy") ? lower.replaceFirst("y$", "ies") : lower + "s";
        return api.create(
                "/apis/admissionregistration.k8s.io/v1/" + plural,
                "{apiVersion: admissionregistration.k8s.io/v1, kind: " + kind + ", metadata: {name: p}, spec: " + spec
                        + "}");
    }
}
