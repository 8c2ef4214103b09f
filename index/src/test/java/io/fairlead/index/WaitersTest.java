package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class WaitersTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final ClusterName PROD = new ClusterName("prod");

    private final Waiters waiters = new Waiters(2);

    @Test
    void release_completesTheWaitersOfOneClusterAlone() {
        List<CompletableFuture<Void>> prod = List.of(waiters.add(PROD), waiters.add(PROD));
        CompletableFuture<Void> dev = waiters.add(DEV);

        waiters.release(PROD);

        assertThat(prod).allMatch(waiter -> waiter.state() == Future.State.SUCCESS);
        assertThat(dev).isNotDone();
        waiters.release(PROD);
        assertThat(waiters.add(PROD)).isNotDone();
    }

    @Test
    void placeOfAWaiter_isFree_howeverItEnds() {
        CompletableFuture<Void> cancelled = waiters.add(PROD);
        CompletableFuture<Void> timedOut = waiters.add(PROD);
        CompletableFuture<Void> refused = waiters.add(PROD);
        assertThat(refused)
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withRootCauseInstanceOf(RejectedExecutionException.class)
                .withMessageContaining("2 callers");

        cancelled.cancel(false);
        timedOut.completeExceptionally(new TimeoutException());

        assertThat(waiters.add(PROD)).isNotDone();
        assertThat(waiters.add(PROD)).isNotDone();
        assertThat(waiters.add(PROD)).isCompletedExceptionally();
    }
}
