package io.fairlead.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.model.CallerName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is next, who is refused, and that no seat is lost. */
class ShortCallsTest {
    private static final CallerName ANN = CallerName.ofGateway("ann");
    private static final CallerName BOB = CallerName.ofGateway("bob");
    private static final CallerName EVE = CallerName.ofGateway("eve");

    private ShortCalls calls = calls(100, 100, 100);
    private ShortCalls.OfCluster cluster = calls.ofCluster();

    @Test
    void freeSeat_goesToTheCallerWithFewestUnderWay() {
        take(3, 3, 3);
        Deque<Share> ofEve = seats(EVE, 3);
        List<Waits> eves = wait(EVE, 5);
        Waits ann = new Waits(ANN);

        ofEve.remove().release();

        assertThat(ann.isSeated()).isTrue();
        assertThat(eves).noneMatch(Waits::isSeated);
        ofEve.remove().release();
        assertThat(eves.getFirst().isSeated())
                .as("the oldest of the caller that is left")
                .isTrue();
        assertThat(eves.get(1).isSeated()).isFalse();
    }

    @Test
    void equalCallers_takeTurns() {
        take(2, 2, 2);
        Deque<Share> seats = seats(EVE, 2);
        List<Waits> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.addAll(wait(ANN, 1));
            all.addAll(wait(BOB, 1));
        }
        List<String> order = new ArrayList<>();
        seats.remove().release();
        seats.remove().release();
        for (int i = 0; i < 6; i++) {
            Waits seated = all.stream().filter(Waits::isSeated).findFirst().orElseThrow();
            all.remove(seated);
            order.add(seated.caller.name());
            seated.release();
        }
        assertThat(order).containsExactly("ann", "bob", "ann", "bob", "ann", "bob");
    }

    @Test
    void freeSeat_goesToTheClusterWithFewestUnderWay() {
        take(4, 4, 4);
        Deque<Share> ofEve = seats(EVE, 4);
        List<Waits> eves = wait(EVE, 3);
        cluster = calls.ofCluster();
        Waits elsewhere = new Waits(EVE);

        ofEve.remove().release();

        assertThat(elsewhere.isSeated()).isTrue();
        assertThat(eves).noneMatch(Waits::isSeated);
    }

    /** One caller at its own limit holds up no other one, though its calls came first. */
    @Test
    void callerAtItsLimit_holdsUpNoOther() {
        take(10, 10, 2);
        seats(EVE, 2);
        List<Waits> eves = wait(EVE, 4);
        Waits ann = new Waits(ANN);
        assertThat(ann.isSeated()).isTrue();
        assertThat(eves).noneMatch(Waits::isSeated);
    }

    @Test
    void fullCluster_holdsUpNoOther() {
        take(10, 2, 2);
        seats(EVE, 2);
        wait(EVE, 4);
        assertThat(calls.ofCluster().take(EVE)).isNotNull();
    }

    @Test
    void fullQueue_refusesTheNewestOfTheCallerThatTakesMost() {
        take(1, 1, 1);
        Share seat = seats(EVE, 1).remove();
        List<Waits> eves = wait(EVE, 10); // 1000 bytes, which is all that one cluster has.
        List<Waits> anns = wait(ANN, 4);

        assertThat(eves.stream().filter(Waits::isRefused).toList()).isEqualTo(eves.subList(6, 10));
        assertThat(eves.get(9).refusedBy).isEqualTo(Limit.QUEUED_BYTES_PER_CLUSTER);
        assertThat(anns).noneMatch(Waits::isRefused);
        assertThat(new Waits(EVE).isRefused())
                .as("its own call, not one of others")
                .isTrue();
        assertThat(wait(ANN, 2).getLast().isRefused())
                .as("both take as much: the new one")
                .isTrue();
        seat.release();
    }

    @Test
    void fullQueuesOfAll_refuseInTheClusterThatTakesMost() {
        take(1, 1, 1);
        seats(EVE, 1);
        List<Waits> first = wait(EVE, 10);
        cluster = calls.ofCluster();
        List<Waits> second = wait(ANN, 10);
        cluster = calls.ofCluster(); // 2000 bytes are taken, which is all that there is.
        Waits third = new Waits(BOB);

        assertThat(third.isRefused()).isFalse();
        List<Waits> refused = new ArrayList<>(first);
        refused.addAll(second);
        refused.removeIf(waits -> !waits.isRefused());
        assertThat(refused).hasSize(1).allMatch(waits -> waits.refusedBy == Limit.QUEUED_BYTES);
    }

    @Test
    void callThatDoesNotFitAtAll_isRefused_andNoOther() {
        take(1, 1, 1);
        seats(EVE, 1);
        List<Waits> anns = wait(ANN, 3);
        assertThat(new Waits(BOB, 1001).isRefused()).isTrue();
        assertThat(anns).noneMatch(Waits::isRefused);
    }

    @Test
    void callThatGivesUp_leavesTheQueue_andASeatThatItGot() {
        take(1, 1, 1);
        Share seat = seats(EVE, 1).remove();
        Waits left = new Waits(ANN);
        Waits stays = new Waits(BOB);
        left.call.over();
        assertThat(calls.waiting()).isEqualTo(1);

        seat.release();
        assertThat(left.isSeated()).isFalse();
        assertThat(stays.isSeated()).isTrue();
        stays.call.over(); // Its client left before the request went on.
        assertThat(cluster.take(EVE)).isNotNull();
    }

    @Test
    void callThatHasWaitedTooLong_isRefusedByWhatIsInTheWay() {
        take(9, 3, 2);
        seats(EVE, 2);
        Waits ofCaller = new Waits(EVE);
        ofCaller.call.expire();
        assertThat(ofCaller.refusedBy).isEqualTo(Limit.SHORT_CALLS_PER_CALLER);
        seats(ANN, 1);
        Waits ofCluster = new Waits(BOB);
        ofCluster.call.expire();
        assertThat(ofCluster.refusedBy).isEqualTo(Limit.SHORT_CALLS_PER_CLUSTER);
        assertThat(calls.waiting()).isZero();
    }

    /** Two hundred histories of one thread, whose calls are counted anew after each step. */
    @Test
    void anyHistory_keepsAllLimits_andLetsNoneWaitForAFreeSeat() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            calls = calls(4, 3, 2);
            List<ShortCalls.OfCluster> clusters = List.of(calls.ofCluster(), calls.ofCluster(), calls.ofCluster());
            List<Waits> all = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                List<Waits> seated = all.stream().filter(Waits::isSeated).toList();
                List<Waits> waiting = all.stream().filter(Waits::isWaiting).toList();
                switch (random.nextInt(4)) {
                    case 0, 1 -> {
                        cluster = clusters.get(random.nextInt(3));
                        all.add(new Waits(List.of(ANN, BOB, EVE).get(random.nextInt(3)), 10 + random.nextInt(300)));
                    }
                    case 2 ->
                        seated.stream()
                                .skip(random.nextInt(seated.size() + 1))
                                .findFirst()
                                .ifPresent(Waits::release);
                    default ->
                        waiting.stream()
                                .skip(random.nextInt(waiting.size() + 1))
                                .findFirst()
                                .ifPresent(Waits::giveUp);
                }
                requireFair(all, seed);
            }
        }
    }

    private static void requireFair(List<Waits> all, int seed) {
        Map<ShortCalls.OfCluster, Integer> ofCluster = new HashMap<>();
        Map<List<Object>, Integer> ofCaller = new HashMap<>();
        int total = 0;
        for (Waits waits : all) {
            if (waits.isSeated()) {
                total++;
                ofCluster.merge(waits.at, 1, Integer::sum);
                ofCaller.merge(List.of(waits.at, waits.caller), 1, Integer::sum);
            }
        }
        assertThat(total).as("seed %d", seed).isLessThanOrEqualTo(4);
        assertThat(ofCluster.values()).as("seed %d", seed).allMatch(count -> count <= 3);
        assertThat(ofCaller.values()).as("seed %d", seed).allMatch(count -> count <= 2);
        for (Waits waits : all) {
            if (waits.isWaiting() && total < 4 && ofCluster.getOrDefault(waits.at, 0) < 3) {
                assertThat(ofCaller.getOrDefault(List.of(waits.at, waits.caller), 0))
                        .as("seed %d: a call waits although there is a seat", seed)
                        .isEqualTo(2);
            }
        }
    }

    /** Every call is seated once or refused, and in the end every seat is free, whatever threads race. */
    @Test
    void racingThreads_loseNoSeat_andLeaveNoneWaiting() throws Exception {
        calls = calls(3, 2, 1);
        List<ShortCalls.OfCluster> clusters = List.of(calls.ofCluster(), calls.ofCluster());
        List<CallerName> callers = List.of(ANN, BOB, EVE);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(8 * 5000);
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                Random random = new Random(thread);
                threads.execute(() -> {
                    for (int i = 0; i < 5000; i++) {
                        ShortCalls.OfCluster of = clusters.get(random.nextInt(2));
                        CallerName caller = callers.get(random.nextInt(3));
                        Share share = of.take(caller);
                        if (share != null) {
                            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                            underWay.decrementAndGet();
                            share.release();
                            ended.countDown();
                            continue;
                        }
                        WaitingCall call = call(of, caller, 100, _ -> ended.countDown());
                        call.admission().thenAccept(admitted -> {
                            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                            threads.execute(() -> {
                                underWay.decrementAndGet();
                                admitted.share().release();
                                ended.countDown();
                            });
                        });
                        calls.enqueue(call);
                    }
                });
            }
            assertThat(ended.await(60, TimeUnit.SECONDS))
                    .as("%d did not end", ended.getCount())
                    .isTrue();
        }
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(calls.waiting()).isZero();
        for (ShortCalls.OfCluster of : clusters) {
            callers.forEach(caller -> {
                Share share = of.take(caller);
                assertThat(share).isNotNull();
                share.release();
            });
        }
    }

    private void take(int max, int perClusterMax, int perCallerMax) {
        calls = calls(max, perClusterMax, perCallerMax);
        cluster = calls.ofCluster();
    }

    private Deque<Share> seats(CallerName caller, int count) {
        Deque<Share> seats = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            Share share = cluster.take(caller);
            assertThat(share).isNotNull();
            seats.add(share);
        }
        return seats;
    }

    private List<Waits> wait(CallerName caller, int count) {
        List<Waits> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Waits(caller));
        }
        return all;
    }

    private WaitingCall call(ShortCalls.OfCluster of, CallerName caller, long bytes, Consumer<Limit> refused) {
        return new WaitingCall(calls, of, caller, bytes, ShortCallsTest::admitted, limit -> {
            refused.accept(limit);
            return new StatusException(Status.of(429, "TooManyRequests", limit.key()));
        });
    }

    @SuppressWarnings("NullAway") // What is admitted is of no account here.
    private static Admitted admitted(Share share) {
        return new Admitted(null, share);
    }

    private static ShortCalls calls(int max, int perClusterMax, int perCallerMax) {
        return new ShortCalls(Limited.by(Map.of(
                        "limits.shortCallsMax", max,
                        "limits.shortCallsPerClusterMax", perClusterMax,
                        "limits.shortCallsPerCallerMax", perCallerMax,
                        "limits.queuedBytesMax", 2000,
                        "limits.queuedBytesPerClusterMax", 1000))
                .limits());
    }

    /** A call that found no seat. */
    private final class Waits {
        private final ShortCalls.OfCluster at = cluster;
        private final CallerName caller;
        private final WaitingCall call;
        private @Nullable Limit refusedBy;
        private @Nullable Share seat;
        private boolean gaveUp;

        Waits(CallerName caller) {
            this(caller, 100);
        }

        Waits(CallerName caller, long bytes) {
            this.caller = caller;
            call = call(at, caller, bytes, limit -> refusedBy = limit);
            call.admission().thenAccept(admitted -> seat = admitted.share());
            calls.enqueue(call);
        }

        boolean isSeated() {
            return seat != null;
        }

        boolean isRefused() {
            return refusedBy != null;
        }

        boolean isWaiting() {
            return !isSeated() && !isRefused() && !gaveUp;
        }

        void giveUp() {
            gaveUp = true;
            call.over();
        }

        void release() {
            Share given = Objects.requireNonNull(seat);
            seat = null;
            gaveUp = true;
            given.release();
        }
    }
}
