package io.fairlead.hosted.discovery;

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
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The expected documents are those of a kube-apiserver 1.36 that serves the same resources. */
class DiscoveryTest {
    private static final List<String> BUILT_IN_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> CUSTOM_VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final String ACCEPT_AGGREGATED =
            "application/json;v=v2;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;profile=nopeer,application/json";

    private final List<ResourceType> types = new ArrayList<>(List.of(
            builtIn("configmaps", "ConfigMap", true, "cm", BUILT_IN_VERBS, Set.of()),
            builtIn(
                    "namespaces",
                    "Namespace",
                    false,
                    "ns",
                    BUILT_IN_VERBS.stream()
                            .filter(verb -> !verb.equals("deletecollection"))
                            .toList(),
                    Set.of("status", "finalize")),
            widgets("v1", Set.of("status")),
            widgets("v1alpha1", Set.of()),
            custom("v1alpha1", "things", "thing", "Thing", false, List.of(), List.of(), Set.of(), "v1alpha1")));
    private long catalogVersion = 1;
    private final Discovery discovery = new Discovery(() -> new TypeCatalog.Snapshot(catalogVersion, types), List.of());

    @ParameterizedTest
    @ValueSource(strings = {"/apis/example.com", "/apis/example.com/v1", "/apis/example.com/v1alpha1", "/api/v1"})
    void legacyDocument_isThatOfKubernetes(String path) throws IOException {
        assertThat(body(get(path, ""))).isEqualTo(expected(path));
        assertThat(body(get(path + "/", "*/*"))).isEqualTo(expected(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/apis"})
    void aggregatedDocument_isThatOfKubernetes(String path) throws IOException {
        ApiResponse.Whole response = get(path, ACCEPT_AGGREGATED);

        assertThat(body(response)).isEqualTo(expected("aggregated " + path));
        assertThat(response.contentType())
                .isEqualTo("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
        assertThat(response.headers()).containsEntry("Vary", List.of("Accept"));
    }

    @Test
    void aggregatedDocument_unchanged_is304() {
        String etag = etag(get("/apis", ACCEPT_AGGREGATED));

        ApiResponse.Whole again = get("/apis", ACCEPT_AGGREGATED, Map.of("if-none-match", etag));
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();

        types.removeLast();
        catalogVersion++;
        ApiResponse.Whole changed = get("/apis", ACCEPT_AGGREGATED, Map.of("if-none-match", etag));
        assertThat(changed.status()).isEqualTo(200);
        assertThat(etag(changed)).isNotEqualTo(etag);
    }

    @Test
    void aggregatedBeta_isAnsweredWithTheLegacyDocument() {
        ApiResponse.Whole response = get(
                "/apis", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json");

        assertThat(response.contentType()).isEqualTo("application/json");
        assertThat(body(response).path("kind").asString()).isEqualTo("APIGroupList");
    }

    @Test
    void groups_areInKubernetesOrderAndCustomOnesLast() {
        types.add(custom("v1", "a", "a", "A", false, List.of(), List.of(), Set.of(), "v1", "a.example.com"));
        types.add(custom(
                "v1",
                "roles",
                "role",
                "Role",
                true,
                List.of(),
                List.of(),
                Set.of(),
                "v1",
                "rbac.authorization.k8s.io"));
        types.add(
                custom("v1", "crds", "crd", "Crd", true, List.of(), List.of(), Set.of(), "v1", "apiextensions.k8s.io"));
        catalogVersion++;

        assertThat(body(get("/apis", ""))
                        .path("groups")
                        .valueStream()
                        .map(group -> group.path("name").asString()))
                .containsExactly("rbac.authorization.k8s.io", "apiextensions.k8s.io", "a.example.com", "example.com");
    }

    @Test
    void partOfTheApi_isAllThatItsDocumentsShow() {
        ApiScope part = new ApiScope.Versions(Set.of(new GroupVersion("example.com", "v1")));

        assertThat(body(get("/apis", part))
                        .path("groups")
                        .valueStream()
                        .map(group -> group.path("name").asString()))
                .containsExactly("example.com");
        assertThat(body(get("/apis/example.com", part))
                        .path("versions")
                        .valueStream()
                        .map(version -> version.path("version").asString()))
                .containsExactly("v1");
        assertThat(body(get("/apis/example.com/v1", part))).isEqualTo(body(get("/apis/example.com/v1", "")));
        for (String path : List.of("/apis/example.com/v1alpha1", "/api/v1")) {
            assertThatThrownBy(() -> get(path, part)).as(path).isInstanceOf(StatusException.class);
        }
        assertThat(body(get("/apis/example.com", "")).path("versions").size()).isEqualTo(2);
    }

    private ApiResponse.Whole get(String path, ApiScope scope) {
        return (ApiResponse.Whole) Objects.requireNonNull(
                discovery.answer(request(path, "GET", Map.of()).ofOtherCluster(scope, _ -> {})));
    }

    @Test
    void api_namesTheCoreVersions() {
        assertThat(body(get("/api", "")).path("versions")).isEqualTo(Json.read("[\"v1\"]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/apis/nobody.example.com", "/apis/example.com/v2", "/api/v2"})
    void unserved_isNotFound(String path) {
        assertThat(refusal(path, "GET", "").status().code()).isEqualTo(404);
    }

    @Test
    void protobufAlone_isNotAcceptable() {
        assertThat(refusal("/apis", "GET", "application/vnd.kubernetes.protobuf")
                        .status()
                        .code())
                .isEqualTo(406);
    }

    @Test
    void writes_areNotAllowed() {
        assertThat(refusal("/apis", "POST", "").status().code()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/version", "/apis/example.com/v1/widgets", "/apisx", "/openapi/v3"})
    void otherPaths_areNotItsOwn(String path) {
        assertThat(discovery.answer(request(path, "GET", Map.of()))).isNull();
    }

    static ApiRequest request(String path, String method, Map<String, String> headers) {
        return new ApiRequest(
                RequestInfo.nonResource(path, "get"),
                method,
                Map.of(),
                headers,
                UserInfo.of("jane", List.of()),
                new byte[0]);
    }

    private ApiResponse.Whole get(String path, String accept) {
        return get(path, accept, Map.of());
    }

    private ApiResponse.Whole get(String path, String accept, Map<String, String> more) {
        Map<String, String> headers = new HashMap<>(more);
        headers.put("accept", accept);
        return (ApiResponse.Whole) Objects.requireNonNull(discovery.answer(request(path, "GET", headers)));
    }

    private StatusException refusal(String path, String method, String accept) {
        return catchThrowableOfType(
                StatusException.class, () -> discovery.answer(request(path, method, Map.of("accept", accept))));
    }

    private static JsonNode body(ApiResponse.Whole response) {
        return Json.read(response.body());
    }

    private static String etag(ApiResponse.Whole response) {
        return Objects.requireNonNull(response.headers().get("ETag")).getFirst();
    }

    private static JsonNode expected(String key) throws IOException {
        try (InputStream in = DiscoveryTest.class.getResourceAsStream("kube-apiserver.json")) {
            return Json.read(Objects.requireNonNull(in).readAllBytes()).path(key);
        }
    }

    private static ResourceType builtIn(
            String plural, String kind, boolean namespaced, String shortName, List<String> verbs, Set<String> subs) {
        return new ResourceType(
                "",
                "v1",
                plural,
                kind.toLowerCase(Locale.ROOT),
                kind,
                kind + "List",
                List.of(shortName),
                List.of(),
                namespaced,
                verbs,
                subs,
                "v1",
                false,
                null,
                null);
    }

    private static ResourceType widgets(String version, Set<String> subresources) {
        return custom(version, "widgets", "widget", "Widget", true, List.of("wd"), List.of("all"), subresources, "v1");
    }

    private static ResourceType custom(
            String version,
            String plural,
            String singular,
            String kind,
            boolean namespaced,
            List<String> shortNames,
            List<String> categories,
            Set<String> subresources,
            String storageVersion) {
        return custom(
                version,
                plural,
                singular,
                kind,
                namespaced,
                shortNames,
                categories,
                subresources,
                storageVersion,
                "example.com");
    }

    private static ResourceType custom(
            String version,
            String plural,
            String singular,
            String kind,
            boolean namespaced,
            List<String> shortNames,
            List<String> categories,
            Set<String> subresources,
            String storageVersion,
            String group) {
        return new ResourceType(
                group,
                version,
                plural,
                singular,
                kind,
                kind + "List",
                shortNames,
                categories,
                namespaced,
                CUSTOM_VERBS,
                subresources,
                storageVersion,
                true,
                null,
                null);
    }
}
