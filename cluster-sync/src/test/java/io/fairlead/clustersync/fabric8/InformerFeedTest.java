package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fairlead.clustersync.ManualScheduler;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.net.Exchange;
import io.fairlead.net.Upstream;
import io.netty.channel.EventLoop;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every way by which an informer is given up and another takes its place, with the test's own clock and informers. */
class InformerFeedTest {
    private static final SyncSettings SETTINGS = SyncSettings.defaults();
    private static final Duration STEADY = Duration.ofSeconds(11);
    private static final Duration MOMENT = Duration.ofMillis(1);
    /** Longer than the first wait for another attempt, and shorter than a watch may be broken. */
    private static final Duration WHILE = Duration.ofSeconds(2);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<TypeChange> told = new ArrayList<>();
    private final List<FakeInformer> informers = new ArrayList<>();
    private final ListLimiter turns = new ListLimiter(1, timer(), Runnable::run);
    private int errorsToCome;
    /** What happens when the next informer is about to start. */
    private Runnable beforeStart = () -> {};

    private int censuses;
    private final InformerFeed<CrdObject> feed = feed();

    @Test
    void listThatCannotBeBegun_isTold_andBegunAgain() {
        errorsToCome = 2;

        feed.start();

        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Failed.class, failed -> {
            assertThat(failed.types()).containsExactly(HolderType.CRD);
            assertThat(failed.why().message()).contains("/crds could not be begun");
        });
        scheduler.pass(SETTINGS.retryMax());
        assertThat(errorsToCome).isZero();
        assertThat(informers).hasSize(1);
    }

    @Test
    void informerThatIsReplacedBeforeItStarts_isNoFailure() {
        beforeStart = () -> feed.start();

        feed.start();

        assertThat(told).isEmpty();
        assertThat(informers).extracting(informer -> informer.stopped).containsExactly(true, false);
        assertThat(informers.getLast().started).isTrue();
    }

    @Test
    void completeList_isTold_withWhatCameWithIt() {
        follow("foos");

        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Complete.class, complete -> {
            assertThat(complete.resourceVersion()).isEqualTo("10");
            assertThat(complete.holders()).extracting(Holder::name).containsExactly("foos");
        });
        assertThat(turns.heldCount()).as("its place is free again").isZero();
        assertThat(feed.silentNanos()).isZero();
    }

    @Test
    void listThatFails_isTold_andTriedAgainAfterAWait_withAnotherInformer() {
        feed.start();

        last().fail(500);

        assertThat(reasons()).containsExactly("UnexpectedAnswer");
        assertThat(last().stopped).isTrue();
        assertThat(turns.heldCount()).as("its place is free again").isZero();
        assertThat(informers).hasSize(1);
        scheduler.pass(SETTINGS.retryFirst().dividedBy(2).minus(MOMENT));
        assertThat(informers).as("half of the first wait at least").hasSize(1);
        scheduler.pass(SETTINGS.retryFirst());
        assertThat(informers).hasSize(2);
        assertThat(last().started).isTrue();
    }

    @Test
    void listsThatFailAgainAndAgain_areTriedLessAndLessOften() {
        feed.start();
        for (int i = 0; i < 20; i++) {
            last().fail(500);
            scheduler.pass(SETTINGS.retryMax());
        }
        int before = informers.size();

        last().fail(500);
        scheduler.pass(SETTINGS.retryMax().dividedBy(2).minus(MOMENT));

        assertThat(informers).hasSize(before);
    }

    @Test
    void serverThatIsHeardAgain_isNotSparedAnyMore() {
        feed.start();
        for (int i = 0; i < 20; i++) {
            last().fail(503);
            scheduler.pass(SETTINGS.retryMax());
        }
        last().fail(503);
        feed.hurry();
        int before = informers.size();

        last().fail(503);
        scheduler.pass(SETTINGS.retryFirst());

        assertThat(informers).hasSize(before + 1);
    }

    @Test
    void listThatTakesTooLong_isGivenUp_andLaterTriedAgain() {
        feed.start();
        FakeInformer slow = last();

        scheduler.pass(SETTINGS.listTimeout().minus(MOMENT));
        assertThat(told).isEmpty();
        scheduler.pass(MOMENT.multipliedBy(2));

        assertThat(reasons()).containsExactly("ListTimeout");
        assertThat(slow.stopped).isTrue();
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(2);
        told.clear();
        slow.list("9", "lates");
        assertThat(told)
                .as("what an informer that was given up lists after all")
                .isEmpty();
    }

    @Test
    void listThatIsComplete_isNotGivenUpLater() {
        follow("foos");

        scheduler.pass(SETTINGS.listTimeout().multipliedBy(2));

        assertThat(informers).hasSize(1);
        assertThat(told).hasSize(1);
    }

    @Test
    void whatWasListed_stands_untilTheNextListIsComplete() {
        follow("foos");
        last().fail(500);
        scheduler.pass(WHILE);
        told.clear();

        last().begin();
        last().put("bars", "20");
        assertThat(told).as("half of a list").isEmpty();
        assertThat(feed.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).extracting(Holder::name).containsExactly("foos"));
        last().end("21");

        assertThat(told).singleElement().isInstanceOf(TypeChange.Complete.class);
        assertThat(feed.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).extracting(Holder::name).containsExactly("bars"));
    }

    @Test
    void informerThatWasReplaced_tellsNothingMore() {
        follow("foos");
        FakeInformer first = last();
        feed.start();
        assertThat(first.stopped).isTrue();
        first.put("foos", "30");
        assertThat(told).as("its account stands meanwhile").hasSize(1);
        last().list("40", "foos");
        told.clear();

        first.fail(500);

        assertThat(told).isEmpty();
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(2);
    }

    @Test
    void serverThatIsThereAgain_isTriedAtOnce_unlessItAnsweredWithANo() {
        feed.start();
        last().fail(503);
        feed.hurry();
        assertThat(informers).as("it was away").hasSize(2);

        feed.hurry();
        assertThat(informers).as("a list is under way").hasSize(2);
        last().fail(403);
        feed.hurry();
        assertThat(informers).as("it was there, and refused").hasSize(2);
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(3);
    }

    @Test
    void watchThatBreaks_isLostAfterAWhile_andCurrentWhenOneStandsAgain() {
        follow("foos");
        told.clear();

        breakWatch();
        scheduler.pass(SETTINGS.lostAfter().minus(MOMENT));
        assertThat(told).isEmpty();
        scheduler.pass(MOMENT);

        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Lost.class, lost -> {
            assertThat(lost.types()).containsExactly(HolderType.CRD);
            assertThat(lost.why().reason()).isEqualTo("WatchLost");
            assertThat(lost.why().message()).contains("/crds", "30 s");
        });
        told.clear();
        watch("10");
        assertThat(told).hasSize(1).first().isInstanceOf(TypeChange.Current.class);
        assertThat(informers).as("after a lapse only a complete list counts").hasSize(2);
        watch("10");
        assertThat(told).as("it is current already").hasSize(1);
    }

    @Test
    void watchThatStandsAgainInTime_isNeverLost() {
        follow("foos");
        told.clear();

        breakWatch();
        scheduler.pass(SETTINGS.lostAfter().minus(MOMENT));
        watch("10");
        scheduler.pass(SETTINGS.lostAfter());

        assertThat(told).isEmpty();
        assertThat(informers).hasSize(1);
    }

    @Test
    void watchThatStaysBroken_isHurried_onceItsInformerHadItsTime() {
        follow("foos");
        breakWatch();

        scheduler.pass(Duration.ofSeconds(2));
        feed.hurry();
        assertThat(informers).as("fabric8 tries by itself").hasSize(1);
        assertThat(feed.look()).isFalse();
        scheduler.pass(MOMENT);
        assertThat(feed.look()).as("it is away").isTrue();
        feed.hurry();

        assertThat(informers).hasSize(2);
    }

    @Test
    void clusterThatIsAway_isLookedFor_forTenMinutes() {
        follow("foos");
        assertThat(feed.look()).isFalse();
        breakWatch();

        scheduler.pass(Duration.ofMinutes(10));
        assertThat(feed.look()).isTrue();
        scheduler.pass(MOMENT);
        assertThat(feed.look()).isFalse();
    }

    @Test
    void clusterThatIsClosed_isNotLookedFor() {
        follow("foos");
        breakWatch();
        scheduler.pass(Duration.ofMinutes(1));

        feed.close();

        assertThat(feed.look()).isFalse();
    }

    @Test
    void watchThatWasQuietForTooLong_isReplacedByANewList() {
        follow("foos");

        scheduler.pass(Duration.ofSeconds(90));
        feed.heard();
        assertThat(informers).hasSize(1);
        scheduler.pass(Duration.ofSeconds(90).plus(MOMENT));
        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
        feed.heard();

        assertThat(informers).hasSize(2);
        last().list("20", "foos");
        watch("20");
        assertThat(feed.silentNanos()).isZero();
    }

    @Test
    void quietWatch_isConfirmedByACensus() {
        follow("foos");
        int before = censuses;

        feed.look();
        assertThat(censuses).isEqualTo(before);
        scheduler.pass(Duration.ofSeconds(76));
        feed.look();

        assertThat(censuses).isEqualTo(before + 1);
    }

    @Test
    void doubt_lastsUntilItIsSettled() {
        follow("foos");

        feed.doubt();

        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(censuses).isPositive();
        feed.start();
        last().list("30", "foos");
        assertThat(feed.silentNanos()).as("a list that began after the doubt").isZero();
    }

    @Test
    void historyThatTheServerForgot_isListedByTheSameInformer_ifTheLastListWasOfUse() {
        follow("foos");
        scheduler.pass(STEADY);

        ListLimiter.Turn turn = feed.turn(true);

        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NOW);
        assertThat(feed.turn(false)).as("of the next page").isSameAs(turn);
        assertThat(informers).hasSize(1);
        last().list("50", "foos", "bars");
        assertThat(feed.recount())
                .hasValueSatisfying(holders -> assertThat(holders).hasSize(2));
        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NEVER);
    }

    @Test
    void historyThatTheServerForgetsAgainAndAgain_isListedAfterAWait() {
        follow("foos");
        told.clear();

        ListLimiter.Turn turn = feed.turn(true);

        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NEVER);
        assertThat(reasons()).containsExactly(ListFailure.TOO_SOON);
        assertThat(last().stopped).isTrue();
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(2);
    }

    @Test
    void turn_ofAListUnderWay_isTheSameForAllItsPages() {
        feed.start();

        ListLimiter.Turn turn = feed.turn(true);

        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NOW);
        assertThat(feed.turn(false)).isSameAs(turn);
    }

    @Test
    void serverThatFailedBefore_getsAPlaceOnlyWhenItAnswers() {
        feed.start();
        last().fail(503);
        scheduler.pass(WHILE);

        assertThat(informers).hasSize(2);
        assertThat(turns.heldCount()).isZero();
        last().fail(503);
        feed.hurry();
        assertThat(turns.heldCount()).as("two failed in a row").isZero();
        last().list("9", "foos");
        feed.start();
        assertThat(turns.heldCount()).as("it answered").isEqualTo(1);
    }

    @Test
    void listThatIsTooLarge_isTriedInSmallerPages() {
        feed.start();
        assertThat(last().limit).isEqualTo(SETTINGS.pageSize());

        last().gone.completeExceptionally(new TooMuchException("a page is too large"));
        scheduler.pass(SETTINGS.retryFirst());

        assertThat(reasons()).containsExactly("AnswerTooLarge");
        assertThat(last().limit).isEqualTo(SETTINGS.pageSize() / 10);
    }

    @Test
    void closedFeed_endsItsInformer_andTellsAndBeginsNothing() {
        follow("foos");
        breakWatch();
        told.clear();

        feed.close();
        assertThat(last().stopped).isTrue();
        last().put("foos", "30");
        last().list("31", "foos");
        last().fail(500);
        feed.start();
        feed.hurry();
        scheduler.pass(SETTINGS.listTimeout());

        assertThat(told).isEmpty();
        assertThat(informers).hasSize(1);
        assertThat(scheduler.dueCount()).isZero();
    }

    @Test
    void closedFeed_thatWaited_waitsNoMore() {
        feed.start();
        last().fail(500);

        feed.close();

        assertThat(scheduler.dueCount()).isZero();
    }

    private void follow(String... names) {
        feed.start();
        last().list("10", names);
        watch("10");
    }

    private void watch(String resourceVersion) {
        feed.watchStands();
        feed.watchOpened(resourceVersion);
    }

    private void breakWatch() {
        feed.watchEnded(true, false);
        feed.watchClosed();
    }

    private FakeInformer last() {
        return informers.getLast();
    }

    private List<String> reasons() {
        return told.stream()
                .map(change -> ((TypeChange.Failed) change).why().reason())
                .toList();
    }

    private InformerFeed<CrdObject> feed() {
        Upstream silent = fake(Upstream.class, (_, _, _) -> {
            censuses++;
            return fake(Exchange.class, (_, method, _) -> method.getName().equals("eventLoop") ? loop() : null);
        });
        return new InformerFeed<>(
                new Subject<>(
                        CrdObject.class,
                        "/crds",
                        Set.of(HolderType.CRD),
                        crd -> Claims.of(crd, ""),
                        _ -> "",
                        CrdObject::new),
                UnaryOperator.identity(),
                client(),
                SETTINGS,
                turns,
                new Censuses(silent, () -> null, SETTINGS, new ListLimiter(1, timer(), Runnable::run), Runnable::run),
                scheduler,
                Runnable::run,
                scheduler::nanoTime,
                new ListPace(SETTINGS, new Random(1), scheduler::nanoTime),
                told::add);
    }

    /** Deadlines of censuses never come. */
    private static EventLoop loop() {
        return fake(EventLoop.class, (_, _, _) -> null);
    }

    private ListLimiter.Timer timer() {
        return new ListLimiter.Timer() {
            @Override
            public long nanoTime() {
                return scheduler.nanoTime();
            }

            @Override
            public void after(long nanos, Runnable task) {
                throw new AssertionError("expected no list to wait for a place");
            }
        };
    }

    /** Makes informers by {@code resources(type).withLimit(limit).runnableInformer(0)}, or has no memory for one. */
    private KubernetesClient client() {
        return fake(KubernetesClient.class, (_, resources, _) -> {
            if (errorsToCome > 0) {
                errorsToCome--;
                throw new OutOfMemoryError("of a test");
            }
            return fake(
                    resources.getReturnType(),
                    (_, withLimit, limit) -> fake(withLimit.getReturnType(), (_, runnableInformer, _) -> {
                        FakeInformer informer = new FakeInformer((Long) limit[0], beforeStart);
                        beforeStart = () -> {};
                        informers.add(informer);
                        return fake(runnableInformer.getReturnType(), informer);
                    }));
        });
    }

    private static <T> T fake(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
    }

    /** An informer that does what the test does. */
    private static final class FakeInformer implements InvocationHandler {
        private final long limit;
        private final Runnable beforeStart;
        private final CompletableFuture<Void> gone = new CompletableFuture<>();
        private @Nullable ItemStore<CrdObject> store;
        private @Nullable ResourceEventHandler<CrdObject> bounds;
        private boolean started;
        private boolean stopped;

        FakeInformer(long limit, Runnable beforeStart) {
            this.limit = limit;
            this.beforeStart = beforeStart;
        }

        @Override
        @SuppressWarnings("unchecked") // as the informer's methods declare it
        public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) {
            switch (method.getName()) {
                case "itemStore" -> store = (ItemStore<CrdObject>) Objects.requireNonNull(arguments)[0];
                case "addEventHandler" ->
                    bounds = (ResourceEventHandler<CrdObject>) Objects.requireNonNull(arguments)[0];
                case "start" -> start();
                case "stop" -> stopped = true;
                default -> {}
            }
            if (method.getName().equals("stopped")) {
                return gone;
            }
            return method.getReturnType().isInstance(self) ? self : null;
        }

        /** As fabric8's. */
        private void start() {
            beforeStart.run();
            if (stopped) {
                throw new IllegalStateException("Cannot restart a stopped informer");
            }
            started = true;
        }

        void list(String resourceVersion, String... names) {
            begin();
            for (String name : names) {
                put(name, resourceVersion);
            }
            end(resourceVersion);
        }

        void begin() {
            Objects.requireNonNull(bounds).onBeforeList("");
        }

        void end(String resourceVersion) {
            Objects.requireNonNull(bounds).onList(resourceVersion, false);
        }

        void put(String name, String resourceVersion) {
            CrdObject crd = new CrdObject();
            crd.setMetadata(new ObjectMetaBuilder()
                    .withName(name)
                    .withUid("uid-" + name)
                    .withResourceVersion(resourceVersion)
                    .build());
            ItemStore<CrdObject> filled = Objects.requireNonNull(store);
            try {
                filled.put(filled.getKey(crd), crd);
            } catch (CancellationException left) {
                assertThat(stopped).isTrue();
            }
        }

        void fail(int code) {
            gone.completeExceptionally(new KubernetesClientException("of a test", code, null));
        }
    }
}
