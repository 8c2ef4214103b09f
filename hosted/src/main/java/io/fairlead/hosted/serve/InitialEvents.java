package io.fairlead.hosted.serve;

import io.fairlead.storage.RevisionedStore.Entry;
import java.util.ArrayDeque;
import java.util.function.Function;
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
    private long framesBytes;

    InitialEvents(@Nullable SnapshotReader reader, @Nullable AnswerHold hold) {
        this.reader = reader;
        this.hold = hold;
    }

    /**
     * The next frame, null after the last.
     *
     * @param encoder makes the frame of an entry, or null if it is not to be shown
     * @throws io.fairlead.model.StatusException 429 if there is no room for the next page
     */
    byte @Nullable [] next(Function<Entry, byte @Nullable []> encoder) throws InterruptedException {
        if (reader == null || hold == null) {
            return null;
        }
        while (frames.isEmpty() && !reader.isOver()) {
            readPage(reader, encoder);
        }
        byte[] frame = frames.pollFirst();
        if (frame == null) {
            hold.close();
        }
        return frame;
    }

    @Override
    public void close() {
        if (hold != null) {
            hold.close();
        }
    }

    private void readPage(SnapshotReader from, Function<Entry, byte @Nullable []> encoder) throws InterruptedException {
        // The last of the frames before is still on its way.
        long before = Math.min(framesBytes, SnapshotReader.PAGE_BYTES);
        framesBytes = 0;
        from.next(before, entry -> {
            byte[] frame = encoder.apply(entry);
            if (frame != null) {
                frames.addLast(frame);
                framesBytes += frame.length;
            }
            return true;
        });
    }
}
