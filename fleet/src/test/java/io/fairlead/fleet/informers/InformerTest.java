package io.fairlead.fleet.informers;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.http.MutableFields;
import io.fairlead.index.conditions.ConditionRow;
import io.fairlead.index.conditions.ConditionStore;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conditions.TimeLine;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.net.UpstreamFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is observed of an attached cluster, whatever its watches do. */
final class ObservationTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final ObjectKey WEB = new ObjectKey(PROD, "shop", "web-0");

    /** What the server answers to the requests, one after another; to none after them. */
    private final BlockingQueue<Consumer<FakeServer.Answer>> answers = new LinkedBlockingQueue<>();

    private final FakeServer server = new FakeServer(answer -> {
        Consumer<FakeServer.Answer> next = answers.poll();
        if (next != null) {
            next.accept(answer);
        }
    });
    private final Semaphore lists = new Semaphore(1);
    private final Semaphore trees = new Semaphore(1);
    private final List<Integer> permits = new CopyOnWriteArrayList<>();
    private final ConditionStore store = new ConditionStore(List.of("Ready"), 1_000_000);
    private final Observation observation = new Observation(
            PROD,
            new RecordSpec(
                    "r",
                    "u",
                    1,
                    new ClusterSet.Named(Set.of(PROD)),
                    new GroupVersionResource("", "v1", "pods"),
                    List.of("Ready"),
                    Map.of("app", "web"),
                    1_000_000),
            store,
            new Observation.Surroundings(
                    _ -> new ClusterEntry.Attached(
                            PROD,
                            new ClusterEntry.Backend(
                                    server, List.of(), new UpstreamIdentity.Impersonate(false, Set.of())),
                            null,
                            _ -> {},
                            HistoryModes.UNSET),
                    _ -> 1,
                    new AnswerLimits(new ConcurrentHashMap<>(), lists, trees, new Semaphore(1), 4_000_000, 4_000_000),
                    Instant::now),
            (rows, _, _) ->
                    permits.add(rows.isEmpty() ? 2 : this.lists.availablePermits() + this.trees.availablePermits()));

    @AfterEach
    void close() {
        observation.close();
    }

    @Test
    void brokenWatch_goesOnAfterTheLastEvent_soThatNothingIsObservedTwice() {
        answers.add(list("5", pod("5", "True", 1)));
        answers.add(answer -> {
            answer.receiver().onHead(200, new MutableFields());
            answer.data(event("MODIFIED", pod("6", "False", 2)), event("MODIFIED", pod("7", "True", 3)));
            answer.failed(new UpstreamFailure(UpstreamFailure.Kind.RESET, "reset", true));
        });
        answers.add(answer -> answer.of(200, event("MODIFIED", pod("8", "False", 4))));
        observation.start();

        eventually("the fourth state is observed", () -> rows().size() == 4);

        assertThat(server.asked.get(0)).startsWith("GET /api/v1/pods?limit=100&labelSelector=app%3Dweb LIST");
        assertThat(server.asked.get(1)).contains("&resourceVersion=5&labelSelector=app%3Dweb ");
        assertThat(server.asked.get(2)).contains("watch=1").contains("&resourceVersion=7&");
        assertThat(statuses()).containsExactly("True", "False", "True", "False");
    }

    @Test
    void watchThatGoesBack_isNotObserved_andAllIsListedAgain() {
        answers.add(list("5", pod("5", "True", 1)));
        answers.add(answer -> answer.of(
                200,
                event("MODIFIED", pod("9", "False", 2)),
                event("BOOKMARK", "{\"metadata\": {\"resourceVersion\": \"7\"}}"),
                event("MODIFIED", pod("8", "True", 1))));
        answers.add(list("12", pod("12", "Unknown", 3)));
        observation.start();

        eventually("the list is observed", () -> rows().size() == 3);

        assertThat(server.asked.get(2)).contains("limit=100");
        assertThat(statuses()).containsExactly("True", "False", "Unknown");
    }

    @Test
    void deletionWithAnOldVersion_isTaken_andMovesTheCursorNotBack() {
        answers.add(list("5", pod("5", "True", 1)));
        answers.add(answer ->
                answer.of(200, event("MODIFIED", pod("9", "False", 2)), event("DELETED", pod("5", "True", 1))));
        observation.start();

        eventually("it is watched again", () -> server.asked.size() == 3);

        assertThat(statuses()).containsExactly("True", "False", "");
        assertThat(server.asked.get(2)).contains("&resourceVersion=9&");
    }

    @Test
    void expiredVersion_listsAgain_overAllPages() {
        answers.add(list("5", pod("5", "True", 1)));
        answers.add(answer -> answer.of(200, event("ERROR", "{\"code\": 410, \"reason\": \"Expired\"}")));
        answers.add(answer -> answer.of(
                200,
                "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"20\", \"continue\": \"a b\"},"
                        + " \"items\": []}"));
        answers.add(list("20", pod("19", "False", 2)));
        observation.start();

        eventually("the second page is observed", () -> rows().size() == 2);

        assertThat(server.asked.get(3)).contains("&continue=a+b ");
    }

    @Test
    void refusal_isTheState_untilItIsNone() {
        answers.add(answer -> answer.of(403, "{\"reason\": \"Forbidden\", \"message\": \"no list\"}"));
        observation.start();
        eventually("it is refused", () -> observation.state().reason().equals("Forbidden"));
        answers.add(list("5", pod("5", "True", 1)));
        answers.add(answer -> answer.receiver().onHead(200, new MutableFields()));

        eventually("it is observed", () -> observation.state().reason().equals("Observing"));
    }

    @Test
    void clusterThatDoesNotAnswer_holdsUpNoListOfAnother() {
        observation.start();
        eventually("it is asked", () -> !server.asked.isEmpty());

        assertThat(lists.availablePermits()).isEqualTo(1);
    }

    @Test
    void page_isReadOnlyWithAPermit() {
        lists.acquireUninterruptibly();
        answers.add(list("5", pod("5", "True", 1)));
        observation.start();
        eventually("it waits", lists::hasQueuedThreads);
        assertThat(rows()).isEmpty();

        lists.release();
        eventually("it is read", () -> rows().size() == 1);
    }

    @Test
    void largeEvent_isReadOnlyWithAPermit() {
        answers.add(list("5", pod("5", "True", 1)));
        answers.add(answer -> {
            lists.acquireUninterruptibly();
            answer.of(
                    200,
                    event("MODIFIED", pod("6", "False", 2)),
                    event("MODIFIED", pod("7", "True", 3).replace("\"uid\"", " ".repeat(200_000) + "\"uid\"")));
        });
        observation.start();
        eventually("it waits", lists::hasQueuedThreads);
        assertThat(statuses()).containsExactly("True", "False");

        lists.release();
        eventually("it is read", () -> rows().size() == 3);
    }

    @Test
    void treesOfLargePages_areInMemoryOneAtATime() {
        trees.acquireUninterruptibly();
        answers.add(list("5", pod("5", "True", 1).replace("\"uid\"", " ".repeat(1_100_000) + "\"uid\"")));
        observation.start();
        eventually("it waits", trees::hasQueuedThreads);
        assertThat(rows()).isEmpty();

        trees.release();
        eventually("it is read", () -> rows().size() == 1);
        eventually("others may read", () -> trees.availablePermits() == 1 && lists.availablePermits() == 1);
    }

    /** What is done with rows may call the cluster, which may not answer. */
    @Test
    void rows_areHandedOverWithoutAPermit() {
        String large = " ".repeat(1_100_000) + "\"uid\"";
        answers.add(list("5", pod("5", "True", 1).replace("\"uid\"", large)));
        answers.add(answer ->
                answer.of(200, event("MODIFIED", pod("6", "False", 2).replace("\"uid\"", large))));
        observation.start();

        eventually("both are handed over", () -> permits.size() >= 3);

        assertThat(permits).containsOnly(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"resourceVersion", "continue"})
    void tokensOfAnyLength_areNotKept(String token) {
        answers.add(answer ->
                answer.of(200, "{\"metadata\": {\"" + token + "\": \"" + "1".repeat(20_000) + "\"}, \"items\": []}"));
        observation.start();

        eventually("it is named", () -> observation.state().reason().equals("UnexpectedAnswer"));
        assertThat(observation.state().message()).contains("has more than");
    }

    /** It would be written to the disk with each of up to 32 rows. */
    @Test
    void objectWithAnIdentityThatIsTooLong_isNotKept() {
        answers.add(list("5", pod("3", "True", 1).replace("\"uid\": \"a\"", "\"uid\": \"" + "a".repeat(254) + "\"")));
        answers.add(answer -> answer.of(200, event("MODIFIED", pod("6", "False", 2))));
        observation.start();

        eventually("the object is observed", () -> !rows().isEmpty());

        assertThat(statuses()).containsExactly("False");
    }

    @Test
    void whatAClusterSaysOfAFailure_isShortenedAndWithoutAReasonThatIsNone() {
        answers.add(answer -> answer.of(403, "{\"reason\": \"a b\", \"message\": \"" + "m".repeat(100_000) + "\"}"));
        observation.start();

        eventually("it is refused", () -> observation.state().reason().equals("UnexpectedAnswer"));
        assertThat(observation.state().message()).hasSize(1024);
    }

    @Test
    void answerThatIsNoJson_isTheState() {
        answers.add(answer -> answer.of(200, "<html>"));
        observation.start();

        eventually("it is named", () -> observation.state().reason().equals("UnexpectedAnswer"));
    }

    private static Consumer<FakeServer.Answer> list(String version, String... pods) {
        return answer -> answer.of(
                200,
                "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"" + version + "\"}, \"items\": ["
                        + String.join(",", pods) + "]}");
    }

    private static String event(String type, String object) {
        return "{\"type\": \"" + type + "\", \"object\": " + object + "}\n";
    }

    private static String pod(String version, String status, int minute) {
        return """
            {"metadata": {"namespace": "shop", "name": "web-0", "uid": "a", "resourceVersion": "%s"}, "status": {"conditions": [\
            {"type": "Ready", "status": "%s", "lastTransitionTime": "2026-01-02T12:0%d:00Z"}]}}\
            """.formatted(version, status, minute);
    }

    private List<ConditionRow> rows() {
        TimeLine line = store.of(WEB).get("Ready");
        return line == null ? List.of() : line.rows();
    }

    private List<String> statuses() {
        return rows().stream().map(row -> row.claim().status()).toList();
    }
}
