package io.fairlead.gateway.flow;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.model.CallerName;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The seats of short calls: in total, of each cluster, and of each caller in a cluster. A call without a seat waits.
 *
 * <p>A free seat goes to the cluster that has the fewest calls under way, and there to the caller that has the fewest; among
 * equal ones to the one that was not served for longest. If the queue has no room, the newest call of the caller that takes most
 * of it is refused. So the calls of a caller that sends much wait for one another, and those of others are next. API Priority
 * and Fairness (KEP-1040) aims at the same; it deals callers to a fixed number of queues, where two can meet in one.
 * Here each caller has its own, which exists as long as its calls wait.
 *
 * <p>Threads: any. Taking a seat takes no lock, nor does giving one back, as long as no call waits.
 */
final class ShortCalls {
    private static final Comparator<Queue> BY_BYTES = Comparator.comparingLong(queue -> queue.bytes);

    private final LimitSettings limits;
    private final Quota seats;

    /** All that have waiting calls, those served last at the end; guarded by this object, as everything that waits. */
    private final Set<OfCluster> crowded = new LinkedHashSet<>();

    private final AtomicInteger waiting = new AtomicInteger();
    private long waitingBytes;

    ShortCalls(LimitSettings limits) {
        this.limits = limits;
        this.seats = new Quota(Limit.SHORT_CALLS, limits.shortCallsMax());
    }

    /** The calls of a cluster, none yet. */
    OfCluster ofCluster() {
        return new OfCluster();
    }

    /** How many calls wait. */
    int waiting() {
        return waiting.get();
    }

    /** Lets a call wait. It, or one that waits already, may be refused for want of room. */
    synchronized void enqueue(WaitingCall call) {
        if (makesRoom(call)) {
            add(call);
        }
        seatNext(); // A seat may have become free since the call found none.
    }

    /** Refuses others until there is room for a call, or the call itself; then it is false. */
    private boolean makesRoom(WaitingCall call) {
        OfCluster cluster = call.cluster();
        while (cluster.bytes + call.bytes() > limits.queuedBytesPerClusterMax().bytes()) {
            if (!refuseOne(cluster, call, Limit.QUEUED_BYTES_PER_CLUSTER)) {
                return false;
            }
        }
        while (waitingBytes + call.bytes() > limits.queuedBytesMax().bytes()) {
            OfCluster fullest = crowded.stream()
                    .max(Comparator.comparingLong(other -> other.bytes))
                    .filter(other -> other.bytes > cluster.bytes + call.bytes())
                    .orElse(cluster);
            if (!refuseOne(fullest, call, Limit.QUEUED_BYTES)) {
                return false;
            }
        }
        return true;
    }

    /** Drops a call that gives up; false if it has its seat, or its refusal, already. */
    synchronized boolean withdraw(WaitingCall call) {
        Queue queue = call.cluster().queues.get(call.caller());
        if (queue == null || !queue.calls.contains(call)) {
            return false;
        }
        remove(call, queue);
        return true;
    }

    /** Refuses the newest call of the caller that takes most of the room, which can be the new call; then it is false. */
    private boolean refuseOne(OfCluster cluster, WaitingCall forCall, Limit limit) {
        Queue own = forCall.cluster() == cluster ? cluster.queues.get(forCall.caller()) : null;
        long ownBytes = (own == null ? 0 : own.bytes) + forCall.bytes();
        Queue longest = cluster.queues.values().stream()
                .max(BY_BYTES)
                .filter(queue -> queue.bytes > ownBytes)
                .orElse(null);
        if (longest == null) {
            forCall.refuse(limit);
            return false;
        }
        WaitingCall newest = longest.calls.getLast();
        remove(newest, longest);
        newest.refuse(limit);
        return true;
    }

    private void add(WaitingCall call) {
        OfCluster cluster = call.cluster();
        Queue queue = cluster.queues.computeIfAbsent(call.caller(), _ -> new Queue());
        queue.calls.addLast(call);
        queue.bytes += call.bytes();
        cluster.bytes += call.bytes();
        cluster.crowded = true;
        crowded.add(cluster);
        waitingBytes += call.bytes();
        waiting.incrementAndGet();
    }

    /** The queue, and the cluster, get the last place among equal ones. */
    private void remove(WaitingCall call, Queue queue) {
        OfCluster cluster = call.cluster();
        queue.calls.remove(call);
        queue.bytes -= call.bytes();
        cluster.queues.remove(call.caller());
        if (!queue.calls.isEmpty()) {
            cluster.queues.put(call.caller(), queue);
        }
        cluster.bytes -= call.bytes();
        crowded.remove(cluster);
        cluster.crowded = !cluster.queues.isEmpty();
        if (cluster.crowded) {
            crowded.add(cluster);
        }
        waitingBytes -= call.bytes();
        waiting.decrementAndGet();
    }

    private synchronized void seatNext() {
        for (WaitingCall next = next(); next != null; next = next()) {
            if (!take(next.cluster(), next.caller())) {
                return; // Another call took the seat; when it ends, this is done again.
            }
            remove(next, Objects.requireNonNull(next.cluster().queues.get(next.caller())));
            next.seat(share(next.cluster(), next.caller()));
        }
    }

    private @Nullable WaitingCall next() {
        if (seats.isFull()) {
            return null;
        }
        WaitingCall next = null;
        for (OfCluster cluster : crowded) {
            if (!cluster.seats.isFull()
                    && (next == null
                            || cluster.seats.taken() < next.cluster().seats.taken())) {
                WaitingCall first = cluster.next();
                next = first == null ? next : first;
            }
        }
        return next;
    }

    private boolean take(OfCluster cluster, CallerName caller) {
        if (!cluster.takeOfCaller(caller)) {
            return false;
        }
        if (!cluster.seats.take()) {
            cluster.giveBackOfCaller(caller);
            return false;
        }
        if (!seats.take()) {
            cluster.seats.giveBack();
            cluster.giveBackOfCaller(caller);
            return false;
        }
        return true;
    }

    private Share share(OfCluster cluster, CallerName caller) {
        return new Share(() -> giveBack(cluster, caller));
    }

    /** Waiting calls are counted before they look for a seat again, and looked at after one is given back: none is missed. */
    private void giveBack(OfCluster cluster, CallerName caller) {
        seats.giveBack();
        cluster.seats.giveBack();
        cluster.giveBackOfCaller(caller);
        if (waiting.get() > 0) {
            seatNext();
        }
    }

    /** The calls of one caller that wait, in order. */
    private static final class Queue {
        private final ArrayDeque<WaitingCall> calls = new ArrayDeque<>();
        private long bytes;
    }

    /** The short calls of one cluster. */
    final class OfCluster {
        private final Quota seats = new Quota(Limit.SHORT_CALLS_PER_CLUSTER, limits.shortCallsPerClusterMax());

        /** Of callers with at least one call under way, how many. */
        private final ConcurrentMap<CallerName, Integer> callers = new ConcurrentHashMap<>();

        /** Of callers with waiting calls, those served last at the end. */
        private final Map<CallerName, Queue> queues = new LinkedHashMap<>();

        private long bytes;

        /** Whether calls wait; written under the lock only. */
        private volatile boolean crowded;

        /** A seat for a call of this caller; null if the call has to wait. */
        @Nullable
        Share take(CallerName caller) {
            return !crowded && ShortCalls.this.take(this, caller) ? share(this, caller) : null;
        }

        /** Which limit leaves a call of this caller without a seat now. */
        Limit inTheWay(CallerName caller) {
            return underWay(caller) >= limits.shortCallsPerCallerMax()
                    ? Limit.SHORT_CALLS_PER_CALLER
                    : seats.isFull() ? Limit.SHORT_CALLS_PER_CLUSTER : Limit.SHORT_CALLS;
        }

        private int underWay(CallerName caller) {
            return callers.getOrDefault(caller, 0);
        }

        /** The first call of the caller that has the fewest under way, and may have more. */
        private @Nullable WaitingCall next() {
            WaitingCall next = null;
            int fewest = limits.shortCallsPerCallerMax();
            for (Map.Entry<CallerName, Queue> queue : queues.entrySet()) {
                int underWay = underWay(queue.getKey());
                if (underWay < fewest) {
                    fewest = underWay;
                    next = queue.getValue().calls.getFirst();
                }
            }
            return next;
        }

        private boolean takeOfCaller(CallerName caller) {
            if (callers.merge(caller, 1, Integer::sum) <= limits.shortCallsPerCallerMax()) {
                return true;
            }
            giveBackOfCaller(caller);
            return false;
        }

        private void giveBackOfCaller(CallerName caller) {
            callers.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
