package io.fairlead.hosted.verbs;

import io.fairlead.storage.RevisionedStore.Entry;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The initial events of a watch, encoded page by page as the client reads.
 *
 * <p>Threads: one reader; closing from any thread releases what it holds.
 */
final class InitialEvents implements AutoCloseable {
    /** For a watch without initial events. */
    static final InitialEvents NONE = new InitialEvents(null, null);

    private final @Nullable SnapshotReader reader;
    private final @Nullable AnswerHold hold;
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private boolean empty = true;
    /** The bytes of {@link #frames}. */
    private long kept;

    /** The last returned frame is still being written. */
    private long handedOut;

    /** Encodes entries as frames. */
    @FunctionalInterface
    interface Encoder {
        /**
         * The frame of an entry, or null to skip it.
         *
         * @param first whether no frame comes before it
         */
        byte @Nullable [] frame(Entry entry, boolean first);
    }

    InitialEvents(@Nullable SnapshotReader reader, @Nullable AnswerHold hold) {
        this.reader = reader;
        this.hold = hold;
    }

    /**
     * The next frame, null after the last.
     *
     * @throws io.fairlead.model.StatusException 429 if there is no room for the next page
     */
    byte @Nullable [] next(Encoder encoder) throws InterruptedException {
        if (reader == null || hold == null) {
            return null;
        }
        while (frames.isEmpty() && !reader.isOver()) {
            readPage(reader, encoder);
        }
        byte[] frame = frames.pollFirst();
        if (frame == null) {
            hold.close();
            return null;
        }
        kept -= frame.length;
        handedOut = frame.length;
        hold.handedOut(handedOut + kept);
        return frame;
    }

    @Override
    public void close() {
        if (hold != null) {
            hold.close();
        }
    }

    /** A frame that does not fit is encoded again later. */
    private void readPage(SnapshotReader from, Encoder encoder) throws InterruptedException {
        from.next(handedOut, 0, (entry, room) -> {
            byte[] frame = encoder.frame(entry, empty);
            if (frame == null) {
                return true;
            }
            if (!room.take(frame.length)) {
                return false;
            }
            frames.addLast(frame);
            kept += frame.length;
            empty = false;
            return true;
        });
    }
}
