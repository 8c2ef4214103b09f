package io.fairlead.model;

/**
 * The bytes that one buffer takes from its caller's and its cluster's budgets: from both, or from neither.
 *
 * <p>Threads: any; nothing blocks. Closing releases all and ends the use of the caller's part; closing twice has no
 * further effect.
 */
public final class CallerHold implements AutoCloseable {
    private final ByteBudgets.Use caller;
    private final ByteBudget.Hold ofCaller;
    private final ByteBudget.Hold ofCluster;

    /** The result of taking more. */
    public enum Outcome {
        HELD,
        /** The caller's budget has no room, or the hold is closed. */
        CALLER_FULL,
        /** The cluster's budget has no room, or one enclosing it. */
        CLUSTER_FULL
    }

    /**
     * An empty hold.
     *
     * @param caller the caller's part; owned by the hold from here on
     */
    public CallerHold(ByteBudgets.Use caller, ByteBudget cluster) {
        this.caller = caller;
        this.ofCaller = caller.budget().hold();
        this.ofCluster = cluster.hold();
    }

    /** Takes more; on failure nothing is taken. */
    public Outcome grow(long bytes) {
        if (!ofCaller.grow(bytes)) {
            return Outcome.CALLER_FULL;
        }
        if (!ofCluster.grow(bytes)) {
            ofCaller.shrink(bytes);
            return Outcome.CLUSTER_FULL;
        }
        return Outcome.HELD;
    }

    /** Gives some of it back; nothing happens if the hold is closed. */
    public void shrink(long bytes) {
        ofCaller.shrink(bytes);
        ofCluster.shrink(bytes);
    }

    public long bytes() {
        return ofCluster.bytes();
    }

    /** The caller's part that is charged. */
    public ByteBudget callersPart() {
        return caller.budget();
    }

    @Override
    public void close() {
        ofCaller.close();
        ofCluster.close();
        caller.close();
    }
}
