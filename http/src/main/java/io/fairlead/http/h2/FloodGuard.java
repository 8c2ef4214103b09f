package io.fairlead.http.h2;

import java.util.function.LongSupplier;

/**
 * Counts frames that cost their sender almost nothing (RFC 9113 section 10.5).
 *
 * <p>A peer that reads may open its windows a little at a time. Two WINDOW_UPDATE frames for each frame that was sent to it,
 * and one for each KiB, are allowed; further ones count as control frames like SETTINGS, PING, PRIORITY, GOAWAY and those
 * of unknown types.
 */
final class FloodGuard {
    private static final int BYTES_FOR_WINDOW_UPDATE = 1024;
    private static final int WINDOW_UPDATES_FOR_FRAME = 2;

    /** What answers a frame at once waits outside all windows, for as long as the peer does not read. */
    private static final int UNREAD_REPLIES_MAX = 1_000;

    private final Http2Limits limits;
    private final LongSupplier nanoTime;
    private long windowStart;
    private int resets;
    private int controlFrames;
    private int emptyFrames;
    private long windowUpdates;
    private int unreadReplies;

    FloodGuard(Http2Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.windowStart = nanoTime.getAsLong();
    }

    void controlFrame() throws ConnectionError {
        turnWindow();
        controlFrames++;
        require(controlFrames <= limits.controlFramesMax(), Flood.CONTROL_FRAMES);
    }

    /**
     * A frame shall be answered at once: SETTINGS, PING, or one that breaks a rule of its stream.
     *
     * @param isRead whether the peer has read most of what was sent to it
     */
    void reply(boolean isRead) throws ConnectionError {
        unreadReplies = isRead ? 0 : unreadReplies + 1;
        require(unreadReplies <= UNREAD_REPLIES_MAX, Flood.CONTROL_FRAMES);
    }

    /** Judges a frame by what the connection has sent so far. */
    void windowUpdate(long writtenFrames, long writtenBytes) throws ConnectionError {
        windowUpdates++;
        long allowed = WINDOW_UPDATES_FOR_FRAME * writtenFrames + writtenBytes / BYTES_FOR_WINDOW_UPDATE;
        if (windowUpdates > allowed) {
            controlFrame();
        }
    }

    /** The peer reset a stream, or made it necessary. */
    void reset() throws ConnectionError {
        turnWindow();
        resets++;
        require(resets <= limits.resetsMax(), Flood.RESETS);
    }

    void data(boolean isEmpty) throws ConnectionError {
        emptyFrames = isEmpty ? emptyFrames + 1 : 0;
        require(emptyFrames <= limits.emptyFramesMax(), Flood.EMPTY_FRAMES);
    }

    void continuations(int ofOneHead) throws ConnectionError {
        require(ofOneHead <= limits.continuationsMax(), Flood.CONTINUATIONS);
    }

    private void turnWindow() {
        long now = nanoTime.getAsLong();
        if (now - windowStart > limits.windowNanos()) {
            windowStart = now;
            resets = 0;
            controlFrames = 0;
        }
    }

    private static void require(boolean withinBudget, Flood flood) throws ConnectionError {
        if (!withinBudget) {
            throw ConnectionError.flood(flood);
        }
    }
}
