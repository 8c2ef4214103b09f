package io.fairlead.fleet.informers;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests of observations, to hosted clusters and to attached ones. */
final class ClusterCallsTest {
    private static final AnswerLimits LIMITS = AnswerLimits.of(1L << 30);

    private static final ClusterName PROD = new ClusterName("prod");

    @Test
    void hosted_servesBuiltInKindsAndCustomResources_andNamesWhatItHasNot() throws Exception {
        try (RootCluster root = new RootCluster(_ -> Optional.empty())) {
            HostedCalls calls = new HostedCalls(root.hosted.open(new ClusterName("dev")), 1024 * 1024);
            calls.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", object("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: boats.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {kind: Boat, plural: boats}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """));

            eventually(
                    "boats are served",
                    () -> kind(calls, "/apis/example.com/v1/boats?limit=1").equals("BoatList"));
            assertThat(kind(calls, "/api/v1/namespaces?limit=1")).isEqualTo("NamespaceList");
            try (ClusterCalls.Lines lines = calls.watch("/apis/example.com/v1/boats?watch=1&sendInitialEvents=true"
                    + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
                assertThat(lines.next()).asString().contains("\"BOOKMARK\"");
            }
            CallFailure none = catchThrowableOfType(CallFailure.class, () -> get(calls, "/api/v1/pods"));
            assertThat(none.code()).isEqualTo(404);
            assertThat(none.reason()).isEqualTo("NotFound");
        }
    }

    @Test
    void attached_list_isAskedOnce() throws Exception {
        FakeServer server = new FakeServer(answer -> answer.of(200, "{\"kind\": ", "\"PodList\"}"));

        assertThat(get(calls(server, null), "/api/v1/pods?limit=1").path("kind").asString(""))
                .isEqualTo("PodList");
        assertThat(server.asked).containsExactly("GET /api/v1/pods?limit=1 LIST");
        assertThat(server.cancelled.get()).as("what is over is let go of").isEqualTo(1);
    }

    @Test
    void attached_watch_isReadLineByLine_howeverItIsCut() throws Exception {
        FakeServer server =
                new FakeServer(answer -> answer.of(200, "{\"a\":1}\n{\"b", "\":2}\n", "{\"c\":", "3}\n{\"half"));

        try (ClusterCalls.Lines lines = calls(server, null).watch("/api/v1/pods?watch=1")) {
            for (String expected : List.of("{\"a\":1}", "{\"b\":2}", "{\"c\":3}")) {
                assertThat(lines.next()).asString().isEqualTo(expected);
            }
            assertThat(lines.next()).isNull();
            assertThat(lines.next()).isNull();
        }
        assertThat(server.asked.getFirst()).contains(" LONG_RUNNING");
    }

    @Test
    void attached_largeWatch_isHeldBackWhileNothingIsRead() throws Exception {
        String line = "\"" + "x".repeat(400_000) + "\"\n";
        FakeServer server = new FakeServer(answer -> answer.of(200, line, line, line));

        try (ClusterCalls.Lines lines = calls(server, null).watch("/api/v1/pods?watch=1")) {
            assertThat(server.reading).contains(false);
            for (int i = 0; i < 3; i++) {
                assertThat(lines.next()).hasSize(400_002);
            }
            assertThat(server.reading.getLast()).isTrue();
        }
    }

    @Test
    void attached_whatTheBaseHasNot_isAskedOfTheCrdRuntime() throws Exception {
        FakeServer base = new FakeServer(answer -> answer.of(404, "404 page not found"));
        FakeServer runtime = new FakeServer(answer -> answer.of(200, "{\"kind\": \"BoatList\"}"));

        assertThat(get(calls(base, runtime), "/apis/example.com/v1/boats")
                        .path("kind")
                        .asString(""))
                .isEqualTo("BoatList");
        assertThat(catchThrowableOfType(CallFailure.class, () -> get(calls(base, null), "/x"))
                        .code())
                .isEqualTo(404);
    }

    @Test
    void attached_refusalsAndFailures_areNamed() {
        FakeServer forbids =
                new FakeServer(answer -> answer.of(403, "{\"reason\": \"Forbidden\", \"message\": \"no list\"}"));
        FakeServer silent = new FakeServer(answer ->
                answer.failed(new UpstreamFailure(UpstreamFailure.Kind.CONNECT, "https://10.0.0.1: refused", false)));
        FakeServer tooMuch = new FakeServer(answer -> answer.of(200, "x".repeat(9_000_000)));

        CallFailure forbidden = catchThrowableOfType(CallFailure.class, () -> get(calls(forbids, null), "/x"));
        assertThat(forbidden.reason() + ": " + forbidden.message()).isEqualTo("Forbidden: no list");
        CallFailure failed = catchThrowableOfType(CallFailure.class, () -> get(calls(silent, null), "/x"));
        assertThat(failed.reason() + ": " + failed.message()).isEqualTo("ConnectionFailed: its API server: refused");
        assertThat(catchThrowableOfType(
                                CallFailure.class,
                                () -> calls(tooMuch, null).watch("/x").next())
                        .reason())
                .isEqualTo("AnswerTooLarge");
    }

    @Test
    void attached_listThatComesByteByByte_isGivenUp() {
        FakeServer server = new FakeServer(answer -> {
            answer.receiver().onHead(200, new MutableFields());
            answer.data("{", "\"");
        });
        AttachedCalls calls = new AttachedCalls(attached(server, null), LIMITS, Duration.ZERO, () -> false);

        CallFailure slow = catchThrowableOfType(CallFailure.class, () -> get(calls, "/x"));
        assertThat(slow.message()).isEqualTo("an answer is not complete after 0 s");
        assertThat(server.cancelled.get()).isEqualTo(1);
    }

    /** It holds the memory of large events, of which all clusters have a share. */
    @Test
    void attached_largeEventWithoutAnEnd_isGivenUp_andGivesItsMemoryBack() throws Exception {
        FakeServer server = new FakeServer(answer -> {
            answer.receiver().onHead(200, new MutableFields());
            answer.data("x".repeat(70_000), "x");
        });
        AttachedCalls calls = new AttachedCalls(attached(server, null), LIMITS, Duration.ZERO, () -> false);
        int permits = LIMITS.lines().availablePermits();

        try (ClusterCalls.Lines lines = calls.watch("/x")) {
            CallFailure slow = catchThrowableOfType(CallFailure.class, lines::next);
            assertThat(slow.message()).isEqualTo("an event is not complete after 0 s");
            assertThat(LIMITS.lines().availablePermits()).isEqualTo(permits - 1);
        }

        assertThat(LIMITS.lines().availablePermits()).isEqualTo(permits);
    }

    @Test
    void smallHeap_hasSmallLimits() {
        AnswerLimits small = AnswerLimits.of(256L << 20);

        assertThat(small.documentBytesMax()).isBetween(4 << 20, 5 << 20);
        assertThat(small.lineBytesMax()).isEqualTo(small.documentBytesMax());
        assertThat(small.pages().availablePermits()).isEqualTo(1);
        assertThat(small.lines().availablePermits()).isBetween(1, 2);
        assertThat(AnswerLimits.of(64L << 30).lines().availablePermits()).isEqualTo(16);
    }

    @Test
    void attached_creation_sendsTheObject() throws Exception {
        FakeServer server = new FakeServer(answer -> answer.of(201, "{}"));

        calls(server, null).post("/api/v1/namespaces/shop/events", Json.object().put("kind", "Event"));

        assertThat(server.sent).containsExactly("{\"kind\":\"Event\"}");
    }

    private static String kind(ClusterCalls calls, String target) {
        try {
            return get(calls, target).path("kind").asString("");
        } catch (CallFailure | InterruptedException notYet) {
            return "";
        }
    }

    private static JsonNode get(ClusterCalls calls, String target) throws CallFailure, InterruptedException {
        try (ClusterCalls.Document document = calls.ask(target)) {
            return Json.read(document.read());
        }
    }

    private static ObjectNode object(String yaml) {
        return (ObjectNode) Yaml.read(yaml.getBytes(UTF_8));
    }

    private static AttachedCalls calls(Upstream base, @Nullable Upstream runtime) {
        return new AttachedCalls(attached(base, runtime), LIMITS, () -> false);
    }

    private static ClusterEntry.Attached attached(Upstream base, @Nullable Upstream runtime) {
        return new ClusterEntry.Attached(
                PROD, backend(base), runtime == null ? null : backend(runtime), _ -> {}, HistoryModes.UNSET);
    }

    private static ClusterEntry.Backend backend(Upstream upstream) {
        return new ClusterEntry.Backend(upstream, List.of(), new UpstreamIdentity.Impersonate(false, Set.of()));
    }
}
