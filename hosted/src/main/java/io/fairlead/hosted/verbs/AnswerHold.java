package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.CallerHold;
import java.time.Duration;

/**
 * The bytes and turns that one answer holds.
 *
 * <p>Threads: one, the answer's; any may close, which releases all.
 */
final class AnswerHold implements AutoCloseable {
    /** An answer whose status was sent waits longer than one that can still be refused. */
    private static final Duration BEGUN_PATIENCE = Duration.ofSeconds(60);

    /** What a page of small objects takes while it is made. */
    private static final long ORDINARY_BYTES = 8 * SnapshotReader.PAGE_BYTES;

    private final AnswerShare share;
    private final CallerHold bytes;
    private boolean begun;
    private volatile boolean closed;

    AnswerHold(AnswerShare share, CallerHold bytes) {
        this.share = share;
        this.bytes = bytes;
    }

    /** From now on the answer can no longer be refused, only aborted. */
    void begin() {
        begun = true;
    }

    /**
     * Holds at least so many bytes in all; waits for room, and meanwhile holds no more than what it keeps: answers that waited for
     * more with much in hand would wait for each other. What was held once stays held otherwise.
     *
     * @throws io.fairlead.model.StatusException 429 if there is none in time
     */
    void require(long atLeast, long kept) throws InterruptedException {
        boolean found = tryRequire(atLeast);
        if (!found) {
            shrinkTo(kept);
            found = share.awaitRoom(patience(), () -> closed || tryRequire(atLeast));
        }
        if (closed) {
            throw new ApiResponse.BrokenOffException("the client is gone", new IllegalStateException("closed"));
        }
        if (!found) {
            throw share.noRoom(bytes.callersPart(), more(atLeast));
        }
    }

    /** As {@link #require}, without waiting; returns false and changes nothing if there is no room. */
    boolean tryRequire(long atLeast) {
        return bytes.grow(more(atLeast)) == CallerHold.Outcome.HELD;
    }

    /**
     * Gives back what is held beyond what was handed out and is still kept, but for an ordinary page's worth: a client that does not read
     * must not keep what large rows took, and an answer of ordinary objects goes on with what it has.
     */
    void handedOut(long kept) {
        shrinkTo(Math.max(kept, ORDINARY_BYTES));
    }

    private void shrinkTo(long atMost) {
        long beyond = bytes.bytes() - atMost;
        if (beyond > 0) {
            bytes.shrink(beyond);
            share.signalFreed();
        }
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
        bytes.close();
        share.signalFreed();
    }

    private long more(long atLeast) {
        return Math.max(0, Math.min(atLeast, share.bytesMax()) - bytes.bytes());
    }

    private Duration patience() {
        return begun ? BEGUN_PATIENCE : share.patience();
    }
}
