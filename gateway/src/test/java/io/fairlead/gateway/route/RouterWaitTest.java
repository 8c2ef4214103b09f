package io.fairlead.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a request waits for before it is routed, and for how long. */
@Timeout(60)
final class RouterWaitTest extends RouterFixture {
    @Test
    void unknown_isNoRouteAtOnce_andWaitsForTheIndex_whereTheAnswerDecides() throws Exception {
        Router router = router(LONG, 1);
        assertThat(router.toAttachedAtOnce(admitted(FOOS), attached(true))).isEmpty();
        assertThat(router.toAttachedAtOnce(admitted(FOOS), attached(false))).isPresent();
        assertThat(routed).as("what is not decided is not counted").containsExactly("prod base-handler");

        CompletableFuture<ToAttached> waits =
                CompletableFuture.supplyAsync(() -> router.toAttached(admitted(FOOS), attached(true)));
        questions.awaitWaiter();
        relistAll();

        assertThat(waits.get(30, TimeUnit.SECONDS).route()).isInstanceOf(Route.ToCrdRuntime.class);
        assertThat(routed).containsExactly("prod base-handler", "prod crd-runtime");
    }

    @Test
    void unknown_thatStaysSo_is503_naming_whatIsAskedFor() {
        StatusException refused = catchThrowableOfType(
                StatusException.class, () -> router(SHORT, 1).toHosted(authorized(FOOS)));

        Status status = refused.status();
        assertThat(status.code()).isEqualTo(503);
        assertThat(status.message()).contains("cluster \"prod\"", "foos.example.com", "not known yet");
        assertThat(Objects.requireNonNull(status.details()).retryAfterSeconds()).isEqualTo(1);
        assertThat(status.details().toString()).contains("TypeIndexNotSynced");
        assertThat(routed).containsExactly("prod rejected");
        assertThat(questions.synced.getLast())
                .as("the request that stops waiting says so")
                .isCancelled();
    }

    @Test
    void aggregatedInAHostedCluster_isOfItsBackend_and503_atOnceWithoutOne() {
        relistAll();

        ToHosted aggregated = router(LONG, 1).toHosted(authorized("/apis/aggregates.example.com/v1/aggregates"));
        Route.ToAggregated route = (Route.ToAggregated) aggregated.route();
        StatusException refused = catchThrowableOfType(
                StatusException.class, () -> router(LONG, 1).toBackend(aggregated, route));

        assertThat(refused.status().code()).isEqualTo(503);
        assertThat(refused.status().message()).contains("v1.aggregates.example.com", "APIService");
        assertThat(Objects.requireNonNull(refused.status().details()).toString())
                .contains("BackendNotAvailable");
        assertThat(questions.synced).as("nothing to wait for").isEmpty();
        assertThat(routed).containsExactly("prod aggregated");
    }

    @Test
    void waiters_areBounded_andGiveTheirPlacesBack() throws Exception {
        Router router = router(LONG, 1);
        CompletableFuture<ToHosted> first = CompletableFuture.supplyAsync(() -> router.toHosted(authorized(FOOS)));
        questions.awaitWaiter();

        StatusException refused = catchThrowableOfType(StatusException.class, () -> router.toHosted(authorized(FOOS)));
        assertThat(refused.status().code()).isEqualTo(503);
        assertThat(questions.synced).as("the second did not wait").hasSize(1);

        relistAll();
        assertThat(first.get(30, TimeUnit.SECONDS)).isNotNull();
        ledger.nextEpoch();
        CompletableFuture<ToHosted> third = CompletableFuture.supplyAsync(() -> router.toHosted(authorized(FOOS)));
        questions.awaitWaiter();
        relistAll();
        assertThat(third.get(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void waitersOfTheIndex_beyondItsLimit_areToldAtOnce() {
        questions.refuses = true;

        StatusException refused = catchThrowableOfType(
                StatusException.class, () -> router(LONG, 1).toHosted(authorized(FOOS)));

        assertThat(refused.status().message()).contains("not known yet");
    }

    @Test
    void waiter_thatIsInterrupted_staysInterrupted_andGivesItsPlaceBack() {
        Router router = router(LONG, 1);

        for (int i = 0; i < 2; i++) {
            Thread.currentThread().interrupt();
            assertThat(catchThrowableOfType(StatusException.class, () -> router.toHosted(authorized(FOOS))))
                    .isNotNull();
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(questions.synced).as("both waited").hasSize(2);
    }

    @Test
    void openingCluster_isWaitedFor_byFewAtOnce() throws Exception {
        OpeningWait wait = new OpeningWait(LONG, 1);
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch opens = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> wait.await(opening(timeout -> {
            assertThat(timeout).isEqualTo(LONG);
            waits.countDown();
            opens.await();
        })));
        waits.await();

        wait.await(opening(_ -> others.incrementAndGet()));
        assertThat(others).as("beyond the limit no request waits").hasValue(0);

        opens.countDown();
        first.get(30, TimeUnit.SECONDS);
        wait.await(opening(_ -> others.incrementAndGet()));
        wait.await(opening(_ -> others.incrementAndGet()));
        assertThat(others).as("the place is free again").hasValue(2);
    }

    @Test
    void openingCluster_waitedForByAThreadThatIsInterrupted_leavesItInterrupted() {
        OpeningWait wait = new OpeningWait(LONG, 1);

        for (int i = 0; i < 2; i++) {
            wait.await(opening(_ -> {
                throw new InterruptedException();
            }));
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
