package io.fairlead.gateway.guard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for events of which only a part has come, in all guarded watches together. Any thread.
 *
 * @param eventBytesMax of one event
 * @param bytesMax of all
 */
public record HeldBytes(long eventBytesMax, long bytesMax, AtomicLong held) {
    public static HeldBytes of(long eventBytesMax, long bytesMax) {
        return new HeldBytes(eventBytesMax, bytesMax, new AtomicLong());
    }

    /** Takes memory for more bytes of an event that has some already; false if there is none. */
    boolean take(long has, int more) {
        if (has + more > eventBytesMax) {
            return false;
        }
        if (held.addAndGet(more) > bytesMax) {
            held.addAndGet(-more);
            return false;
        }
        return true;
    }

    void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }
}
