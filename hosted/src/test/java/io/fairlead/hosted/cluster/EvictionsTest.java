package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Which pods are evicted. Expected answers are those of a kube-apiserver 1.36. */
class EvictionsTest extends EveryKindFixture {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final String VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";

    @BeforeEach
    void createPod() {
        api.create(PODS, """
            {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: x}}, spec: {containers: [{name: c, image: x}]}}
            """).expect(201);
    }

    private Answer evict(String content) {
        return api.create(PODS + "/p/eviction", "{apiVersion: policy/v1, kind: Eviction, " + content + "}");
    }

    private Answer evict() {
        return evict("metadata: {name: p}");
    }

    private void budget(String name, String spec) {
        api.create(BUDGETS, """
            {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: %s}, spec: {minAvailable: 1,
             selector: {matchLabels: {app: x}}%s}}
            """.formatted(name, spec)).expect(201);
    }

    private void status(String path, String status) {
        api.send(
                        "PATCH",
                        path + "/status",
                        "application/merge-patch+json",
                        ("{\"status\": {" + status + "}}").getBytes(StandardCharsets.UTF_8))
                .expect(200);
    }

    private void run(String ready) {
        status(
                PODS + "/p",
                "\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"%s\"}]".formatted(ready));
    }

    private void healthy(int allowed, int current) {
        status(
                BUDGETS + "/b",
                "\"observedGeneration\":1,\"disruptionsAllowed\":%d,\"currentHealthy\":%d,\"desiredHealthy\":1"
                        .formatted(allowed, current));
    }

    @Test
    void podWithoutBudget_isDeleted() {
        run("True");

        assertThat(evict().expect(201).body().toString())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\",\"code\":201}");
        assertThat(api.get(PODS + "/p").code()).isEqualTo(404);
    }

    @Test
    void dryRun_deletesNothing() {
        evict("metadata: {name: p}, deleteOptions: {dryRun: [All]}").expect(201);
        api.create(PODS + "/p/eviction?dryRun=All", "{metadata: {name: p}}").expect(201);

        assertThat(api.get(PODS + "/p").code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "metadata: {name: q} | 400 | name in URL does not match name in Eviction object",
                "metadata: {name: p}, deleteOptions: {preconditions: {resourceVersion: '1'}} | 409 | Operation cannot"
                        + " be fulfilled on Pod \"p\": the ResourceVersion in the precondition (1) does not",
                "metadata: {name: p}, deleteOptions: {preconditions: {uid: x}} | 409 | Operation cannot be fulfilled"
                        + " on Pod \"p\": the UID in the precondition (x) does not match the UID",
                "metadata: {name: p}, deleteOptions: {propagationPolicy: Odd} | 422 | DeleteOptions.meta.k8s.io \"\""
                        + " is invalid:",
                "metadata: [] | 400 | Eviction in version \"v1\" cannot be handled as a Eviction: json: cannot"
                        + " unmarshal array",
            })
    void wrongEviction_isRefused(String content, int code, String message) {
        assertThat(evict(content).expect(code).message()).startsWith(message);
        assertThat(api.get(PODS + "/p").code()).isEqualTo(200);
    }

    @Test
    void missingPod_isNotFound_andOnlyCreationIsAllowed() {
        assertThat(api.create(PODS + "/p/eviction", "{metadata: {name: p, namespace: other}}")
                        .expect(400)
                        .message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
        Answer missing = api.create(PODS + "/q/eviction", "{metadata: {name: q}}");

        assertThat(missing.expect(404).message()).isEqualTo("pods \"q\" not found");
        assertThat(api.get(PODS + "/p/eviction").code()).isEqualTo(405);
    }

    @Test
    void budgetThatAllowsNone_isNotViolated() {
        budget("b", "");
        run("True");

        Answer unobserved = evict();
        assertThat(unobserved.expect(429).message()).isEqualTo(VIOLATED);
        assertThat(unobserved.body().path("details").toString())
                .isEqualTo(
                        "{\"causes\":[{\"reason\":\"DisruptionBudget\",\"message\":\"The disruption budget b is still"
                                + " being processed by the server.\"}],\"retryAfterSeconds\":10}");
        healthy(0, 1);
        assertThat(evict().expect(429).at("/details/causes/0/message"))
                .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");
        healthy(0, 2);
        assertThat(evict().expect(429).at("/details/causes/0/message"))
                .isEqualTo("The disruption budget b does not allow evicting pods currently");
    }

    @Test
    void budgetThatAllowsOne_isUsedUp() {
        budget("b", "");
        run("True");
        healthy(1, 2);
        evict("metadata: {name: p}, deleteOptions: {dryRun: [All]}").expect(201);

        evict().expect(201);

        Answer budget = api.get(BUDGETS + "/b");
        assertThat(budget.at("/status/disruptionsAllowed")).isEqualTo("0");
        assertThat(budget.body().at("/status/disruptedPods").has("p")).isTrue();
        assertThat(budget.at("/status/conditions/0/reason")).isEqualTo("InsufficientPods");
        assertThat(api.get(PODS + "/p").code()).isEqualTo(404);
    }

    @Test
    void podOfSeveralBudgets_isNotEvicted() {
        budget("b", "");
        budget("c", "");
        run("True");

        assertThat(evict().expect(500).message())
                .isEqualTo("This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
                        + " support.");
    }

    @Test
    void podThatIsNotReady_takesNothingOffItsBudget() {
        budget("b", "");
        run("False");
        healthy(0, 0);
        evict().expect(429);
        healthy(0, 1);

        evict().expect(201);

        assertThat(api.get(BUDGETS + "/b").body().at("/status").has("disruptedPods"))
                .isFalse();
    }

    @Test
    void unreadyPod_goesAlways_ifItsBudgetSaysSo() {
        budget("b", ", unhealthyPodEvictionPolicy: AlwaysAllow");
        run("False");

        evict().expect(201);
    }

    @Test
    void pendingPod_goesWhateverItsBudgetSays() {
        budget("b", "");

        evict().expect(201);
    }

    @Test
    void openApi_publishesEvictions() {
        String path = "/api/v1/namespaces/{namespace}/pods/{name}/eviction";
        try (Fixture documents = Fixture.withItsViews()) {
            Api served = documents.withEveryKind();
            JsonNode document = served.get("/openapi/v3/api/v1").expect(200).body();
            JsonNode evictions = document.path("paths").path(path);

            assertThat(evictions.propertyNames()).containsExactlyInAnyOrder("post", "parameters");
            assertThat(evictions.at("/post/operationId").stringValue()).isEqualTo("createCoreV1NamespacedPodEviction");
            assertThat(evictions.at("/post/x-kubernetes-group-version-kind").toString())
                    .isEqualTo("{\"group\":\"policy\",\"kind\":\"Eviction\",\"version\":\"v1\"}");
            assertThat(document.at("/components/schemas/io.k8s.api.policy.v1.Eviction/properties")
                            .propertyNames())
                    .contains("deleteOptions", "metadata");
            assertThat(served.get("/openapi/v2")
                            .expect(200)
                            .body()
                            .path("paths")
                            .propertyNames())
                    .contains(path);
        }
    }
}
