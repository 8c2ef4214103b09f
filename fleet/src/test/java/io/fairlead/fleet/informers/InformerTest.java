package io.fairlead.fleet.informers;

import static io.fairlead.fleet.informers.Pods.event;
import static io.fairlead.fleet.informers.Pods.list;
import static io.fairlead.fleet.informers.Pods.pod;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.net.UpstreamFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a listener is told of an attached cluster, whatever its watches do. */
final class InformerTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final WatchedObjects PODS =
            new WatchedObjects(PROD, new GroupVersionResource("", "v1", "pods"), Map.of("app", "web"));

    /** What the server answers to the requests, one after another; to none after them. */
    private final BlockingQueue<Consumer<FakeServer.Answer>> answers = new LinkedBlockingQueue<>();

    private final FakeServer server = FakeServer.inTurn(answers);
    private final AtomicReference<Object> history = new AtomicReference<>("a cluster");
    private final Semaphore lists = new Semaphore(1);
    private final Semaphore trees = new Semaphore(1);
    private final List<Integer> permits = new CopyOnWriteArrayList<>();
    private final Told told = new Told() {
        @Override
        public void flush(String kind, ClusterCalls calls) {
            permits.add(lists.availablePermits() + trees.availablePermits());
        }
    };
    private final Informers informers = new Informers(
            _ -> server.entry(PROD, false),
            _ -> history.get(),
            Instant::now,
            new AnswerLimits(new ConcurrentHashMap<>(), lists, trees, new Semaphore(1), 4_000_000, 4_000_000));
    private @Nullable Subscription subscription;

    @AfterEach
    void close() {
        informers.close();
    }

    /** Its watch would go on from a version of the one before, and its epoch is often the same. */
    @Test
    void anotherClusterOfTheName_isListed_andWhatTheOneBeforeHadIsGone() {
        answers.add(list("5", pod("5")));
        answers.add(answer -> {
            history.set("another cluster");
            answer.of(200, event("MODIFIED", pod("6")));
        });
        answers.add(list("3"));
        start();

        eventually("the new one is listed", () -> server.asked.size() > 2);

        assertThat(server.asked.get(2)).startsWith("GET /api/v1/pods?limit=100&labelSelector=app%3Dweb LIST");
    }

    @Test
    void brokenWatch_goesOnAfterTheLastEvent_soThatNothingIsToldTwice() {
        answers.add(list("5", pod("5")));
        answers.add(answer -> {
            answer.receiver().onHead(200, new MutableFields());
            answer.data(event("MODIFIED", pod("6")), event("MODIFIED", pod("7")));
            answer.failed(new UpstreamFailure(UpstreamFailure.Kind.RESET, "reset", true));
        });
        answers.add(answer -> answer.of(200, event("MODIFIED", pod("8"))));
        start();

        eventually("the fourth state is observed", () -> told.seen().size() == 4);

        assertThat(server.asked.get(0)).startsWith("GET /api/v1/pods?limit=100&labelSelector=app%3Dweb LIST");
        assertThat(server.asked.get(1)).contains("&resourceVersion=5&labelSelector=app%3Dweb ");
        assertThat(server.asked.get(2)).contains("watch=1").contains("&resourceVersion=7&");
        assertThat(told.seen()).containsExactly("5", "6", "7", "8");
    }

    @Test
    void watchThatGoesBack_isNotTold_andAllIsListedAgain() {
        answers.add(list("5", pod("5")));
        answers.add(answer -> answer.of(
                200,
                event("MODIFIED", pod("9")),
                event("BOOKMARK", "{\"metadata\": {\"resourceVersion\": \"7\"}}"),
                event("MODIFIED", pod("8"))));
        answers.add(list("12", pod("12")));
        start();

        eventually("the list is observed", () -> told.seen().size() == 3);

        assertThat(server.asked.get(2)).contains("limit=100");
        assertThat(told.seen()).containsExactly("5", "9", "12");
    }

    @Test
    void deletionWithAnOldVersion_isTaken_andMovesTheCursorNotBack() {
        answers.add(list("5", pod("5")));
        answers.add(answer -> answer.of(200, event("MODIFIED", pod("9")), event("DELETED", pod("5"))));
        start();

        eventually("it is watched again", () -> server.asked.size() == 3);

        assertThat(told.lines)
                .containsExactly("listing", "seen web-0 5", "listed 5", "seen web-0 9", "removed web-0 5");
        assertThat(server.asked.get(2)).contains("&resourceVersion=9&");
    }

    @Test
    void expiredVersion_listsAgain_overAllPages() {
        answers.add(list("5", pod("5")));
        answers.add(answer -> answer.of(200, event("ERROR", "{\"code\": 410, \"reason\": \"Expired\"}")));
        answers.add(answer -> answer.of(
                200,
                "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"20\", \"continue\": \"a b\"},"
                        + " \"items\": []}"));
        answers.add(list("20", pod("19")));
        start();

        eventually("the second page is observed", () -> told.seen().size() == 2);

        assertThat(server.asked.get(3)).contains("&continue=a+b ");
    }

    @Test
    void refusal_isTheState_untilItIsNone() {
        answers.add(answer -> answer.of(403, "{\"reason\": \"Forbidden\", \"message\": \"no list\"}"));
        start();
        eventually("it is refused", () -> state().reason().equals("Forbidden"));
        answers.add(list("5", pod("5")));
        answers.add(answer -> answer.receiver().onHead(200, new MutableFields()));

        eventually("it is observed", () -> state().reason().equals("Observing"));
    }

    @Test
    void clusterThatDoesNotAnswer_holdsUpNoListOfAnother() {
        start();
        eventually("it is asked", () -> !server.asked.isEmpty());

        assertThat(lists.availablePermits()).isEqualTo(1);
    }

    @Test
    void page_isReadOnlyWithAPermit() {
        lists.acquireUninterruptibly();
        answers.add(list("5", pod("5")));
        start();
        eventually("it waits", lists::hasQueuedThreads);
        assertThat(told.seen()).isEmpty();

        lists.release();
        eventually("it is read", () -> told.seen().size() == 1);
    }

    @Test
    void largeEvent_isReadOnlyWithAPermit() {
        answers.add(list("5", pod("5")));
        answers.add(answer -> {
            lists.acquireUninterruptibly();
            answer.of(
                    200,
                    event("MODIFIED", pod("6")),
                    event("MODIFIED", pod("7").replace("\"uid\"", " ".repeat(200_000) + "\"uid\"")));
        });
        start();
        eventually("it waits", lists::hasQueuedThreads);
        assertThat(told.seen()).containsExactly("5", "6");

        lists.release();
        eventually("it is read", () -> told.seen().size() == 3);
    }

    @Test
    void treesOfLargePages_areInMemoryOneAtATime() {
        trees.acquireUninterruptibly();
        answers.add(list("5", pod("5").replace("\"uid\"", " ".repeat(1_100_000) + "\"uid\"")));
        start();
        eventually("it waits", trees::hasQueuedThreads);
        assertThat(told.seen()).isEmpty();

        trees.release();
        eventually("it is read", () -> told.seen().size() == 1);
        eventually("others may read", () -> trees.availablePermits() == 1 && lists.availablePermits() == 1);
    }

    /** It may call the cluster, which may not answer. */
    @Test
    void flush_holdsNoPermit() {
        String large = " ".repeat(1_100_000) + "\"uid\"";
        answers.add(list("5", pod("5").replace("\"uid\"", large)));
        answers.add(answer -> answer.of(200, event("MODIFIED", pod("6").replace("\"uid\"", large))));
        start();

        eventually("both are told", () -> permits.size() >= 3);

        assertThat(permits).containsOnly(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"resourceVersion", "continue"})
    void tokensOfAnyLength_areNotKept(String token) {
        answers.add(answer ->
                answer.of(200, "{\"metadata\": {\"" + token + "\": \"" + "1".repeat(20_000) + "\"}, \"items\": []}"));
        start();

        eventually("it is named", () -> state().reason().equals("UnexpectedAnswer"));
        assertThat(state().message()).contains("has more than");
    }

    /** Listeners keep it: a row of a record has it, of which there are up to 32 for an object. */
    @Test
    void objectWithAnIdentityThatIsTooLong_isNotKept() {
        answers.add(list("5", pod("3").replace("\"uid\": \"a\"", "\"uid\": \"" + "a".repeat(254) + "\"")));
        answers.add(answer -> answer.of(200, event("MODIFIED", pod("6"))));
        start();

        eventually("the object is observed", () -> !told.seen().isEmpty());

        assertThat(told.seen()).containsExactly("6");
    }

    @Test
    void whatAClusterSaysOfAFailure_isShortenedAndWithoutAReasonThatIsNone() {
        answers.add(answer -> answer.of(403, "{\"reason\": \"a b\", \"message\": \"" + "m".repeat(100_000) + "\"}"));
        start();

        eventually("it is refused", () -> state().reason().equals("UnexpectedAnswer"));
        assertThat(state().message()).hasSize(1024);
    }

    @Test
    void answerThatIsNoJson_isTheState() {
        answers.add(answer -> answer.of(200, "<html>"));
        start();

        eventually("it is named", () -> state().reason().equals("UnexpectedAnswer"));
    }

    private void start() {
        subscription = informers.follow(PODS, told);
    }

    private Finding state() {
        return Objects.requireNonNull(subscription).state();
    }
}
