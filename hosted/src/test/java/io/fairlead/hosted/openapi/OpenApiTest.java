package io.fairlead.hosted.openapi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ApiScope;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class OpenApiTest {
    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final String WIDGET_SCHEMA = """
        {"type":"object","description":"A widget.","properties":{
          "metadata":{"type":"object"},
          "spec":{"type":"object","description":"What is wanted.","properties":{"size":{"type":"integer"}}}}}\
        """;
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/{namespace}/widgets";

    private final List<ResourceType> types = new ArrayList<>(List.of(
            type("", "configmaps", "ConfigMap", true, false, null),
            type("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", false, false, null),
            type("example.com", "widgets", "Widget", true, true, WIDGET_SCHEMA)));
    private long catalogVersion = 1;
    private final OpenApi openApi = new OpenApi(
            () -> new TypeCatalog.Snapshot(catalogVersion, types),
            List.of(),
            () -> Instant.parse("2026-11-21T00:00:00Z"));

    @Test
    void index_namesADocumentForEachVersion() {
        JsonNode paths = json(get("/openapi/v3")).path("paths");

        assertThat(paths.propertyNames())
                .containsExactlyInAnyOrder("api/v1", "apis/example.com/v1", "apis/rbac.authorization.k8s.io/v1");
        assertThat(url("apis/example.com/v1")).startsWith("/openapi/v3/apis/example.com/v1?hash=");
    }

    @Test
    void partOfTheApi_isAllThatItsDocumentsDescribe() {
        ApiScope part = new ApiScope.Versions(Set.of(new GroupVersion("example.com", "v1")));

        assertThat(json(get("/openapi/v3", part)).path("paths"))
                .isEqualTo(Json.object()
                        .set(
                                "apis/example.com/v1",
                                Json.object().put("serverRelativeURL", url("apis/example.com/v1"))));
        assertThat(json(get("/openapi/v3/apis/example.com/v1", part))).isEqualTo(document("apis/example.com/v1"));
        assertThatThrownBy(() -> get("/openapi/v3/api/v1", part)).isInstanceOf(StatusException.class);
        assertThat(json(get("/openapi/v2", part)).path("paths").propertyNames())
                .isNotEmpty()
                .allMatch(path -> path.startsWith("/apis/example.com/v1/"));
        assertThat(json(get("/openapi/v2")).path("paths").propertyNames())
                .anyMatch(path -> path.startsWith("/api/v1/"));
    }

    private ApiResponse.Whole get(String path, ApiScope scope) {
        return (ApiResponse.Whole) Objects.requireNonNull(
                openApi.answer(request(path, Map.of(), Map.of()).ofOtherCluster(scope, _ -> {})));
    }

    @Test
    void patch_saysThatFieldsAreValidatedAndWhichPatchesThereAre() {
        JsonNode patch = document("apis/example.com/v1")
                .path("paths")
                .path(WIDGETS + "/{name}")
                .path("patch");

        assertThat(patch.path("x-kubernetes-group-version-kind"))
                .isEqualTo(Json.read("{\"group\":\"example.com\",\"kind\":\"Widget\",\"version\":\"v1\"}"));
        assertThat(patch.path("parameters")
                        .valueStream()
                        .map(parameter -> parameter.path("name").asString()))
                .contains("fieldValidation", "force");
        assertThat(patch.at("/requestBody/content").propertyNames())
                .containsExactly(
                        "application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");
    }

    @Test
    void paths_areThoseThatAreServed() {
        assertThat(document("apis/example.com/v1").path("paths").propertyNames())
                .containsExactlyInAnyOrder(
                        WIDGETS,
                        WIDGETS + "/{name}",
                        WIDGETS + "/{name}/status",
                        WIDGETS + "/{name}/scale",
                        "/apis/example.com/v1/widgets");
        assertThat(document("apis/rbac.authorization.k8s.io/v1").path("paths").propertyNames())
                .contains("/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}");
    }

    @Test
    void component_isThePublishedSchemaOfTheCrd() {
        JsonNode widget = document("apis/example.com/v1").at("/components/schemas/com.example.v1.Widget");

        assertThat(widget.path("description").asString()).isEqualTo("A widget.");
        assertThat(widget.at("/properties/spec"))
                .isEqualTo(Json.read(WIDGET_SCHEMA).at("/properties/spec"));
        assertThat(widget.at("/properties/metadata/allOf/0/$ref").asString())
                .isEqualTo("#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        assertThat(widget.at("/x-kubernetes-group-version-kind/0/kind").asString())
                .isEqualTo("Widget");
    }

    @Test
    void everyReference_isResolved() {
        json(get("/openapi/v3")).path("paths").propertyNames().forEach(path -> {
            JsonNode document = document(path);
            assertThat(document.findValuesAsString("$ref"))
                    .isNotEmpty()
                    .allSatisfy(ref -> assertThat(document.at(ref.substring(1)).isObject())
                            .as(ref)
                            .isTrue());
        });
    }

    @Test
    void operationIds_areUnique() {
        assertThat(document("apis/example.com/v1").path("paths").findValuesAsString("operationId"))
                .contains("listExampleComV1NamespacedWidget", "patchExampleComV1NamespacedWidgetStatus")
                .doesNotHaveDuplicates();
    }

    @Test
    void document_withItsHash_mayBeKept() {
        ApiResponse.Whole document = get("/openapi/v3/api/v1", hash("api/v1"), "");

        assertThat(document.headers())
                .containsEntry("Cache-Control", List.of("public, immutable"))
                .containsEntry("Expires", List.of("Sun, 21 Nov 2027 00:00:00 GMT"))
                .containsEntry("ETag", List.of('"' + hash("api/v1") + '"'));
    }

    @Test
    void document_withAnOutdatedHash_isRedirectedBelowTheSamePath() {
        ApiResponse.Whole document = get("/openapi/v3/api/v1", "old", "");

        assertThat(document.status()).isEqualTo(301);
        assertThat(document.headers()).containsEntry("Location", List.of("?hash=" + hash("api/v1")));
    }

    @Test
    void document_unchanged_is304() {
        assertThat(get("/openapi/v3/api/v1", null, '"' + hash("api/v1") + '"').status())
                .isEqualTo(304);
    }

    @Test
    void change_ofOneType_makesOnlyItsDocumentAgain() {
        byte[] core = get("/openapi/v3/api/v1").body();
        String widgets = hash("apis/example.com/v1");

        types.set(2, type("example.com", "widgets", "Widget", true, true, "{\"type\":\"object\"}"));
        catalogVersion++;

        assertThat(hash("apis/example.com/v1")).isNotEqualTo(widgets);
        assertThat(get("/openapi/v3/api/v1").body()).isSameAs(core);
    }

    @Test
    void removedType_takesItsDocumentAway() {
        types.removeLast();
        catalogVersion++;

        assertThat(refusal("/openapi/v3/apis/example.com/v1", "").status().code())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi", "/openapi/v1", "/openapi/v3/apis/example.com/v2"})
    void unserved_isNotFound(String path) {
        assertThat(refusal(path, "").status().code()).isEqualTo(404);
    }

    @Test
    void legacyDocument_saysTheSameInTheWordsOfV2() {
        JsonNode document = json(get("/openapi/v2"));

        assertThat(document.path("swagger").asString()).isEqualTo("2.0");
        JsonNode widget = document.at("/definitions/com.example.v1.Widget");
        assertThat(widget.path("properties").propertyNames()).contains("apiVersion", "kind", "metadata", "spec");
        assertThat(widget.at("/properties/metadata/$ref").asString())
                .isEqualTo("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        JsonNode patch = document.path("paths").path(WIDGETS + "/{name}").path("patch");
        assertThat(patch.path("consumes").valueStream().map(JsonNode::asString))
                .containsExactly(
                        "application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");
        assertThat(patch.at("/responses/200/schema/$ref").asString()).isEqualTo("#/definitions/com.example.v1.Widget");
        assertThat(patch.path("parameters").findValuesAsString("in")).contains("query", "body");
        assertThat(document.findValuesAsString("$ref"))
                .allSatisfy(ref -> assertThat(document.at(ref.substring(1)).isObject())
                        .as(ref)
                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: object, properties: {a: {type: string, nullable: true}}, required: [a]}"
                        + " | {type: object, properties: {a: {}}}",
                "{type: object, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true,"
                        + " properties: {b: {type: string}}}}}"
                        + " | {type: object, properties: {a: {x-kubernetes-preserve-unknown-fields: true}}}",
                "{type: object, properties: {a: {type: array, items: {oneOf: [{type: string}], minLength: 1}}}}"
                        + " | {type: object, properties: {a: {type: array, items: {minLength: 1}}}}",
                "{type: object, properties: {a: {type: string, default: b}}}"
                        + " | {type: object, properties: {a: {type: string}}}",
                "{oneOf: [{type: string}, {type: number}]} | {type: string}",
                "{x-kubernetes-int-or-string: true} | {x-kubernetes-int-or-string: true}",
            })
    void legacyDocument_leavesOutWhatV2CannotSay(String v3, String v2) {
        types.set(
                2,
                type(
                        "example.com",
                        "widgets",
                        "Widget",
                        true,
                        true,
                        yaml("{type: object, properties: {spec: " + v3 + "}}")));
        catalogVersion++;

        assertThat(json(get("/openapi/v2")).at("/definitions/com.example.v1.Widget/properties/spec"))
                .isEqualTo(Json.read(yaml(v2)));
    }

    @Test
    void legacyDocument_ofAKindThatKeepsUnknownFields_saysNothingOfThem() {
        types.set(2, type("example.com", "widgets", "Widget", true, true, null));
        catalogVersion++;

        assertThat(json(get("/openapi/v2"))
                        .path("definitions")
                        .path("com.example.v1.Widget")
                        .propertyNames())
                .containsExactly("type", "x-kubernetes-group-version-kind");
    }

    @Test
    void legacyDocument_inProtobuf_holdsPathsAndDefinitions() {
        ApiResponse.Whole protobuf = (ApiResponse.Whole) Objects.requireNonNull(openApi.answer(request(
                "/openapi/v2",
                Map.of(),
                Map.of("accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"))));

        assertThat(protobuf.contentType()).isEqualTo("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
        assertThat(new String(protobuf.body(), StandardCharsets.ISO_8859_1))
                .startsWith("\n\u00032.0\u0012\u0017\n\bFairlead\u0012\u000bunversioned")
                .contains(WIDGETS + "/{name}", "com.example.v1.Widget", "patchExampleComV1NamespacedWidget");
    }

    @Test
    void legacyDocument_unchanged_is304() {
        String etag = requireNonNull(get("/openapi/v2").headers().get("ETag")).getFirst();

        assertThat(get("/openapi/v2", null, etag).status()).isEqualTo(304);
        catalogVersion++;
        assertThat(get("/openapi/v2", null, etag).status()).isEqualTo(304);
        types.removeLast();
        catalogVersion++;
        assertThat(get("/openapi/v2", null, etag).status()).isEqualTo(200);
    }

    @Test
    void builtInKind_takesStrategicMergePatchesAndSaysHowListsMerge() {
        types.add(new ResourceType(
                "",
                "v1",
                "serviceaccounts",
                "",
                "ServiceAccount",
                "ServiceAccountList",
                List.of(),
                List.of(),
                true,
                VERBS,
                Set.of(),
                "v1",
                false,
                (ObjectNode) Json.read("""
                    {"type":"object","properties":{"secrets":{"type":"array","items":{"type":"object"}}}}\
                    """),
                null));
        catalogVersion++;
        JsonNode document = document("api/v1");

        assertThat(document.path("paths")
                        .path("/api/v1/namespaces/{namespace}/serviceaccounts/{name}")
                        .at("/patch/requestBody/content")
                        .propertyNames())
                .contains("application/strategic-merge-patch+json");
        JsonNode secrets = document.at("/components/schemas/io.k8s.api.core.v1.ServiceAccount/properties/secrets");
        assertThat(secrets.path("x-kubernetes-patch-merge-key").asString()).isEqualTo("name");
        assertThat(secrets.path("x-kubernetes-patch-strategy").asString()).isEqualTo("merge");
    }

    private static String yaml(String text) {
        return Json.text(Yaml.read(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void protobufAlone_isNotAcceptable() {
        assertThat(refusal("/openapi/v3", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf")
                        .status()
                        .code())
                .isEqualTo(406);
    }

    private String url(String path) {
        return json(get("/openapi/v3"))
                .path("paths")
                .path(path)
                .path("serverRelativeURL")
                .asString();
    }

    private String hash(String path) {
        return url(path).substring(url(path).indexOf("?hash=") + 6);
    }

    private JsonNode document(String path) {
        return json(get("/openapi/v3/" + path));
    }

    private ApiResponse.Whole get(String path) {
        return get(path, null, "");
    }

    private ApiResponse.Whole get(String path, @Nullable String hash, String ifNoneMatch) {
        Map<String, List<String>> query = new HashMap<>();
        if (hash != null) {
            query.put("hash", List.of(hash));
        }
        return (ApiResponse.Whole)
                Objects.requireNonNull(openApi.answer(request(path, query, Map.of("if-none-match", ifNoneMatch))));
    }

    private StatusException refusal(String path, String accept) {
        return catchThrowableOfType(
                StatusException.class, () -> openApi.answer(request(path, Map.of(), Map.of("accept", accept))));
    }

    private static ApiRequest request(String path, Map<String, List<String>> query, Map<String, String> headers) {
        return new ApiRequest(
                RequestInfo.nonResource(path, "get"), "GET", query, headers, UserInfo.of("u", List.of()), new byte[0]);
    }

    private static JsonNode json(ApiResponse.Whole response) {
        return Json.read(response.body());
    }

    private static ResourceType type(
            String group, String plural, String kind, boolean namespaced, boolean custom, @Nullable String schema) {
        return new ResourceType(
                group,
                "v1",
                plural,
                "",
                kind,
                kind + "List",
                List.of(),
                List.of(),
                namespaced,
                VERBS,
                custom ? Set.of("status", "scale") : Set.of("status"),
                "v1",
                custom,
                schema == null ? null : (ObjectNode) Json.read(schema),
                null);
    }
}
