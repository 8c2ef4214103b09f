package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kinds forbid beyond their schemas. Expected texts are those of a kube-apiserver 1.36. */
class KindValidationTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String QUALIFIED =
            "Invalid value: \"foo\": name is neither a standard finalizer name nor is it fully qualified";

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required"
                        + " if aggregationRule is non-nil",
                "{clusterRoleSelectors: []} | aggregationRule.clusterRoleSelectors: Required value: at least one"
                        + " clusterRoleSelector required if aggregationRule is non-nil",
                "{clusterRoleSelectors: [{matchExpressions: [{key: a, operator: In}]}]} |"
                    + " [aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values: Required value: must be"
                    + " specified when `operator` is 'In' or 'NotIn', aggregationRule.clusterRoleSelectors[0]: Invalid"
                    + " value: null: invalid label selector.]",
                "{clusterRoleSelectors: [{}, {matchExpressions: [{key: a, operator: Exists, values: [x]}]}]} |"
                        + " [aggregationRule.clusterRoleSelectors[1].matchExpressions[0].values: Forbidden: may not be"
                        + " specified when `operator` is 'Exists' or 'DoesNotExist',"
                        + " aggregationRule.clusterRoleSelectors[1]: Invalid value: null: invalid label selector.]",
                "{clusterRoleSelectors: [{matchExpressions: [{key: a, operator: Foo}]}]} |"
                    + " [aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: \"Foo\":"
                    + " not a valid selector operator, aggregationRule.clusterRoleSelectors[0]: Invalid value: null:"
                    + " invalid label selector.]",
                "{clusterRoleSelectors: [{matchLabels: {a b: c}}]} |"
                    + " [aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid value: \"a b\": name part must"
                    + " consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                    + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation"
                    + " is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), aggregationRule.clusterRoleSelectors[0]:"
                    + " Invalid value: null: invalid label selector.]",
            })
    void clusterRole_withABadAggregation_isInvalid(String aggregation, String problem) {
        Answer refused = api.create(RBAC + "clusterroles", "metadata: {name: z}\naggregationRule: " + aggregation)
                .expect(422);

        assertThat(refused.message()).isEqualTo("ClusterRole.rbac.authorization.k8s.io \"z\" is invalid: " + problem);
    }

    @ParameterizedTest
    @CsvSource({"YWJj, YWJj", "'YWJj\nZGVm\r\n', YWJjZGVm", "YR==, YQ=="})
    void bytes_mayBeBrokenIntoLines(String sent, String stored) {
        assertThat(secret(sent).expect(201).at("/data/a")).isEqualTo(stored);
    }

    @ParameterizedTest
    @CsvSource({"YQ, 0", "YWJjZ, 4", "'YWJj\nZG', 5", "a-b=, 1"})
    void bytes_thatAreNotBase64_areRefused(String sent, int position) {
        assertThat(secret(sent).expect(400).message()).contains("illegal base64 data at input byte " + position);
    }

    private Answer secret(String data) {
        String secret = Json.object()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .set("metadata", Json.object().put("name", "s"))
                .set("data", Json.object().put("a", data))
                .toString();
        return api.createJson("/api/v1/namespaces/default/secrets", secret);
    }

    @ParameterizedTest
    @ValueSource(strings = {"namespaces/default/rolebindings", "clusterrolebindings"})
    void binding_ofANameThatNoServiceAccountHas_isInvalid(String resource) {
        String binding = """
            metadata: {name: z}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
            subjects: [{kind: KIND, name: A_b, namespace: B_c}]
            """;

        assertThat(api.create(RBAC + resource, binding.replace("KIND", "ServiceAccount"))
                        .expect(422)
                        .message())
                .contains("\"z\" is invalid: subjects[0].name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain"
                        + " must consist of");
        api.create(RBAC + resource, binding.replace("KIND", "User")).expect(201);
    }

    @ParameterizedTest
    @CsvSource({
        "/apis/rbac.authorization.k8s.io/v1/clusterroles, ''",
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles, ''",
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings, ROLE",
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings, ROLE",
        "/api/v1/namespaces/default/configmaps, ''",
        "/api/v1/namespaces/default/secrets, ''",
        "/api/v1/namespaces/default/serviceaccounts, ''",
        "/api/v1/namespaces, ''",
    })
    void finalizer_withoutADomain_isInvalid(String path, String more) {
        String rest =
                more.isEmpty() ? "" : "\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}";

        assertThat(api.create(path, "metadata: {name: z, finalizers: [a/b, foo]}" + rest)
                        .expect(422)
                        .message())
                .endsWith("\"z\" is invalid: metadata.finalizers[1]: " + QUALIFIED);
        api.create(path, "metadata: {name: z, finalizers: [a/b, orphan, kubernetes]}" + rest)
                .expect(201);
        Answer refused = api.merge(path + "/z", "{\"metadata\":{\"finalizers\":[\"foo\"]}}")
                .expect(422);
        assertThat(refused.message()).contains("metadata.finalizers[0]: " + QUALIFIED);
    }

    @Test
    void finalizer_withoutADomain_ofALease_isAllowed() {
        api.create("/apis/coordination.k8s.io/v1/namespaces/default/leases", "metadata: {name: z, finalizers: [foo]}")
                .expect(201);
    }
}
