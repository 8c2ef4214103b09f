package io.fairlead.gateway.listen;

import io.fairlead.config.ByteSize;
import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.DirectMemory;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/*
 * Before a head is complete its sender is unknown, and the sender chooses how much of it arrives, and when. Incomplete
 * input takes direct memory, which is exhausted long before the number of connections is. So there is one budget for
 * all of it: incomplete TLS records, heads of HTTP/1.1, frames and header blocks of HTTP/2.
 *
 * The connection that exceeds it is not necessarily at fault, so none is refused: those that hold the most for the
 * longest time are closed, until a part of the budget is free again. A head that arrives in one piece is never counted,
 * and an arriving body starts again with each record, so neither is closed before connections that only wait.
 */
/**
 * The bytes of all connections that are kept until the rest arrives.
 *
 * <p>Threads: any; nothing blocks. The bytes of a connection to be closed count as free at once, shortly before they
 * are.
 */
final class UnparsedBytes {
    /** The part of the budget that stays used after connections were closed. */
    private static final int USED_PARTS = 7;

    private static final int PARTS = 8;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long bytesMax;
    private final LongSupplier nanoTime;
    private final AtomicLong total = new AtomicLong();
    private final Set<Part> parts = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean shedding = new AtomicBoolean();

    /** By default a quarter of the direct memory: growing buffers briefly take twice their size, and answers need room. */
    static UnparsedBytes of(LimitSettings limits, LongSupplier nanoTime) {
        ByteSize given = limits.unparsedBytesMax();
        return new UnparsedBytes(given == null ? DirectMemory.bytesMax() / 4 : given.bytes(), nanoTime);
    }

    /** The clock is {@code System::nanoTime} except in tests. */
    UnparsedBytes(long bytesMax, LongSupplier nanoTime) {
        this.bytesMax = bytesMax;
        this.nanoTime = nanoTime;
    }

    /**
     * One buffer of a connection.
     *
     * @param shed closes the connection, from any thread; called at most once
     */
    Part part(Runnable shed) {
        return new Part(shed);
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
        return parts.stream()
                .map(part -> new Weighed(part, part.weight(now)))
                .sorted(Comparator.comparingLong(Weighed::weight).reversed())
                .toList();
    }

    private record Weighed(Part part, long weight) {}

    /** The bytes that one buffer of a connection holds. */
    final class Part {
        private final Runnable shed;
        private long bytes;
        private long since;
        private boolean ended;

        private Part(Runnable shed) {
            this.shed = shed;
        }

        /**
         * Sets the bytes held now.
         *
         * @param begun whether everything held before has been parsed
         */
        void hold(long newBytes, boolean begun) {
            if (change(newBytes, begun) && total.get() > bytesMax) {
                shed();
            }
        }

        /** The connection is closed, or its bytes are no longer counted. */
        synchronized void end() {
            change(0, true);
            ended = true;
        }

        private synchronized boolean change(long newBytes, boolean begun) {
            if (ended || (newBytes == 0 && bytes == 0)) {
                return false;
            }
            if (bytes == 0) {
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

        /** Bytes multiplied by the time they have been held. */
        private synchronized long weight(long now) {
            return bytes * (1 + Math.max(0, now - since) / NANOS_PER_MILLI);
        }

        private long giveUp() {
            long given;
            synchronized (this) {
                given = bytes;
                if (given == 0) {
                    return 0;
                }
                end();
            }
            shed.run();
            return given;
        }
    }
}
