package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fairlead.clustersync.ManualScheduler;
import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.HolderType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What settles doubts, and that nothing that goes wrong leaves them unsettled for ever. */
class ConfidenceTest {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** For so long changes that a census has are waited for: the first look is at once. */
    private static final Duration LOOKS = Duration.ofSeconds(1);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final StubStore<CrdObject> store = new StubStore<>(
            Set.of(HolderType.CRD),
            40_000,
            new KeptTypes(TestSettings.patient().answers()).ofStore(),
            crd -> Claims.of(crd, 256, ""),
            crd -> "",
            CrdObject::new,
            _ -> {},
            this::told);
    private Supplier<CompletableFuture<Census>> censuses =
            () -> CompletableFuture.completedFuture(new Census("9", Map.of()));
    private final List<String> asked = new ArrayList<>();
    private final ManualScheduler manual = new ManualScheduler();
    private long nowNanos = 1;
    private boolean gone;
    private final Confidence confidence =
            new Confidence(new Heard(), this::census, () -> nowNanos, manual, Runnable::run);

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    @Test
    void doubt_isSettledByACensusThatWasTakenAfterIt() {
        watch("5");
        confidence.ended(true, false);
        assertThat(confidence.isInDoubt()).isTrue();

        watch("5");

        assertThat(confidence.isInDoubt()).isFalse();
        assertThat(heard).containsExactly("confirmed");
    }

    @Test
    void watchThatBeginsInTheFutureOfACensus_isOfAnotherHistory() {
        confidence.raise();

        watch("10");

        assertThat(heard).containsExactly("replaced");
        assertThat(confidence.isInDoubt()).isTrue();
    }

    @Test
    void doubtThatIsRaisedDuringACensus_isNotSettledByIt() {
        List<CompletableFuture<Census>> taken = new ArrayList<>();
        censuses = () -> {
            taken.add(new CompletableFuture<>());
            return taken.getLast();
        };
        confidence.raise();
        watch("5");
        confidence.raise();

        taken.getFirst().complete(new Census("9", Map.of()));

        assertThat(confidence.isInDoubt()).isTrue();
        assertThat(taken).hasSize(2);
        taken.getLast().complete(new Census("9", Map.of()));
        assertThat(confidence.isInDoubt()).isFalse();
    }

    @Test
    void errorOfACensus_isNoConfirmation_andTheNextOneIsTaken() {
        Supplier<CompletableFuture<Census>> good = censuses;
        censuses = () -> {
            throw new AssertionError("of a test");
        };
        confidence.raise();
        watch("5");
        assertThat(heard).containsExactly("unconfirmed");

        censuses = good;
        confidence.confirm();

        assertThat(heard).containsExactly("unconfirmed", "confirmed");
    }

    @Test
    void lookForWhichThereIsNoThread_isNoConfirmation_andTheNextCensusIsTaken() throws Exception {
        Supplier<CompletableFuture<Census>> good = censuses;
        AtomicInteger tasks = new AtomicInteger();
        Executor executor = task -> {
            if (tasks.incrementAndGet() == 2) {
                throw new OutOfMemoryError("of a test");
            }
            task.run();
        };
        Confidence starved = new Confidence(new Heard(), () -> censuses.get(), () -> 0, scheduler, executor);
        censuses = () -> CompletableFuture.completedFuture(new Census("9", Map.of("not heard of yet", "8")));
        starved.raise();
        starved.stands();
        starved.opened("5");
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("unconfirmed");

        censuses = good;
        starved.confirm();

        assertThat(heard).containsExactly("confirmed");
    }

    @Test
    void orderlyEnd_isADoubt_onlyIfNoWatchFollowsSoon() {
        watch("5");
        confidence.ended(true, true);
        nowNanos += PAUSE_NANOS;
        assertThat(confidence.isInDoubt()).isFalse();
        assertThat(confidence.isWatching()).isFalse();
        watch("6");
        nowNanos += PAUSE_NANOS + 1;
        assertThat(confidence.isInDoubt()).as("a watch stands").isFalse();

        confidence.ended(true, true);
        nowNanos += PAUSE_NANOS + 1;
        assertThat(confidence.isInDoubt()).isTrue();
        asked.clear();
        watch("7");
        assertThat(asked).as("a pause that was too long is confirmed").hasSize(1);
        assertThat(heard).containsExactly("confirmed");
        assertThat(confidence.isInDoubt()).isFalse();
    }

    @Test
    void endOfOneOfTwoWatches_isNoDoubt() {
        watch("5");
        watch("6");

        confidence.ended(true, false);

        assertThat(confidence.isInDoubt()).isFalse();
        assertThat(confidence.isWatching()).isTrue();
    }

    @Test
    void watchThatIsRefused_isADoubt_whileNoOtherStands() {
        watch("5");
        confidence.ended(false, false);
        assertThat(confidence.isInDoubt()).isFalse();
        assertThat(confidence.isWatching()).isTrue();

        confidence.ended(true, false);
        confidence.ended(false, false);

        assertThat(confidence.isInDoubt()).isTrue();
        assertThat(confidence.isWatching()).isFalse();
    }

    @Test
    void list_settlesTheDoubtsFromBeforeItBegan_alone() {
        confidence.raise();
        long began = confidence.listBegins();
        confidence.listed(began);
        assertThat(confidence.isInDoubt()).isFalse();

        long before = confidence.listBegins();
        confidence.raise();
        confidence.listed(before);
        assertThat(confidence.isInDoubt()).isTrue();
        confidence.listed(confidence.listBegins());
        confidence.listed(0);
        assertThat(confidence.isInDoubt())
                .as("a list that is late unsettles nothing")
                .isFalse();
    }

    @Test
    void census_isTaken_onlyWhileAWatchStandsAndWhatWasLearntIsKnown() {
        confidence.raise();
        confidence.confirm();
        assertThat(asked).as("no watch stands").isEmpty();
        gone = true;
        watch("5");
        assertThat(asked).as("it is learnt anew").isEmpty();

        gone = false;
        confidence.confirm();

        assertThat(asked).hasSize(1);
    }

    @Test
    void censusUnderWay_isNotTakenTwice() {
        censuses = CompletableFuture::new;
        confidence.raise();
        watch("5");

        confidence.confirm();
        confidence.confirm();

        assertThat(asked).hasSize(1);
    }

    @Test
    void censusThatCannotBeHad_isNoConfirmation() {
        censuses = () -> CompletableFuture.failedFuture(new IllegalStateException("of a test"));
        watch("5");
        confidence.confirm();

        assertThat(heard).containsExactly("unconfirmed");
    }

    @Test
    void changesThatAWatchIsStillToTell_areWaitedForAMoment() {
        store.listed("5");
        watch("5");
        censuses = () -> CompletableFuture.completedFuture(new Census("9", Map.of("foos/u1", "8")));
        confidence.raise();
        confidence.confirm();
        manual.pass(LOOKS.minus(Duration.ofMillis(51)));
        assertThat(heard).isEmpty();

        CrdObject foos = new CrdObject();
        foos.setMetadata(new ObjectMetaBuilder()
                .withName("foos")
                .withUid("u1")
                .withResourceVersion("8")
                .build());
        store.put("foos/u1", foos);
        manual.pass(Duration.ofMillis(50));

        assertThat(heard).containsExactly("confirmed");
        assertThat(confidence.isInDoubt()).isFalse();
    }

    @Test
    void changesThatAreNeverTold_areListed() {
        store.listed("5");
        watch("5");
        censuses = () -> CompletableFuture.completedFuture(new Census("9", Map.of("foos/u1", "8")));
        confidence.confirm();

        manual.pass(LOOKS.minus(Duration.ofMillis(51)));
        assertThat(heard).isEmpty();
        manual.pass(Duration.ofMillis(2));

        assertThat(heard).containsExactly("unconfirmed");
    }

    @Test
    void verdictOnWhatIsLearntAnewMeanwhile_countsNothing() {
        List<CompletableFuture<Census>> censusesAsked = new ArrayList<>();
        censuses = () -> {
            censusesAsked.add(new CompletableFuture<>());
            return censusesAsked.getLast();
        };
        confidence.raise();
        watch("5");
        gone = true;

        censusesAsked.getFirst().complete(new Census("9", Map.of()));

        assertThat(heard).isEmpty();
        assertThat(confidence.isInDoubt()).isTrue();
    }

    private void told(TypeChange change) {
        if (change instanceof TypeChange.Replaced) {
            heard.add("replaced");
            gone = true;
        }
    }

    private CompletableFuture<Census> census() {
        asked.add("a census");
        return censuses.get();
    }

    private void watch(String resourceVersion) {
        confidence.stands();
        confidence.opened(resourceVersion);
    }

    private final class Heard implements Confidence.Feed {
        @Override
        public @Nullable StubStore<?> followed() {
            return gone ? null : store;
        }

        @Override
        public void confirmed(long nanoTime) {
            heard.add("confirmed");
        }

        @Override
        public void unconfirmed() {
            heard.add("unconfirmed");
        }

        @Override
        public String path() {
            return "/crds";
        }
    }
}
