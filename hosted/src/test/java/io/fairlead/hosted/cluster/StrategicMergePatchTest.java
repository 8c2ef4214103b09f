package io.fairlead.hosted.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares with what a kube-apiserver 1.36 answered; {@code record-strategic-patches.py} beside the resources asks it again. */
class StrategicMergePatchTest {
    private static final String TYPE = "application/strategic-merge-patch+json";
    private static final JsonNode CASES = resource("strategic-patches.json");
    private static final JsonNode ANSWERS = resource("strategic-answers.json");
    private static final List<String> VOLATILE =
            List.of("uid", "creationTimestamp", "resourceVersion", "managedFields", "generation");
    private static final Map<String, Kind> KINDS = Map.of(
            "configmaps", new Kind("/api/v1/namespaces/default/configmaps", "v1", "ConfigMap"),
            "secrets", new Kind("/api/v1/namespaces/default/secrets", "v1", "Secret"),
            "serviceaccounts", new Kind("/api/v1/namespaces/default/serviceaccounts", "v1", "ServiceAccount"),
            "roles",
                    new Kind(
                            "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
                            "rbac.authorization.k8s.io/v1",
                            "Role"),
            "namespaces", new Kind("/api/v1/namespaces", "v1", "Namespace"),
            "customresourcedefinitions",
                    new Kind(
                            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                            "apiextensions.k8s.io/v1",
                            "CustomResourceDefinition"));

    private static final Fixture FIXTURE = new Fixture(new MemoryStore(), Fixture.settings(1024, 1024), List.of());

    private final Api api = FIXTURE.dev();

    private record Kind(String path, String apiVersion, String kind) {}

    @AfterAll
    static void close() {
        FIXTURE.close();
    }

    static Stream<Arguments> cases() {
        List<Arguments> cases = new ArrayList<>();
        for (JsonNode one : CASES) {
            String name = one.get("name").stringValue();
            cases.add(Arguments.of(name, cases.size(), one, requireNonNull(ANSWERS.get(name), name)));
        }
        return cases.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void patch_isAnsweredAsByKubeApiserver(String name, int index, JsonNode one, JsonNode expected) {
        Kind kind = requireNonNull(KINDS.get(one.get("kind").stringValue()));
        String path = kind.path() + "/" + create(kind, index, one);

        Answer answer = api.send(
                "PATCH",
                path + "?fieldValidation=" + one.path("validation").asString("Strict"),
                TYPE,
                Json.write(one.get("patch")));

        delete(kind, path);
        if (expected.get("code").asInt() == 200) {
            assertThat(stable(answer.expect(200).body())).isEqualTo(expected.get("object"));
        } else {
            // What upstream tells as a fault of its own is one of the patch.
            assertThat(answer.code())
                    .isEqualTo(
                            expected.get("code").asInt() == 500
                                    ? 422
                                    : expected.get("code").asInt());
            assertThat(comparable(answer.message()))
                    .isEqualTo(comparable(expected.get("message").stringValue()));
        }
    }

    @Test
    void cases_areManyAndOfEveryKindOfAnswer() {
        assertThat(CASES.size()).isGreaterThan(75).isEqualTo(ANSWERS.size());
        assertThat(ANSWERS.findValuesAsString("code")).contains("200", "400", "409", "422", "500");
    }

    @Test
    void patch_ofACustomResource_isAnUnsupportedMediaType() {
        api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              names: {plural: widgets, kind: Widget}
              scope: Cluster
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """)
                .expect(201);
        String widgets = "/apis/example.com/v1/widgets";
        Fixture.eventually("widgets are served", () -> api.get(widgets).code() == 200);
        api.create(widgets, "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}")
                .expect(201);

        Answer refused = api.send("PATCH", widgets + "/w", TYPE, "{}".getBytes(StandardCharsets.UTF_8))
                .expect(415);

        assertThat(refused.message())
                .isEqualTo("the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
    }

    private String create(Kind kind, int index, JsonNode one) {
        ObjectNode object = (ObjectNode) one.get("object").deepCopy();
        String name = kind.kind().equals("CustomResourceDefinition") ? "things.smp.example.com" : "case-" + index;
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        object.withObjectProperty("metadata").put("name", name);
        api.send("POST", kind.path(), "application/json", Json.write(object)).expect(201);
        return name;
    }

    private void delete(Kind kind, String path) {
        if (kind.kind().equals("CustomResourceDefinition")) {
            api.delete(path).expect(200);
            Fixture.eventually("the definition is gone", () -> api.get(path).code() == 404);
        }
    }

    private static ObjectNode stable(ObjectNode object) {
        object.withObjectProperty("metadata").remove(VOLATILE);
        if (object.path("kind").asString("").equals("CustomResourceDefinition")) {
            object.remove("status");
        }
        return object;
    }

    /** Upstream converts trees to Go values in its own words; only that it could not is told alike. */
    private static String comparable(String message) {
        String told = message.startsWith("the namespace of the") ? "another namespace" : message;
        boolean typed = told.startsWith(" \"\" is invalid: patch: ") && !told.contains("strict decoding error");
        return typed ? told.substring(0, told.indexOf("\": ", 10)) : told;
    }

    private static JsonNode resource(String name) {
        try (InputStream in = requireNonNull(StrategicMergePatchTest.class.getResourceAsStream(name))) {
            return Json.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
