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
 * Invariant: what the objects under work take, as estimated before they are decoded, is no more than a bound, and those of one
 * cluster and of one caller no more than a part of it, but for a single one: an object beyond a part is worked on while the
 * cluster, or the caller, has no other, and one beyond the bound while there is no other at all, but for the bodies of requests that
 * wait themselves. So it can always be read, made smaller and deleted, and others wait for no more than what it takes.
 *
 * Failure: who finds no room in time is refused. Small requests overtake large ones; a steady stream of them may have a very
 * large one refused.
 */

/**
 * The heap for the objects that requests to hosted clusters read and change.
 *
 * <p>Threads: any; a request waits for room at most as long as an answer does.
 */
public final class WorkMemory {
    private static final String KEY = "limits.hostedWorkBytesMax";

    /** Part of a process for one cluster, and for one caller. */
    private static final int PARTS_OF_CLUSTER = 2;

    private static final int PARTS_OF_CALLER = 4;

    /** What a smaller body takes is counted with its object: those that wait would keep a large object from being alone. */
    private static final long BODY_BYTES_MIN = 1 << 20;

    /** Bytes that become free elsewhere are noticed after this long at the latest. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long bytesMax;
    private final HostedMemory memory;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded, as what follows and the fields of clusters, by the lock. */
    private final Share all = new Share();

    private final Map<CallerName, Share> ofCallers = new HashMap<>();
    private final Set<OfCluster> waiting = new LinkedHashSet<>();

    /** Of which nothing is taken. */
    public WorkMemory(HostedMemory memory) {
        this.bytesMax = memory.workBytesMax();
        this.memory = memory;
    }

    /** The part of a newly opened cluster. */
    public OfCluster ofCluster() {
        return new OfCluster();
    }

    /** What is taken now, as estimated. */
    long taken() {
        lock.lock();
        try {
            return all.taken;
        } finally {
            lock.unlock();
        }
    }

    /** What is taken by the process, a cluster or a caller. */
    private static final class Share {
        private long taken;
        /** Of it by requests that wait for more: two of which each needs to be alone would wait for each other. */
        private long parked;

        /** Whether one that holds so many bytes can have more. */
        boolean fits(long held, long more, long most) {
            return taken + more <= most || taken - parked == held;
        }
    }

    /** The memory of one cluster's objects under work. */
    public final class OfCluster {
        private final Condition freed = lock.newCondition();
        private final Share here = new Share();
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

        private Counted(OfCluster cluster, CallerName caller) {
            this.cluster = cluster;
            this.caller = caller;
        }

        @Override
        public void sends(byte[] body, Form form) {
            this.body = WorkCost.of(body, form);
            if (this.body.toDecode() > BODY_BYTES_MIN) {
                require(this.body.toDecode());
            }
        }

        @Override
        public void creates(Codec codec) {
            require(body.toCreate(codec));
        }

        @Override
        public @Nullable Entry toChange(Codec codec, Supplier<@Nullable Entry> stored) {
            return fitting(stored, cost -> cost.with(body).toChange(codec));
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
                long more = atLeast - held;
                boolean hasRoom = more <= 0 || fits(more);
                if (hasRoom && more > 0) {
                    take(more);
                }
                return hasRoom;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void keepsOnly(long bytes) {
            lock.lock();
            try {
                give(held - bytes);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            keepsOnly(0);
        }

        private void require(long atLeast) {
            lock.lock();
            try {
                long more = atLeast - held;
                if (more <= 0) {
                    return;
                }
                if (!fits(more)) {
                    await(more);
                }
                take(more);
                if (cluster.waiters > 0) {
                    cluster.freed.signal(); // What is free may be enough for another one.
                }
            } finally {
                lock.unlock();
            }
        }

        private void await(long more) {
            long end = System.nanoTime() + memory.patience().toNanos();
            cluster.waiters++;
            waiting.add(cluster);
            try {
                while (!fits(more)) {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        throw noRoom(more);
                    }
                    long parked = held;
                    park(parked);
                    try {
                        cluster.freed.awaitNanos(Math.min(left, LOOK_AGAIN_NANOS));
                    } finally {
                        park(-parked);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw noRoom(more);
            } finally {
                cluster.waiters--;
                if (cluster.waiters == 0) {
                    waiting.remove(cluster);
                }
            }
        }

        private void park(long bytes) {
            all.parked += bytes;
            cluster.here.parked += bytes;
            ofCaller().parked += bytes;
        }

        private boolean fits(long more) {
            return all.fits(held, more, bytesMax)
                    && cluster.here.fits(held, more, bytesMax / PARTS_OF_CLUSTER)
                    && ofCaller().fits(held, more, bytesMax / PARTS_OF_CALLER);
        }

        private Share ofCaller() {
            return ofCallers.getOrDefault(caller, new Share());
        }

        private void take(long more) {
            held += more;
            all.taken += more;
            cluster.here.taken += more;
            Share ofCaller = ofCaller();
            ofCaller.taken += more;
            if (ofCaller.taken == 0) {
                ofCallers.remove(caller);
            } else {
                ofCallers.put(caller, ofCaller);
            }
        }

        private void give(long bytes) {
            if (bytes <= 0) {
                return;
            }
            take(-bytes);
            waiting.forEach(each -> each.freed.signal());
        }

        private StatusException noRoom(long more) {
            memory.reached().accept(KEY);
            return Refusals.tooManyRequests("there is no room for an object to be worked on, which takes about "
                    + (held + more) + " bytes meanwhile (expected at most " + bytesMax + " for all at once, by " + KEY
                    + ", half of it in one cluster and a quarter for one caller; try again later)");
        }
    }
}
