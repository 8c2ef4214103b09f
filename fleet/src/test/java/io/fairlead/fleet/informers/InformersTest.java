package io.fairlead.fleet.informers;

import static io.fairlead.fleet.informers.Pods.event;
import static io.fairlead.fleet.informers.Pods.list;
import static io.fairlead.fleet.informers.Pods.pod;
import static io.fairlead.fleet.informers.Pods.watch;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Who shares a list and a watch, what an end ends, and what a listener does to the others. */
final class InformersTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final GroupVersionResource RESOURCE = new GroupVersionResource("", "v1", "pods");
    private static final WatchedObjects PODS = new WatchedObjects(PROD, RESOURCE);

    private final BlockingQueue<Consumer<FakeServer.Answer>> answers = new LinkedBlockingQueue<>();
    private final FakeServer server = FakeServer.inTurn(answers);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final Informers informers = new Informers(_ -> server.entry(PROD, false), _ -> 1, now::get);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        informers.close();
    }

    @Test
    void thoseWhoFollowTheSameObjects_shareAWatch_whichIsListedAgainForTheSecond() throws Exception {
        Told first = new Told();
        Told second = new Told();
        BlockingQueue<FakeServer.Answer> watches = new LinkedBlockingQueue<>();
        answers.add(list("5", pod("5")));
        answers.add(watch());
        answers.add(list("7", pod("6")));
        answers.add(watch().andThen(watches::add));

        Subscription one = informers.follow(PODS, first);
        awaitObserving(one);
        Subscription other = informers.follow(new WatchedObjects(PROD, RESOURCE, Map.of()), second);
        awaitObserving(other);
        watches.take().data(event("MODIFIED", pod("8")));
        eventually(
                "both are told", () -> second.seen().size() == 2 && first.seen().size() == 3);

        assertThat(informers.running()).isOne();
        assertThat(server.asked).hasSize(4);
        assertThat(first.lines)
                .containsExactly(
                        "listing", "seen web-0 5", "listed 5", "listing", "seen web-0 6", "listed 7", "seen web-0 8");
        assertThat(second.lines).containsExactly("listing", "seen web-0 6", "listed 7", "seen web-0 8");
    }

    @Test
    void otherLabels_areAnotherWatch() {
        informers.follow(PODS, new Told());
        informers.follow(new WatchedObjects(PROD, RESOURCE, Map.of("app", "web")), new Told());

        assertThat(informers.running()).isEqualTo(2);
    }

    @Test
    void lastSubscription_endsTheWatch_andAnotherOneBeginsAnew() {
        answers.add(list("5"));
        answers.add(watch());
        Subscription one = informers.follow(PODS, new Told());
        awaitObserving(one);
        answers.add(list("5"));
        answers.add(watch());
        Subscription other = informers.follow(PODS, new Told());
        awaitObserving(other);
        eventually("it is watched again", () -> server.asked.size() == 4);
        other.close();
        assertThat(informers.running()).isOne();
        one.close();
        one.close();
        assertThat(informers.running()).isZero();

        answers.add(list("9"));
        Told later = new Told();
        informers.follow(PODS, later);
        eventually("it is told", () -> later.lines.contains("listed 9"));
    }

    @Test
    void end_waitsForTheListener_andNothingIsToldAfterIt() throws Exception {
        answers.add(list("5", pod("5"), pod("4")));
        Told told = new Told() {
            @Override
            public void seen(JsonNode object) {
                super.seen(object);
                entered.countDown();
                awaitGate();
            }
        };
        Subscription subscription = informers.follow(PODS, told);
        entered.await();
        Thread closing = Thread.ofPlatform().start(subscription::close);
        eventually("it waits", () -> closing.getState() == Thread.State.BLOCKED);

        gate.countDown();
        closing.join();

        assertThat(told.lines).containsExactly("listing", "seen web-0 5");
    }

    @Test
    void end_waitsForNoFlush() throws Exception {
        answers.add(list("5", pod("5")));
        Told told = new Told() {
            @Override
            public void flush(String kind, ClusterCalls calls) {
                lines.add("flush " + kind);
                entered.countDown();
                awaitGate();
            }
        };
        Subscription subscription = informers.follow(PODS, told);
        Told other = new Told();
        informers.follow(PODS, other); // so that the informer goes on
        entered.await();

        subscription.close();
        gate.countDown();

        assertThat(told.lines).containsExactly("listing", "seen web-0 5", "flush Pod");
    }

    @Test
    void listenerThatThrows_keepsNothingFromTheOthers_andIsToldAgainAfterAPause() throws Exception {
        Told steady = new Told();
        Told failing = new Told() {
            @Override
            public void seen(JsonNode object) {
                super.seen(object);
                if (seen().getLast().equals("6")) {
                    throw new IllegalStateException("of the test");
                }
            }
        };
        answers.add(list("5", pod("5")));
        answers.add(watch());
        Subscription well = informers.follow(PODS, steady);
        awaitObserving(well);
        answers.add(list("5", pod("5")));
        answers.add(watch(event("MODIFIED", pod("6")), event("MODIFIED", pod("66"))));
        answers.add(answer -> answer.of(200, event("MODIFIED", pod("7"))));
        BlockingQueue<FakeServer.Answer> watches = new LinkedBlockingQueue<>();
        answers.add(watch().andThen(watches::add));

        Subscription ill = informers.follow(PODS, failing);
        eventually("it failed", () -> ill.state().reason().equals("ListenerFailed"));
        eventually("the other one is told", () -> steady.seen().contains("7"));

        FakeServer.Answer watch = watches.take();
        assertThat(ill.state().status()).isEqualTo(Finding.Status.FALSE);
        assertThat(ill.state().message()).contains("of the test");
        assertThat(well.state().status()).isEqualTo(Finding.Status.TRUE);
        assertThat(failing.seen()).doesNotContain("7");
        assertThat(server.asked.getLast()).contains("&timeoutSeconds=1&");

        now.set(Instant.EPOCH.plus(Duration.ofSeconds(1)));
        answers.add(list("8", pod("8")));
        answers.add(watch());
        watch.receiver().onEnd();
        awaitObserving(ill);
        assertThat(failing.seen().getLast()).isEqualTo("8");
    }

    @Test
    void watchOfAHostedCluster_isLeftForANewListener() {
        try (RootCluster root = new RootCluster(_ -> Optional.empty());
                Informers hosted = new Informers(_ -> new ClusterEntry.Hosted(root.root), _ -> 1, Instant::now)) {
            WatchedObjects namespaces =
                    new WatchedObjects(ClusterName.ROOT, new GroupVersionResource("", "v1", "namespaces"));
            Told first = new Told();
            Told second = new Told();
            Subscription one = hosted.follow(namespaces, first);
            awaitObserving(one);
            hosted.follow(namespaces, second);
            eventually("the second one is told", () -> second.lines.size() > 1);

            root.create("/api/v1/namespaces", "{metadata: {name: shop}}");

            for (Told told : List.of(first, second)) {
                eventually("it is told", () -> told.lines.stream().anyMatch(line -> line.startsWith("seen shop ")));
            }
        }
    }

    @Test
    void objectsOfWhichAPageWouldBeTooLarge_areReadInSmallerOnes() {
        try (RootCluster root = new RootCluster(_ -> Optional.empty());
                Informers hosted = new Informers(
                        _ -> new ClusterEntry.Hosted(root.root),
                        _ -> 1,
                        Instant::now,
                        AnswerLimits.of(60L * 200_000))) {
            String text = "x".repeat(80_000);
            for (int i = 0; i < 7; i++) {
                root.create(
                        "/api/v1/namespaces/default/configmaps",
                        "{metadata: {name: large-" + i + "}, data: {text: " + text + "}}");
            }
            Told told = new Told();

            Subscription subscription = hosted.follow(
                    new WatchedObjects(ClusterName.ROOT, new GroupVersionResource("", "v1", "configmaps")), told);

            awaitObserving(subscription);
            assertThat(told.lines.stream().filter(line -> line.startsWith("seen large-")))
                    .hasSize(7);
        }
    }

    @Test
    void whatIsClosed_followsNothing() {
        informers.close();

        assertThatThrownBy(() -> informers.follow(PODS, new Told()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("prod:/api/v1/pods");
    }

    @Test
    void clusterThatIsNotServed_hasNoCalls() {
        try (Informers none = new Informers(ClusterEntry.NotRegistered::new, _ -> 1, Instant::now)) {
            assertThatThrownBy(() -> none.calls(PROD))
                    .isInstanceOfSatisfying(
                            CallFailure.class,
                            failure -> assertThat(failure.reason()).isEqualTo("NotRegistered"));
            Subscription subscription = none.follow(PODS, new Told());
            eventually("it says so", () -> subscription.state().reason().equals("NotRegistered"));
        }
    }

    private static void awaitObserving(Subscription subscription) {
        eventually("it is told", () -> subscription.state().reason().equals("Observing"));
    }

    private void awaitGate() {
        boolean isInterrupted = false;
        while (true) {
            try {
                gate.await();
                break;
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
