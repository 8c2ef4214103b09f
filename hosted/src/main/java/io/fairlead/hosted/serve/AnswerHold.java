package io.fairlead.hosted.serve;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ByteBudgets;
import java.time.Duration;

/**
 * What one answer holds of its caller's bytes and its cluster's, and its turns.
 *
 * <p>Threads: one, the answer's; any may close, which gives all back.
 */
final class AnswerHold implements AutoCloseable {
    /** A client has been told that its answer comes: it is worth more patience than one that can be refused. */
    private static final Duration BEGUN_PATIENCE = Duration.ofSeconds(60);

    private final AnswerShare share;
    private final ByteBudgets.Use caller;
    private final ByteBudget.Hold ofCaller;
    private final ByteBudget.Hold ofCluster;
    private boolean begun;
    private volatile boolean closed;

    AnswerHold(AnswerShare share, ByteBudgets.Use caller, ByteBudget.Hold ofCluster) {
        this.share = share;
        this.caller = caller;
        this.ofCaller = caller.budget().hold();
        this.ofCluster = ofCluster;
    }

    /** From now on the answer can no longer be refused, only broken off. */
    void begin() {
        begun = true;
    }

    /**
     * Holds at least so many bytes in all; waits for room. What was held once stays held, so that answers that were begun go on
     * with what they have, instead of waiting for each other.
     *
     * @throws io.fairlead.model.StatusException 429 if there is none in time
     */
    void require(long bytes) throws InterruptedException {
        boolean found = tryRequire(bytes) || share.awaitRoom(patience(), () -> closed || tryRequire(bytes));
        if (closed) {
            throw new ApiResponse.BrokenOffException("the client is gone", new IllegalStateException("closed"));
        }
        if (!found) {
            throw share.noRoom(caller.budget(), wanted(bytes) - ofCluster.bytes());
        }
    }

    /** As {@link #require} without waiting; false, and nothing is changed, if there is no room. */
    boolean tryRequire(long bytes) {
        long more = Math.max(0, wanted(bytes) - ofCluster.bytes());
        if (!ofCaller.grow(more)) {
            return false;
        }
        if (!ofCluster.grow(more)) {
            ofCaller.shrink(more);
            return false;
        }
        return true;
    }

    /** Waits for the answer's turn to use a processor for long. */
    void takeTurn() throws InterruptedException {
        share.takeTurn(patience());
    }

    void giveTurn() {
        share.giveTurn();
    }

    @Override
    public void close() {
        closed = true;
        ofCaller.close();
        ofCluster.close();
        caller.close();
        share.signalFreed();
    }

    private long wanted(long bytes) {
        return Math.min(bytes, share.bytesMax());
    }

    private Duration patience() {
        return begun ? BEGUN_PATIENCE : share.patience();
    }
}
