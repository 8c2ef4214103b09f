package io.fairlead.hosted.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.hosted.Vitals;
import io.fairlead.hosted.identity.TestTokens;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class HostedViewsTest {
    private static final UserInfo JANE = UserInfo.of("jane", List.of(UserInfo.AUTHENTICATED));

    private final Bootstrapped objects = new Bootstrapped();
    private final ClusterViews views = HostedViews.factory(InstantSource.system())
            .create(
                    new ClusterName("dev"),
                    () -> new TypeCatalog.Snapshot(1, List.of()),
                    objects,
                    TestTokens.issuer(InstantSource.system()),
                    new Vitals(() -> true, () -> false));

    HostedViewsTest() {
        objects.all = views.bootstrapObjects();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /version, true",
        "GET, /apis, true",
        "POST, /apis/authorization.k8s.io/v1/selfsubjectaccessreviews, true",
        "POST, /apis/authorization.k8s.io/v1/subjectaccessreviews, false",
        "GET, /api/v1/namespaces, false",
        "GET, /metrics, false",
    })
    void everybody_mayDoWhatTheBootstrapPolicySays(String method, String path, boolean allowed) {
        assertThat(views.authorize(JANE, RequestInfoParser.parse(method, path, "")) instanceof Decision.Allowed)
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/api",
                "/apis",
                "/version",
                "/readyz",
                "/openapi/v2",
                "/openapi/v3",
                "/openapi/v3/apis/authorization.k8s.io/v1",
                "/.well-known/openid-configuration",
                "/openid/v1/jwks",
                "/apis/authorization.k8s.io/v1"
            })
    void ownPaths_areAnswered(String path) {
        assertThat(Objects.requireNonNull(views.answer(get(path))).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/namespaces", "/api/v1/events", "/apis/example.com/v1/widgets/w", "/unknown"})
    void otherPaths_areLeft(String path) {
        assertThat(views.answer(get(path))).isNull();
    }

    @Test
    void virtualTypes_areInDiscovery() {
        assertThat(body(views.answer(get("/apis")))
                        .path("groups")
                        .valueStream()
                        .map(g -> g.path("name").asString()))
                .containsExactly("authentication.k8s.io", "authorization.k8s.io");
    }

    private static ApiRequest get(String path) {
        return request("GET", path);
    }

    private static ApiRequest request(String method, String path) {
        RequestInfo info = RequestInfoParser.parse(method, path, "");
        return new ApiRequest(info, method, Map.of(), Map.of(), JANE, new byte[0]);
    }

    private static JsonNode body(@Nullable ApiResponse response) {
        return Json.read(((ApiResponse.Whole) Objects.requireNonNull(response)).body());
    }

    /** The bootstrap policy alone, at revision 7. */
    private static final class Bootstrapped implements ObjectReader {
        private List<ObjectNode> all = List.of();

        @Override
        public List<ObjectNode> list(GroupResource resource, String namespace) {
            return all.stream()
                    .filter(object -> (object.path("kind").asString() + "s").equalsIgnoreCase(resource.resource()))
                    .toList();
        }

        @Override
        public @Nullable ObjectNode get(GroupResource resource, String namespace, String name) {
            return null;
        }

        @Override
        public long revision(GroupResource resource) {
            return 7;
        }
    }
}
