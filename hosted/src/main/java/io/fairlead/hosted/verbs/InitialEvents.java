package io.fairlead.hosted.verbs;

import io.fairlead.storage.RevisionedStore.Entry;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The state that a watch begins with, encoded page by page as the client takes it.
 *
 * <p>Threads: one reader; closing from any thread gives back what it holds.
 */
final class InitialEvents implements AutoCloseable {
    /** Of a watch that begins with no state. */
    static final InitialEvents NONE = new InitialEvents(null, null);

    private final @Nullable SnapshotReader reader;
    private final @Nullable AnswerHold hold;
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private boolean empty = true;
    /** The last frame that was handed out is still on its way. */
    private long handedOut;

    /** Makes frames of entries. */
    @FunctionalInterface
    interface Encoder {
        /**
         * The frame of an entry, or null if it is not to be shown.
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
        handedOut = frame.length;
        return frame;
    }

    @Override
    public void close() {
        if (hold != null) {
            hold.close();
        }
    }

    /** A frame for which there is no room is made again once there is. */
    private void readPage(SnapshotReader from, Encoder encoder) throws InterruptedException {
        from.next(handedOut, (entry, room) -> {
            byte[] frame = encoder.frame(entry, empty);
            if (frame == null) {
                return true;
            }
            if (!room.take(frame.length)) {
                return false;
            }
            frames.addLast(frame);
            empty = false;
            return true;
        });
    }
}
