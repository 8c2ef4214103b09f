package io.fairlead.gateway.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.listen.TestHead;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.usage.Usage.OfCaller;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is counted of requests, and when it is forgotten. */
class UsageTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final ClusterName PROD = new ClusterName("prod");
    private static final CallerName ANN = CallerName.ofGateway("ann");
    private static final CallerName BOB = CallerName.ofGateway("bob");
    private static final String PODS = "/api/v1/pods";
    private static final int ROUNDS = 100_000;
    private static final int SPINS_MAX = 1_000;
    private static final String LOG = "/api/v1/namespaces/a/pods/b/log";

    private final Usage usage = usage(3);

    @Test
    void requestsUnderWay_areCountedByTheirKind_untilTheyAreOver() {
        Used call = begin(DEV, ANN, PODS);
        Used watch = begin(DEV, ANN, PODS + "?watch=1");
        Used stream = begin(DEV, ANN, LOG);
        begin(PROD, ANN, PODS);
        long bytes = of(DEV, ANN).bytes();

        assertThat(of(DEV, ANN)).isEqualTo(new Counts(3, 1, 0, 1, 1, bytes));
        assertThat(bytes).isGreaterThan(3 * 1_024);
        call.waits();
        assertThat(of(DEV, ANN)).isEqualTo(new Counts(3, 0, 1, 1, 1, bytes));
        call.goesOn();
        assertThat(of(DEV, ANN)).isEqualTo(new Counts(3, 1, 0, 1, 1, bytes));

        List.of(call, watch, stream).forEach(Used::over);
        assertThat(of(DEV, ANN)).isEqualTo(new Counts(3, 0, 0, 0, 0, 0));
        assertThat(usage.report(_ -> true).clusters().get(DEV)).isEqualTo(new Counts(3, 0, 0, 0, 0, 0));
        assertThat(of(PROD, ANN).shortCalls()).isOne();
    }

    @Test
    void callThatLeavesWhileItWaits_waitsNoMore() {
        Used call = begin(DEV, ANN, PODS);
        call.waits();
        call.over();

        assertThat(of(DEV, ANN)).isEqualTo(new Counts(1, 0, 0, 0, 0, 0));
        call.goesOn();
        assertThat(of(DEV, ANN)).as("a step after the end").isEqualTo(new Counts(1, 0, 0, 0, 0, 0));
    }

    @Test
    void callerWhoIsIdle_isForgotten_andItsRequestsStayThoseOfTheCluster() {
        begin(DEV, ANN, PODS).over();
        Used open = begin(DEV, BOB, PODS + "?watch=1");
        usage.sweep();
        assertThat(usage.report(_ -> true).callers())
                .as("there was a request since the last time")
                .hasSize(2);

        usage.sweep();

        assertThat(usage.report(_ -> true).callers())
                .extracting(OfCaller::caller)
                .containsExactly(BOB);
        assertThat(usage.report(_ -> true).clusters())
                .hasEntrySatisfying(DEV, counts -> assertThat(counts.requests()).isEqualTo(2));
        open.over();
        usage.sweep();
        assertThat(usage.report(_ -> true).callers()).isEmpty();
        begin(DEV, ANN, PODS);
        assertThat(of(DEV, ANN).requests()).isOne();
    }

    /** Two of a tenant's clusters would leave a third, three a quarter. */
    @Test
    void clusterWithManyCallers_leavesHalfOfTheRoomToOthers_andGetsItBackWhenTheyAreIdle() {
        Usage shared = usage(8);
        for (int i = 0; i < 20; i++) {
            begin(shared, DEV, CallerName.ofGateway("dev-" + i)).over();
        }
        assertThat(named(shared, DEV)).isEqualTo(4);
        assertThat(of(shared, DEV, Usage.OTHERS).requests()).isEqualTo(16);

        begin(shared, PROD, ANN).over();
        begin(shared, PROD, BOB).over();
        assertThat(named(shared, PROD)).isEqualTo(2);
        begin(shared, DEV, CallerName.ofGateway("dev-0")).over();
        assertThat(of(shared, DEV, Usage.OTHERS).requests())
                .as("who is named stays so")
                .isEqualTo(16);

        shared.forget(DEV);
        shared.sweep();
        shared.sweep();
        for (int i = 0; i < 20; i++) {
            begin(shared, PROD, CallerName.ofGateway("prod-" + i)).over();
        }
        assertThat(named(shared, PROD)).isEqualTo(4);
        assertThat(named(shared, DEV)).isZero();
    }

    @Test
    void callersBeyondTheLimit_andThoseWithVeryLongNames_areCountedTogether() {
        Usage usage = usage(5);
        CallerName wordy = CallerName.ofGateway("x".repeat(300));
        begin(usage, DEV, wordy);
        begin(usage, DEV, ANN);
        begin(usage, DEV, BOB);
        begin(usage, DEV, CallerName.ofGateway("eve"));
        begin(usage, DEV, ANN);

        assertThat(usage.report(_ -> true).callers())
                .extracting(OfCaller::caller)
                .containsExactlyInAnyOrder(ANN, BOB, Usage.OTHERS);
        assertThat(of(usage, DEV, Usage.OTHERS).shortCalls()).isEqualTo(2);
        assertThat(of(usage, DEV, ANN).shortCalls()).isEqualTo(2);
    }

    @Test
    void bytesOfABody_areThoseOfTheCallerUnderWhomTheyWereTaken() {
        Used call = begin(DEV, ANN, PODS);
        long head = of(DEV, ANN).bytes();
        LongConsumer held = usage.holder(DEV, ANN);
        held.accept(5_000);
        assertThat(of(DEV, ANN).bytes()).isEqualTo(head + 5_000);

        held.accept(-5_000);
        call.over();
        assertThat(of(DEV, ANN).bytes()).isZero();
        usage.holder(PROD, BOB).accept(1);
        assertThat(usage.report(_ -> true).callers()).hasSize(1);
    }

    @Test
    void clusterThatIsRemoved_isForgotten_andItsRequestsEndAllTheSame() {
        Used open = begin(DEV, ANN, PODS + "?watch=1");
        begin(PROD, ANN, PODS);

        usage.forget(DEV);
        open.over();

        assertThat(usage.report(_ -> true).clusters()).containsOnlyKeys(PROD);
    }

    /** A request that begins while its caller is dropped would not be seen. Both threads come to each entry at the same time. */
    @Test
    void callerThatBeginsWhileItIsDropped_isThereOrBeginsAnew() throws Exception {
        CallerUsage[] entries = Stream.generate(CallerUsage::new).limit(ROUNDS).toArray(CallerUsage[]::new);
        boolean[] begun = new boolean[ROUNDS];
        boolean[] dropped = new boolean[ROUNDS];
        AtomicInteger beginning = new AtomicInteger(-1);
        AtomicInteger dropping = new AtomicInteger(-1);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> first = threads.submit(
                    () -> eachWith(beginning, dropping, i -> begun[i] = entries[i].begin(CallerUsage.Kind.WATCH)));
            Future<?> second =
                    threads.submit(() -> eachWith(dropping, beginning, i -> dropped[i] = entries[i].isDroppedIfIdle()));
            first.get();
            second.get();
        }

        for (int i = 0; i < ROUNDS; i++) {
            assertThat(begun[i] && dropped[i]).as("entry " + i).isFalse();
        }
    }

    private static void eachWith(AtomicInteger own, AtomicInteger other, IntConsumer action) {
        for (int i = 0; i < ROUNDS; i++) {
            own.set(i);
            for (int spins = 0; other.get() < i; spins++) {
                if (spins < SPINS_MAX) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.parkNanos(1); // they share a processor
                }
            }
            action.accept(i);
        }
    }

    private static Usage usage(int callersMax) {
        return new Usage(
                Limited.by(Map.of("limits.usageCallersMax", callersMax)).limits());
    }

    private Used begin(ClusterName cluster, CallerName caller, String path) {
        return begin(usage, cluster, caller, path);
    }

    private static Used begin(Usage usage, ClusterName cluster, CallerName caller) {
        return begin(usage, cluster, caller, PODS);
    }

    private static Used begin(Usage usage, ClusterName cluster, CallerName caller, String path) {
        Described described = Described.of(new Selector(ClusterName.ROOT, List.of(), null)
                .select(TestHead.get("/clusters/" + cluster + path, "token")));
        return usage.begin(cluster, caller, described, Outcome.IGNORED);
    }

    private static long named(Usage usage, ClusterName cluster) {
        return usage.report(_ -> true).callers().stream()
                .filter(one -> one.cluster().equals(cluster) && !one.caller().equals(Usage.OTHERS))
                .count();
    }

    private Counts of(ClusterName cluster, CallerName caller) {
        return of(usage, cluster, caller);
    }

    private static Counts of(Usage usage, ClusterName cluster, CallerName caller) {
        return usage.report(_ -> true).callers().stream()
                .filter(one -> one.cluster().equals(cluster) && one.caller().equals(caller))
                .map(OfCaller::counts)
                .findFirst()
                .orElseThrow();
    }
}
