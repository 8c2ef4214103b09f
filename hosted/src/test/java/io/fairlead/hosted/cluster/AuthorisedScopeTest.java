package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.RequestInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore.Write;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a hosted cluster does is what the caller's rights were asked for: the resource, the namespace and the name of the one
 * request info, whatever path it was read from.
 */
final class AuthorisedScopeTest {
    private static final int REQUESTS = 20_000;
    private static final List<String> NAMESPACES = List.of("team", "other");
    private static final List<String> NAMES = List.of("team", "other", "one", "two");
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");
    private static final List<Kind> KINDS = List.of(
            new Kind("/api/v1", "namespaces", "v1", "Namespace"),
            new Kind("/api/v1", "configmaps", "v1", "ConfigMap"),
            new Kind("/apis/coordination.k8s.io/v1", "leases", "coordination.k8s.io/v1", "Lease"),
            new Kind(
                    "/apis/rbac.authorization.k8s.io/v1",
                    "clusterroles",
                    "rbac.authorization.k8s.io/v1",
                    "ClusterRole"),
            new Kind("/apis/example.com/v1", "boats", "example.com/v1", "Boat"),
            new Kind("/apis/example.com/v1", "docks", "example.com/v1", "Dock"));

    private final List<String> written = new ArrayList<>();
    private final Thread caller = Thread.currentThread();
    private final Fixture fixture =
            new Fixture(InterceptedStore.of(new MemoryStore(), this::beforeCall), Fixture.settings(64, 64), List.of());
    private final HostedCluster dev = fixture.clusters.open(Fixture.DEV);
    private final Api api = new Api(dev);

    /** A kind whose paths are asked for. */
    private record Kind(String group, String plural, String apiVersion, String kind) {}

    /** How often a kind of answer came, so that a test of refusals alone is noticed. */
    private enum Seen {
        READ,
        WRITTEN,
        NO_SUCH_PATH,
        OTHER
    }

    @BeforeEach
    void define() {
        for (String scope : List.of("Namespaced boats Boat", "Cluster docks Dock")) {
            String[] words = scope.split(" ", -1);
            api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                metadata: {name: PLURAL.example.com}
                spec:
                  group: example.com
                  scope: SCOPE
                  names: {plural: PLURAL, kind: KIND}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.replace("SCOPE", words[0])
                            .replace("PLURAL", words[1])
                            .replace("KIND", words[2]))
                    .expect(201);
            Fixture.eventually(
                    words[1], () -> api.get("/apis/example.com/v1/" + words[1]).code() == 200);
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20261122})
    void whatIsExecuted_isWhatWasAuthorised(long seed) {
        Random random = new Random(seed);
        Map<Seen, Integer> seen = new EnumMap<>(Seen.class);
        for (int i = 0; i < REQUESTS; i++) {
            Kind kind = pick(random, KINDS);
            String method = pick(random, METHODS);
            String target = target(random, kind);
            String text = "seed " + seed + ", request " + i + ": " + method + " " + target;
            ApiRequest request = request(random, kind, method, target);
            written.clear();
            switch (Routing.serve(dev, request)) {
                case ApiResponse.Whole whole -> {
                    seen.merge(seenIn(whole), 1, Integer::sum);
                    assertOnlyAuthorised(text, request.info(), kind, whole);
                }
                case ApiResponse.Pieces pieces -> throw new AssertionError(text + ": a long list " + pieces);
                case ApiResponse.Stream stream -> {
                    assertThat(request.info().verb()).as(text).isEqualTo("watch");
                    stream.frames().close();
                }
            }
        }
        assertThat(seen).as("seed " + seed).hasSize(Seen.values().length);
        assertThat(seen.values()).as("seed " + seed + ": " + seen).allMatch(count -> count > REQUESTS / 100);
    }

    @Test
    void namespacesBelowANamespace_areNoPath() {
        api.create("/api/v1/namespaces", "metadata: {name: other}").expect(201);
        for (String below : List.of("", "/other", "/other/status", "/other/finalize", "/team")) {
            for (String method : METHODS) {
                String path = "/api/v1/namespaces/team/namespaces" + below;
                assertThat(api.send(method, path, "application/json", new byte[0])
                                .code())
                        .as(method + " " + path)
                        .isEqualTo(404);
            }
        }
        assertThat(api.get("/api/v1/watch/namespaces/team/namespaces").code()).isEqualTo(404);
        assertThat(api.get("/api/v1/namespaces/other").code()).isEqualTo(200);
    }

    @Test
    void createWithANameInThePath_createsThatNameAlone() {
        String path = "/apis/example.com/v1/docks/one";

        assertThat(api.create(path, "{apiVersion: example.com/v1, kind: Dock, metadata: {name: two}}")
                        .code())
                .isEqualTo(400);
        assertThat(api.create(path, "{apiVersion: example.com/v1, kind: Dock, metadata: {generateName: o}}")
                        .code())
                .isEqualTo(400);
        api.create(path, "{apiVersion: example.com/v1, kind: Dock, metadata: {name: one}}")
                .expect(201);
    }

    private void assertOnlyAuthorised(String text, RequestInfo info, Kind kind, ApiResponse.Whole answer) {
        for (String key : written) {
            // /c/UID/GROUP/RESOURCE/[NAMESPACE/]NAME
            String[] parts = key.split("/", -1);
            assertThat(parts[3]).as(text).isEqualTo(info.group().isEmpty() ? "core" : info.group());
            assertThat(parts[4]).as(text).isEqualTo(info.resource());
            assertPlace(text, info, parts.length == 7 ? parts[5] : "", parts[parts.length - 1]);
        }
        if (answer.status() < 300) {
            JsonNode body = Json.read(answer.body());
            if (body.path("kind").stringValue().equals(kind.kind() + "List")) {
                body.path("items").forEach(item -> assertPlace(text, info, item));
            } else if (body.path("kind").stringValue().equals(kind.kind())) {
                assertPlace(text, info, body);
            }
        }
    }

    private static void assertPlace(String text, RequestInfo info, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        assertPlace(
                text,
                info,
                metadata.path("namespace").asString(""),
                metadata.path("name").asString(""));
    }

    /** A right without a namespace holds in all, one without a name for all names. */
    private static void assertPlace(String text, RequestInfo info, String namespace, String name) {
        boolean aNamespaceItself = info.group().isEmpty() && info.resource().equals("namespaces");
        String inWhich = aNamespaceItself ? name : namespace;
        if (!info.namespace().isEmpty()) {
            assertThat(inWhich).as(text + ": namespace").isEqualTo(info.namespace());
        }
        if (!info.name().isEmpty()) {
            assertThat(name).as(text + ": name").isEqualTo(info.name());
        }
    }

    private Seen seenIn(ApiResponse.Whole answer) {
        if (answer.status() == 404) {
            return Seen.NO_SUCH_PATH;
        }
        if (answer.status() >= 300) {
            return Seen.OTHER;
        }
        return written.isEmpty() ? Seen.READ : Seen.WRITTEN;
    }

    private static String target(Random random, Kind kind) {
        StringBuilder path = new StringBuilder(kind.group());
        path.append(pick(random, List.of("", "", "", "", "/watch", "/proxy")));
        if (random.nextBoolean()) {
            path.append("/namespaces/").append(pick(random, NAMESPACES));
        }
        path.append('/').append(kind.plural());
        if (random.nextInt(4) > 0) {
            path.append('/').append(pick(random, NAMES));
            if (random.nextInt(4) == 0) {
                path.append('/')
                        .append(pick(random, List.of("status", "finalize", "scale", "namespaces", "status/one")));
            }
        }
        return switch (random.nextInt(6)) {
            case 0 -> path + "?fieldSelector=metadata.name%3D" + pick(random, NAMES);
            case 1 -> path + "?fieldSelector=metadata.name!%3D" + pick(random, NAMES);
            case 2 -> path + "?watch=1";
            default -> path.toString();
        };
    }

    private ApiRequest request(Random random, Kind kind, String method, String target) {
        ObjectNode metadata = Json.object().put("name", pick(random, NAMES));
        if (random.nextInt(4) == 0) {
            metadata.put("namespace", pick(random, NAMESPACES));
        }
        var body = Json.object().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        body.set("metadata", metadata);
        body.set("spec", Json.object());
        byte[] bytes = method.equals("POST") || method.equals("PUT")
                ? Json.write(body)
                : method.equals("PATCH") ? Json.write(Json.object()) : new byte[0];
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return Api.request(method, target, type, "", bytes);
    }

    private void beforeCall(String method, Object[] arguments) {
        if (Thread.currentThread().equals(caller) && method.equals("commit")) {
            written.add(((Write) arguments[0]).key());
        }
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
