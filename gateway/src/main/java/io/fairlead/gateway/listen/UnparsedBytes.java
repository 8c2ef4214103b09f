package io.fairlead.gateway.listen;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/*
 * Before a head is complete nothing is known of its sender, and everything about it is the sender's choice: how much of it
 * comes, and when. What is held of it takes direct memory, which ends long before the number of connections does. So there is
 * one budget for all of it: incomplete TLS records, heads of HTTP/1.1, frames and header blocks of HTTP/2.
 *
 * The connection that goes beyond it is not necessarily at fault, so none is refused: those are closed that hold the most for the longest
 * time, until a part of the budget is free again. A head that comes in one piece is never counted at all, and a body that
 * arrives begins anew with each record, so that neither is closed in the place of those who only wait.
 */
/**
 * The bytes of all connections that are kept until more of them come.
 *
 * <p>Threads: any; nothing blocks. What was taken from a connection that is closed for it counts as free at once, shortly
 * before it is.
 */
final class UnparsedBytes {
    /** Of the budget so many parts are used after connections were closed. */
    private static final int USED_PARTS = 7;

    private static final int PARTS = 8;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long bytesMax;
    private final LongSupplier nanoTime;
    private final AtomicLong total = new AtomicLong();
    private final Set<Part> parts = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean shedding = new AtomicBoolean();

    /** The clock is {@code System::nanoTime} but for tests. */
    UnparsedBytes(long bytesMax, LongSupplier nanoTime) {
        this.bytesMax = bytesMax;
        this.nanoTime = nanoTime;
    }

    /**
     * One buffer of a connection.
     *
     * @param shed closes the connection, from any thread; called once at most
     */
    Part part(Runnable shed) {
        return new Part(shed);
    }

    /** How many bytes are held. */
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

    /** Weights change while they are compared: they are taken once. */
    private List<Weighed> heaviestFirst() {
        long now = nanoTime.getAsLong();
        return parts.stream()
                .map(part -> new Weighed(part, part.weight(now)))
                .sorted(Comparator.comparingLong(Weighed::weight).reversed())
                .toList();
    }

    private record Weighed(Part part, long weight) {}

    /** What one buffer of a connection holds. */
    final class Part {
        private final Runnable shed;
        private long bytes;
        private long since;
        private boolean ended;

        private Part(Runnable shed) {
            this.shed = shed;
        }

        /**
         * Says how much is held now.
         *
         * @param begun whether all that was held before is parsed by now
         */
        void hold(long newBytes, boolean begun) {
            if (change(newBytes, begun) && total.get() > bytesMax) {
                shed();
            }
        }

        /** The connection is closed, or what it holds is counted no longer. */
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

        /** For how long how much has been held. */
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
