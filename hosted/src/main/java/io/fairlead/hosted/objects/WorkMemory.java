package io.fairlead.hosted.objects;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.CallerName;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/*
 * Problem: a request of a few bytes has an object read that is many times as large, and decoded it takes many times as much
 * again: a text of 4 MB with 180,000 members becomes 45 MB, and to change it takes 440 MB. A caller may send hundreds at once.
 *
 * Invariant: what the objects under work take, as estimated before they are decoded, is no more than a bound, but for what is worked
 * on alone. Half of it is the lane of ordinary work, the other half that of work so large that a caller would have no other beside
 * it; of that a caller has one at a time. So large work waits for large work alone. A cluster has no more than half of a lane.
 *
 * What is beyond a part of its lane is worked on while the cluster, the caller or the lane has no other, but for those that wait for
 * more of it themselves: two would else wait for each other. What waits for the other lane counts as before: large work waits for no
 * ordinary work, so that it ends. A change beyond the whole bound is refused. An object that was stored with a
 * larger heap can still be read, and so deleted.
 *
 * Failure: who finds no room in time is refused. Small requests overtake larger ones of their lane; a steady stream of them may
 * have a larger one refused.
 */
/**
 * The heap for the objects that requests to hosted clusters read and change.
 *
 * <p>Threads: any; a request waits for room at most as long as an answer does.
 */
public final class WorkMemory {
    private static final String KEY = "limits.hostedWorkBytesMax";

    private static final int LANES = 2;
    private static final int PARTS_OF_CLUSTER = 2;
    private static final int PARTS_OF_CALLER = 4;

    /** What a smaller body takes is counted with its object: those that wait would keep a large object from being alone. */
    private static final long BODY_BYTES_MIN = 1 << 20;

    /** Bytes that become free elsewhere are noticed after this long at the latest. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final HostedMemory memory;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded, as what follows and the fields of clusters, by the lock. */
    private final Lane ordinary;

    private final Lane large;
    private final Set<OfCluster> waiting = new LinkedHashSet<>();

    /** Of which nothing is taken. */
    public WorkMemory(HostedMemory memory) {
        this.memory = memory;
        long lane = memory.workBytesMax() / LANES;
        this.ordinary = new Lane(lane, lane / PARTS_OF_CALLER);
        this.large = new Lane(lane, 0);
    }

    /** The part of a newly opened cluster. */
    public OfCluster ofCluster() {
        return new OfCluster();
    }

    /** What is taken now, as estimated. */
    long taken() {
        lock.lock();
        try {
            return ordinary.all.taken + large.all.taken;
        } finally {
            lock.unlock();
        }
    }

    /** What is taken of a lane, by all, a cluster or a caller. */
    private static final class Share {
        private long taken;
        /** Of it by requests that wait for more: two of which each needs to be alone would wait for each other. */
        private long parked;

        void change(long takenMore, long parkedMore) {
            taken += takenMore;
            parked += parkedMore;
        }

        boolean isEmpty() {
            return taken == 0 && parked == 0;
        }

        /** Whether one that holds so many bytes can have more. */
        boolean fits(long held, long more, long most) {
            return taken + more <= most || taken - parked == held;
        }
    }

    /** Work that waits for no other than of its own lane. */
    private static final class Lane {
        private final long bytesMax;
        private final long callerBytesMax;
        private final Share all = new Share();
        private final Map<OfCluster, Share> ofClusters = new HashMap<>();
        private final Map<CallerName, Share> ofCallers = new HashMap<>();

        /** If a caller has none of it, it has one request at a time. */
        Lane(long bytesMax, long callerBytesMax) {
            this.bytesMax = bytesMax;
            this.callerBytesMax = callerBytesMax;
        }

        boolean fits(Counted work, long held, long more) {
            return all.fits(held, more, bytesMax)
                    && share(ofClusters, work.cluster).fits(held, more, bytesMax / PARTS_OF_CLUSTER)
                    && share(ofCallers, work.caller).fits(held, more, callerBytesMax);
        }

        void take(Counted work, long bytes) {
            change(work, bytes, 0);
        }

        void park(Counted work, long bytes) {
            change(work, 0, bytes);
        }

        private void change(Counted work, long taken, long parked) {
            all.change(taken, parked);
            change(ofClusters, work.cluster, taken, parked);
            change(ofCallers, work.caller, taken, parked);
        }

        private static <T> Share share(Map<T, Share> shares, T of) {
            return shares.getOrDefault(of, new Share());
        }

        private static <T> void change(Map<T, Share> shares, T of, long taken, long parked) {
            Share share = shares.computeIfAbsent(of, _ -> new Share());
            share.change(taken, parked);
            if (share.isEmpty()) {
                shares.remove(of);
            }
        }
    }

    /** The memory of one cluster's objects under work. */
    public final class OfCluster {
        private final Condition freed = lock.newCondition();
        private int waiters;

        private OfCluster() {}

        /** The work of one request, empty at first. */
        public Work begin(CallerName caller) {
            return new Counted(this, caller);
        }
    }

    /**
     * A look at a stored object.
     *
     * @param needed what it needs; 0 if that is taken, or there is none
     */
    private record Look(@Nullable Entry entry, long needed) {}

    /** The work of one request. */
    private final class Counted implements Work {
        private final OfCluster cluster;
        private final CallerName caller;
        private WorkCost body = WorkCost.of(new byte[0], Form.JSON);

        /** Guarded by the lock: an answer is closed by the thread that writes it and by one that hears that its client left. */
        private long held;

        private Lane lane = ordinary;

        private Counted(OfCluster cluster, CallerName caller) {
            this.cluster = cluster;
            this.caller = caller;
        }

        @Override
        public void sends(byte[] body, Form form) {
            this.body = WorkCost.of(body, form);
            if (this.body.toDecode() > BODY_BYTES_MIN) {
                require(changing(this.body.toDecode()));
            }
        }

        @Override
        public void creates(Codec codec) {
            require(changing(body.toCreate(codec)));
        }

        @Override
        public @Nullable Entry toChange(Codec codec, Supplier<@Nullable Entry> stored) {
            return fitting(stored, cost -> changing(cost.with(body).toChange(codec)));
        }

        @Override
        public @Nullable Entry toRead(Codec codec, Supplier<@Nullable Entry> stored) {
            return fitting(stored, cost -> cost.toRead(codec));
        }

        private @Nullable Entry fitting(Supplier<@Nullable Entry> stored, ToLongFunction<WorkCost> cost) {
            while (true) {
                Look look = look(stored.get(), cost);
                if (look.needed() == 0) {
                    return look.entry();
                }
                require(look.needed());
            }
        }

        /** An entry for which there is room, or what it needs: hundreds may wait, and must not keep their entries. */
        private Look look(@Nullable Entry entry, ToLongFunction<WorkCost> cost) {
            if (entry == null) {
                return new Look(null, 0);
            }
            long needed = cost.applyAsLong(WorkCost.of(entry.value(), Form.JSON));
            return isTaken(needed) ? new Look(entry, 0) : new Look(null, needed);
        }

        private boolean isTaken(long atLeast) {
            lock.lock();
            try {
                if (!fits(atLeast)) {
                    return false;
                }
                take(atLeast);
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** What a change needs. */
        private long changing(long bytes) {
            if (bytes > memory.workBytesMax()) {
                memory.reached().accept(KEY);
                throw Refusals.tooLarge("an object of this size and with so many fields takes about " + bytes
                        + " bytes while it is changed (expected at most " + memory.workBytesMax() + ", by " + KEY
                        + "; what is stored stays as it is, and can be read, and deleted if it has no finalizers)");
            }
            return bytes;
        }

        @Override
        public void keepsOnly(long bytes) {
            lock.lock();
            try {
                if (bytes < held) {
                    put(isOrdinaryNow(bytes) ? ordinary : lane, bytes);
                    waiting.forEach(each -> each.freed.signal());
                }
            } finally {
                lock.unlock();
            }
        }

        /** So that an answer that is read slowly does not keep a place among the large ones. */
        private boolean isOrdinaryNow(long bytes) {
            return lane == ordinary || (bytes <= ordinary.callerBytesMax && ordinary.fits(this, 0, bytes));
        }

        @Override
        public void close() {
            keepsOnly(0);
        }

        private void require(long atLeast) {
            lock.lock();
            try {
                if (!fits(atLeast)) {
                    await(atLeast);
                }
                take(atLeast);
                if (cluster.waiters > 0) {
                    cluster.freed.signal(); // What is free may be enough for another one.
                }
            } finally {
                lock.unlock();
            }
        }

        private void await(long atLeast) {
            long end = System.nanoTime() + memory.patience().toNanos();
            cluster.waiters++;
            waiting.add(cluster);
            try {
                while (!fits(atLeast)) {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        throw noRoom(atLeast);
                    }
                    Lane parkedIn = lane;
                    long parked = laneOf(atLeast) == parkedIn ? held : 0;
                    parkedIn.park(this, parked);
                    try {
                        cluster.freed.awaitNanos(Math.min(left, LOOK_AGAIN_NANOS));
                    } finally {
                        parkedIn.park(this, -parked);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw noRoom(atLeast);
            } finally {
                cluster.waiters--;
                if (cluster.waiters == 0) {
                    waiting.remove(cluster);
                }
            }
        }

        private boolean fits(long atLeast) {
            Lane wanted = laneOf(atLeast);
            long heldThere = wanted == lane ? held : 0;
            return atLeast <= held || wanted.fits(this, heldThere, atLeast - heldThere);
        }

        private void take(long atLeast) {
            if (atLeast > held) {
                put(laneOf(atLeast), atLeast);
            }
        }

        /** Large work stays so until it keeps little. */
        private Lane laneOf(long atLeast) {
            return lane == large || atLeast > ordinary.callerBytesMax ? large : ordinary;
        }

        private void put(Lane to, long bytes) {
            lane.take(this, -held);
            lane = to;
            held = bytes;
            lane.take(this, held);
        }

        private StatusException noRoom(long atLeast) {
            memory.reached().accept(KEY);
            boolean isLarge = laneOf(atLeast) == large;
            return Refusals.tooManyRequests(
                    "there is no room for an object to be worked on, which takes about " + atLeast
                            + " bytes meanwhile (expected at most " + ordinary.bytesMax + " for all "
                            + (isLarge ? "that take more than " + ordinary.callerBytesMax + " each" : "at once")
                            + ", half of " + KEY + ", half of that in one cluster and "
                            + (isLarge ? "one at a time" : "a quarter") + " for one caller; try again later)");
        }
    }
}
