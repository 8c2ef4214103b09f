package io.fairlead.net;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one event loop that wait for the first byte of their answers, in the order in which they are due. There is
 * one timer for all of them, since nearly every call is answered long before. On the event loop.
 */
final class FirstByteWait {
    private final EventLoop loop;
    private final Duration timeout;
    private @Nullable Call first;
    private @Nullable Call last;
    private boolean isTimerSet;

    FirstByteWait(EventLoop loop, Duration timeout) {
        this.loop = loop;
        this.timeout = timeout;
    }

    /** A call waits from now on; it is due when the timeout after a point in time is over. */
    void add(Call call, long sinceNanos) {
        call.dueNanos = sinceNanos + timeout.toNanos();
        Call before = last;
        while (before != null && call.dueNanos - before.dueNanos < 0) {
            before = before.dueBefore;
        }
        insertBehind(before, call);
        setTimer();
    }

    /** A call waits no more. */
    void remove(Call call) {
        Call before = call.dueBefore;
        Call after = call.dueAfter;
        if (before == null) {
            first = after;
        } else {
            before.dueAfter = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.dueBefore = before;
        }
        call.dueBefore = null;
        call.dueAfter = null;
    }

    /** The call that is due first; null if none waits. */
    @Nullable
    Call first() {
        return first;
    }

    private void insertBehind(@Nullable Call before, Call call) {
        Call after = before == null ? first : before.dueAfter;
        call.dueBefore = before;
        call.dueAfter = after;
        if (before == null) {
            first = call;
        } else {
            before.dueAfter = call;
        }
        if (after == null) {
            last = call;
        } else {
            after.dueBefore = call;
        }
    }

    private void setTimer() {
        Call next = first;
        if (next != null && !isTimerSet) {
            isTimerSet = true;
            loop.schedule(this::look, next.dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    /** The first call may have been answered since the timer was set; then it is set for the one that is first now. */
    private void look() {
        isTimerSet = false;
        try {
            for (Call due = first; due != null && due.dueNanos - System.nanoTime() <= 0; due = first) {
                remove(due);
                due.firstByteIsDue(this, timeout);
            }
        } finally {
            setTimer();
        }
    }
}
