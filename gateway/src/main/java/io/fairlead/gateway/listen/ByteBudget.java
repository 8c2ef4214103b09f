package io.fairlead.gateway.listen;

import io.fairlead.config.ByteSize;
import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.DirectMemory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Clients choose how much of a request arrives and how much of an answer they read, and when. Meanwhile the rest takes
 * direct memory, which is exhausted long before the number of connections or streams is. So there are two budgets:
 *
 * - unparsed: incomplete TLS records, heads of HTTP/1.1, frames and header blocks of HTTP/2. Their sender is unknown
 *   before a head is complete. A head that arrives in one piece is never counted, and an arriving body starts again with
 *   each record, so neither is closed before connections that only wait.
 * - unread: what a flush leaves of answers, since the client does not read them, and what waits at their source. An answer
 *   of which the client reads starts again, so a slow reader is not ended before one that reads nothing.
 *
 * The client that exceeds a budget is not necessarily at fault, so none is refused: those that hold the most for the
 * longest time are ended, until a part of the budget is free again. Of unread answers it is known whose they are: first are
 * those of the cluster with the most, and of these those of the caller with the most, who may have many names in one cluster.
 */
/**
 * The bytes of all clients that are kept until each of them sends or reads more.
 *
 * <p>Threads: any; nothing blocks. The bytes of a client to be ended count as free at once, shortly before they are.
 */
final class ByteBudget {
    /** The part of the budget that stays used after some were ended. */
    private static final int USED_PARTS = 7;

    private static final int PARTS = 8;
    private static final int DIRECT_PARTS = 4;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long bytesMax;
    private final LongSupplier nanoTime;
    private final AtomicLong total = new AtomicLong();
    private final Set<Part> parts = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean shedding = new AtomicBoolean();

    /** Of requests. Growing buffers briefly take twice their size. */
    static ByteBudget unparsed(LimitSettings limits, LongSupplier nanoTime) {
        return of(limits.unparsedBytesMax(), nanoTime);
    }

    /** Of answers. A piece that waits may keep a buffer of twice its size. */
    static ByteBudget unread(LimitSettings limits, LongSupplier nanoTime) {
        return of(limits.unreadBytesMax(), nanoTime);
    }

    private static ByteBudget of(@Nullable ByteSize given, LongSupplier nanoTime) {
        return new ByteBudget(ByteSize.bytes(given, DirectMemory.bytesMax() / DIRECT_PARTS), nanoTime);
    }

    /** The clock is {@code System::nanoTime} except in tests. */
    ByteBudget(long bytesMax, LongSupplier nanoTime) {
        this.bytesMax = bytesMax;
        this.nanoTime = nanoTime;
    }

    /**
     * One buffer of a client that is not known.
     *
     * @param shed ends its connection, from any thread
     */
    Part part(Runnable shed) {
        return part(() -> Holder.UNKNOWN, _ -> shed.run());
    }

    /**
     * One buffer of a client.
     *
     * @param holder the client, asked when it begins to hold bytes
     * @param shed ends its answer, from any thread, unless its client has read most of so many bytes: then it counts again
     */
    Part part(Supplier<Holder> holder, LongConsumer shed) {
        return new Part(holder, shed);
    }

    /** The bytes held. */
    long total() {
        return total.get();
    }

    private void shed() {
        if (!shedding.compareAndSet(false, true)) {
            return;
        }
        try {
            long excess = total.get() - bytesMax / PARTS * USED_PARTS;
            for (Weighed heaviest : heaviestFirst()) {
                if (excess <= 0) {
                    break;
                }
                excess -= heaviest.part().giveUp();
            }
        } finally {
            shedding.set(false);
        }
    }

    /** Weights change during a comparison: compute each once. */
    private List<Weighed> heaviestFirst() {
        long now = nanoTime.getAsLong();
        List<Weighed> weighed = parts.stream().map(part -> part.weighed(now)).toList();
        Map<Object, Long> ofClusters = new HashMap<>();
        Map<Holder, Long> ofHolders = new HashMap<>();
        for (Weighed one : weighed) {
            ofClusters.merge(one.holder().cluster(), one.bytes(), Long::sum);
            ofHolders.merge(one.holder(), one.bytes(), Long::sum);
        }
        return weighed.stream()
                .sorted(Comparator.<Weighed>comparingLong(
                                one -> ofClusters.getOrDefault(one.holder().cluster(), 0L))
                        .thenComparingLong(one -> ofHolders.getOrDefault(one.holder(), 0L))
                        .thenComparingLong(Weighed::weight)
                        .reversed())
                .toList();
    }

    /**
     * Whose bytes count together.
     *
     * @param cluster whose answer it is
     * @param caller who asked for it
     */
    record Holder(Object cluster, Object caller) {
        static final Holder UNKNOWN = new Holder("", "");
    }

    /**
     * A part now.
     *
     * @param weight its bytes multiplied by the time they have been held
     */
    private record Weighed(Part part, Holder holder, long bytes, long weight) {}

    /** The bytes that one buffer of a client holds. */
    final class Part {
        private final Supplier<Holder> holderNow;
        private final LongConsumer shed;
        private Holder holder = Holder.UNKNOWN;
        private long bytes;
        private long since;
        private boolean ended;

        private Part(Supplier<Holder> holderNow, LongConsumer shed) {
            this.holderNow = holderNow;
            this.shed = shed;
        }

        /**
         * Sets the bytes held now.
         *
         * @param begun whether the client has sent or read something since
         */
        void hold(long newBytes, boolean begun) {
            if (change(newBytes, begun) && total.get() > bytesMax) {
                shed();
            }
        }

        /** Its bytes are no longer counted. */
        synchronized void end() {
            change(0, true);
            ended = true;
        }

        private synchronized boolean change(long newBytes, boolean begun) {
            if (ended || (newBytes == 0 && bytes == 0)) {
                return false;
            }
            if (bytes == 0) {
                holder = holderNow.get();
                parts.add(this);
            } else if (newBytes == 0) {
                parts.remove(this);
            }
            if (begun || bytes == 0) {
                since = nanoTime.getAsLong();
            }
            long more = newBytes - bytes;
            bytes = newBytes;
            total.addAndGet(more);
            return more > 0;
        }

        private synchronized Weighed weighed(long now) {
            return new Weighed(this, holder, bytes, bytes * (1 + Math.max(0, now - since) / NANOS_PER_MILLI));
        }

        private long giveUp() {
            long given;
            synchronized (this) {
                given = bytes;
                if (given == 0) {
                    return 0;
                }
                change(0, true);
            }
            shed.accept(given);
            return given;
        }
    }
}
