package io.fairlead.gateway.usage;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What one caller uses in one cluster. Any thread. */
final class CallerUsage {
    private final AtomicLong requests = new AtomicLong();
    private final AtomicInteger shortCalls = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger watches = new AtomicInteger();
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Of the last sweep; written by that alone. */
    private long requestsBefore;

    private volatile boolean isGone;

    /** What a request counts as. */
    enum Kind {
        SHORT_CALL,
        WAITING,
        WATCH,
        STREAM
    }

    /** A request begins; false if another one has to be used, since this one was dropped. */
    boolean begin(Kind kind) {
        of(kind).incrementAndGet();
        if (isGone) {
            of(kind).decrementAndGet();
            return false;
        }
        requests.incrementAndGet();
        return true;
    }

    /** A request under way counts as another kind; as none in no moment. */
    void change(Kind from, Kind to) {
        of(to).incrementAndGet();
        of(from).decrementAndGet();
    }

    void end(Kind kind) {
        of(kind).decrementAndGet();
    }

    void hold(long change) {
        bytes.addAndGet(change);
    }

    /** Drops it if nothing is under way and nothing was since the last time. One thread. */
    boolean isDroppedIfIdle() {
        long requestsNow = requests.get();
        boolean isIdle = !isUsed() && requestsNow == requestsBefore;
        requestsBefore = requestsNow;
        if (isIdle) {
            isGone = true;
            if (isUsed()) { // One has begun meanwhile, and sees either this or the next line.
                isGone = false;
            }
        }
        return isGone;
    }

    /** In this order: a call that gets its seat has it before it stops to wait. */
    private boolean isUsed() {
        return waiting.get() + shortCalls.get() + watches.get() + streams.get() > 0;
    }

    private AtomicInteger of(Kind kind) {
        return switch (kind) {
            case SHORT_CALL -> shortCalls;
            case WAITING -> waiting;
            case WATCH -> watches;
            case STREAM -> streams;
        };
    }

    Counts counts() {
        return new Counts(requests.get(), shortCalls.get(), waiting.get(), watches.get(), streams.get(), bytes.get());
    }
}
