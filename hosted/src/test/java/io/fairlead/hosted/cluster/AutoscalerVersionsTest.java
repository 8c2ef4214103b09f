package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** HorizontalPodAutoscalers in both of their versions. What must be, a kube-apiserver 1.36.3 answered. */
class AutoscalerVersionsTest extends EveryKindFixture {
    private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
    private static final String OLDER = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    private static final String NEWER = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

    private static ObjectNode scaler(String version) {
        ObjectNode scaler = object("autoscaling/" + version, "HorizontalPodAutoscaler");
        ObjectNode spec = scaler.putObject("spec").put("maxReplicas", 3);
        spec.putObject("scaleTargetRef")
                .put("apiVersion", "apps/v1")
                .put("kind", "Deployment")
                .put("name", "d");
        return scaler;
    }

    private Answer createOlder(String annotation, String text) {
        ObjectNode scaler = scaler("v1");
        scaler.withObjectProperty("metadata").putObject("annotations").put(PREFIX + annotation, text);
        return api.createJson(OLDER, scaler.toString());
    }

    @Test
    void discovery_prefersTheNewerVersion_andNamesTheStoredOne() {
        try (Fixture documents = Fixture.withItsViews()) {
            Api served = documents.withEveryKind();
            assertThat(served.get("/apis/autoscaling").at("/preferredVersion/version"))
                    .isEqualTo("v2");
            for (String version : List.of("v1", "v2")) {
                Answer resources = served.get("/apis/autoscaling/" + version).expect(200);

                assertThat(resources.at("/resources/0/storageVersionHash")).isEqualTo("qwQve8ut294=");
                assertThat(resources.at("/resources/1/name")).isEqualTo("horizontalpodautoscalers/status");
            }
        }
    }

    @Test
    void schemas_areOfBothVersions() {
        try (Fixture documents = Fixture.withItsViews()) {
            Api served = documents.withEveryKind();
            assertThat(served.get("/openapi/v3/apis/autoscaling/v1")
                            .body()
                            .at("/components/schemas/io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec/properties")
                            .has("targetCPUUtilizationPercentage"))
                    .isTrue();
            assertThat(served.get("/openapi/v2").body().path("paths").propertyNames())
                    .contains(
                            "/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers/{name}/status",
                            "/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers/{name}/status");
        }
    }

    @Test
    void older_isReadInBothVersions() {
        Answer created = api.createJson(OLDER, scaler("v1").toString()).expect(201);

        assertThat(created.body().at("/spec/targetCPUUtilizationPercentage").asInt(0))
                .isEqualTo(80);
        assertThat(created.body().at("/spec/minReplicas").asInt(0)).isEqualTo(1);
        assertThat(created.at("/metadata/managedFields/0/apiVersion")).isEqualTo("autoscaling/v1");
        Answer newer = api.get(NEWER + "/o").expect(200);
        assertThat(newer.at("/apiVersion")).isEqualTo("autoscaling/v2");
        assertThat(newer.body().at("/spec/metrics").toString())
                .isEqualTo(
                        "[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"target\":{\"type\":\"Utilization\",\"averageUtilization\":80}}}]");
        assertThat(api.get(OLDER).body().path("items")).hasSize(1);
        assertThat(api.get(NEWER).body().path("items")).hasSize(1);
    }

    /** Both versions are over one object: it goes with its namespace. */
    @Test
    void namespaceWithAutoscalers_isDeleted() {
        api.create("/api/v1/namespaces", "metadata: {name: scaled}").expect(201);
        api.createJson(OLDER.replace("default", "scaled"), scaler("v1").toString())
                .expect(201);

        api.delete("/api/v1/namespaces/scaled").expect(200);

        Fixture.eventually(
                "the namespace is gone",
                () -> api.get("/api/v1/namespaces/scaled").code() == 404);
        assertThat(api.get("/apis/autoscaling/v1/horizontalpodautoscalers")
                        .body()
                        .path("items"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {OLDER, NEWER})
    void watch_isInItsVersion(String path) {
        String revision = api.get(path).resourceVersion();
        try (Events events = api.watch(path + "?resourceVersion=" + revision)) {
            api.createJson(OLDER, scaler("v1").toString()).expect(201);
            api.merge(NEWER + "/o", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}").expect(200);
            api.delete(OLDER + "/o").expect(200);

            for (String type : List.of("ADDED", "MODIFIED", "DELETED")) {
                Events.Event event = events.next();
                assertThat(event.type()).isEqualTo(type);
                assertThat(event.object().path("apiVersion").stringValue())
                        .isEqualTo(path.equals(OLDER) ? "autoscaling/v1" : "autoscaling/v2");
                assertThat(event.object().path("spec").has("metrics")).isEqualTo(path.equals(NEWER));
            }
        }
    }

    @Test
    void annotations_standForWhatTheOlderVersionHasNot() {
        createOlder(
                        "metrics",
                        "[{\"TYPE\":\"Resource\",\"resource\":{\"name\":\"memory\",\"targetaverageutilization\":20}}]")
                .expect(201);

        Answer newer = api.get(NEWER + "/o");
        assertThat(newer.body().at("/metadata").has("annotations")).isFalse();
        assertThat(newer.at("/spec/metrics/0/resource/name")).isEqualTo("memory");
        assertThat(newer.body().at("/spec/metrics")).hasSize(1);
        Answer older = api.merge(OLDER + "/o", "{\"spec\":{\"targetCPUUtilizationPercentage\":50}}")
                .expect(200);
        assertThat(annotation(older, "metrics"))
                .isEqualTo(
                        "[{\"type\":\"Resource\",\"resource\":{\"name\":\"memory\",\"targetAverageUtilization\":20}}]");
        assertThat(api.get(NEWER + "/o").body().at("/spec/metrics")).hasSize(2);
    }

    private static String annotation(Answer answer, String name) {
        return answer.body().at("/metadata/annotations").path(PREFIX + name).asString("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "{}", "[1]", "null", "[{\"type\":\"Resource\"}] x", "[{\"type\":1}]"})
    void annotation_thatCannotBeRead_isIgnored(String text) {
        Answer created = createOlder("metrics", text).expect(201);

        assertThat(created.body().at("/metadata").has("annotations")).isFalse();
        assertThat(created.body().at("/spec/targetCPUUtilizationPercentage").asInt(0))
                .isEqualTo(80);
    }

    @Test
    void annotationWithMoreThanAnObjectMayHave_isIgnored() {
        Answer created =
                createOlder("metrics", "[" + "{},".repeat(300_000) + "{}]").expect(201);

        assertThat(created.body().at("/metadata").has("annotations")).isFalse();
    }

    @Test
    void newerVersion_dropsTheAnnotations() {
        ObjectNode scaler = scaler("v2");
        scaler.withObjectProperty("metadata")
                .putObject("annotations")
                .put(PREFIX + "behavior", "x")
                .put("a", "b");

        Answer created = api.createJson(NEWER, scaler.toString()).expect(201);

        assertThat(created.body().at("/metadata/annotations").toString()).isEqualTo("{\"a\":\"b\"}");
    }

    /** What the older version cannot say is taken from what is stored, not from what it shows of that. */
    @Test
    void statusAndMetrics_surviveWritesThroughTheOlderVersion() {
        api.createJson(NEWER, scaler("v2").toString()).expect(201);
        String status = "{\"desiredReplicas\":1,\"conditions\":[{\"type\":\"X\",\"status\":\"True\"}],"
                + "\"currentMetrics\":[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"current\":"
                + "{\"averageUtilization\":4}}}]}";
        api.merge(NEWER + "/o/status", "{\"status\":" + status + "}").expect(200);
        JsonNode before = api.get(NEWER + "/o").body().path("status");

        api.merge(
                        OLDER + "/o",
                        "{\"metadata\":{\"annotations\":{\"" + PREFIX
                                + "conditions\":null}},\"spec\":{\"maxReplicas\":9}}")
                .expect(200);

        Answer after = api.get(NEWER + "/o");
        assertThat(after.body().path("status")).isEqualTo(before);
        assertThat(after.body().at("/status/currentMetrics/0/resource/current").toString())
                .isEqualTo("{\"averageUtilization\":4}");
        assertThat(annotation(api.get(OLDER + "/o"), "conditions"))
                .isEqualTo("[{\"type\":\"X\",\"status\":\"True\",\"lastTransitionTime\":null}]");
    }

    @Test
    void behavior_isAnAnnotationWithTheNamesOfGo() {
        createOlder("behavior", "{\"scaleDown\":{\"policies\":[{\"type\":\"Pods\",\"value\":1,\"periodSeconds\":15}]}}")
                .expect(201);

        assertThat(annotation(api.get(OLDER + "/o"), "behavior"))
                .isEqualTo("{\"ScaleUp\":{\"StabilizationWindowSeconds\":0,\"SelectPolicy\":\"Max\",\"Policies\":["
                               + "{\"Type\":\"Pods\",\"Value\":4,\"PeriodSeconds\":15},{\"Type\":\"Percent\",\"Value\":100,"
                               + "\"PeriodSeconds\":15}],\"Tolerance\":null},\"ScaleDown\":{\"StabilizationWindowSeconds\":null,"
                               + "\"SelectPolicy\":\"Max\",\"Policies\":[{\"Type\":\"Pods\",\"Value\":1,\"PeriodSeconds\":15}],"
                               + "\"Tolerance\":null}}");
    }

    @Test
    void refusals_nameTheFieldsOfTheNewerVersion() {
        ObjectNode scaler = scaler("v1");
        scaler.withObjectProperty("spec").put("targetCPUUtilizationPercentage", 0);

        assertThat(api.createJson(OLDER, scaler.toString()).expect(422).message())
                .isEqualTo("HorizontalPodAutoscaler.autoscaling \"o\" is invalid:"
                        + " spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater"
                        + " than 0");
    }

    @Test
    void apply_meetsTheManagersOfTheOtherVersion() {
        ObjectNode older = scaler("v1");
        apply(OLDER, older, "one").expect(201);
        ObjectNode newer = scaler("v2");
        newer.withObjectProperty("spec").put("maxReplicas", 4);

        Answer refused = apply(NEWER, newer, "two").expect(409);

        assertThat(refused.at("/details/causes/0/field")).isEqualTo(".spec.maxReplicas");
        assertThat(refused.at("/details/causes/0/message")).isEqualTo("conflict with \"one\"");
    }

    private Answer apply(String collection, ObjectNode object, String manager) {
        return api.send(
                "PATCH", collection + "/o?fieldManager=" + manager, "application/apply-patch+yaml", Json.write(object));
    }
}
