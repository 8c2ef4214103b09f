package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.HolderType;
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
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final StubStore<CrdObject> store =
            new StubStore<>(Set.of(HolderType.CRD), crd -> Claims.of(crd, ""), crd -> "", CrdObject::new, change -> {});
    private Supplier<CompletableFuture<Census>> censuses =
            () -> CompletableFuture.completedFuture(new Census("9", Map.of()));
    private final Confidence confidence =
            new Confidence(new Heard(), () -> censuses.get(), () -> 0, scheduler, Runnable::run);

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
        List<CompletableFuture<Census>> asked = new ArrayList<>();
        censuses = () -> {
            asked.add(new CompletableFuture<>());
            return asked.getLast();
        };
        confidence.raise();
        watch("5");
        confidence.raise();

        asked.getFirst().complete(new Census("9", Map.of()));

        assertThat(confidence.isInDoubt()).isTrue();
        assertThat(asked).hasSize(2);
        asked.getLast().complete(new Census("9", Map.of()));
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

    private void watch(String resourceVersion) {
        confidence.stands();
        confidence.opened(resourceVersion);
    }

    private final class Heard implements Confidence.Feed {
        private boolean gone;

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
        public void replaced(String why) {
            heard.add("replaced");
            gone = true;
        }
    }
}
