package io.fairlead.gateway.usage;

import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.usage.CallerUsage.Kind;

/** One request as it is counted. On its event loop. */
public final class Used implements Outcome {
    private final CallerUsage usage;
    private final Outcome measured;
    private final int bytes;
    private Kind kind;
    private boolean isOver;

    /**
     * A request that has begun.
     *
     * @param measured observes it too
     * @param bytes what it keeps in the heap
     */
    Used(CallerUsage usage, Outcome measured, Kind kind, int bytes) {
        this.usage = usage;
        this.measured = measured;
        this.kind = kind;
        this.bytes = bytes;
        usage.hold(bytes);
    }

    /** A short call waits for its seat. */
    public void waits() {
        become(Kind.WAITING);
    }

    /** It has its seat. */
    public void goesOn() {
        become(Kind.SHORT_CALL);
    }

    @Override
    public void answered(int code) {
        measured.answered(code);
    }

    @Override
    public void events(int count) {
        measured.events(count);
    }

    @Override
    public void over() {
        measured.over();
        isOver = true;
        usage.hold(-bytes);
        usage.end(kind);
    }

    /** A client can leave between two steps of its request; what is over is counted no more. */
    private void become(Kind next) {
        if (!isOver) {
            usage.change(kind, next);
            kind = next;
        }
    }
}
