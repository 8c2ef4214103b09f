package io.fairlead.model;

/**
 * What one buffer holds of its caller's bytes and of its cluster's: of both, or of neither.
 *
 * <p>Threads: any; nothing blocks. Closing gives all back and ends the use of the caller's part; closing twice is closing once.
 */
public final class CallerHold implements AutoCloseable {
    private final ByteBudgets.Use caller;
    private final ByteBudget.Hold ofCaller;
    private final ByteBudget.Hold ofCluster;

    /** What came of the wish for more. */
    public enum Outcome {
        HELD,
        /** The caller has no room for it, or the hold is closed. */
        CALLER_FULL,
        /** The cluster has none, or what its budget is a part of. */
        CLUSTER_FULL
    }

    /**
     * Holds nothing yet.
     *
     * @param caller the caller's part; the hold's from here on
     */
    public CallerHold(ByteBudgets.Use caller, ByteBudget cluster) {
        this.caller = caller;
        this.ofCaller = caller.budget().hold();
        this.ofCluster = cluster.hold();
    }

    /** Takes more; nothing is changed unless it is held. */
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

    /** The caller's part, of which this is held. */
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
