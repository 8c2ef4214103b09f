package io.fairlead.hosted;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer of a hosted cluster: a whole body, one that comes in pieces, or a stream of frames. */
public sealed interface ApiResponse {
    int status();

    String contentType();

    /** Further headers, each with all its values ({@code Warning}, {@code ETag}). */
    Map<String, List<String>> headers();

    /** Releases what an unread answer holds. */
    default void discard() {}

    /** An answer that is complete. */
    record Whole(int status, String contentType, Map<String, List<String>> headers, byte[] body)
            implements ApiResponse {}

    /**
     * A body that is too large to be made at once: a list. If a piece cannot be produced ({@link BrokenOffException}),
     * the answer is aborted, so that no reader takes a part for the whole.
     */
    record Pieces(int status, String contentType, Map<String, List<String>> headers, Frames pieces)
            implements ApiResponse {
        @Override
        public void discard() {
            pieces.close();
        }

        /** All pieces in one, for readers in this process. */
        public byte[] join() throws InterruptedException {
            return join(Integer.MAX_VALUE).orElseThrow();
        }

        /** The same; empty if they have more bytes. */
        public Optional<byte[]> join(int bytesMax) throws InterruptedException {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            try (pieces) {
                for (byte[] piece = pieces.next(); piece != null; piece = pieces.next()) {
                    if (piece.length > bytesMax - whole.size()) {
                        return Optional.empty();
                    }
                    whole.writeBytes(piece);
                }
            }
            return Optional.of(whole.toByteArray());
        }
    }

    /** A watch: each frame is sent and flushed as it comes. */
    record Stream(int status, String contentType, Map<String, List<String>> headers, Frames frames)
            implements ApiResponse {
        @Override
        public void discard() {
            frames.close();
        }
    }

    /** An answer that has begun cannot be completed; its status has been sent. */
    final class BrokenOffException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public BrokenOffException(String why, Throwable cause) {
            super(why, cause);
        }
    }

    /** A watch's frames or a list's pieces, read by one thread; closing from another thread ends a blocked read. */
    interface Frames extends AutoCloseable {
        /**
         * The next frame, complete with its delimiter; blocks until there is one; null at the clean end. A call means
         * that nearly all earlier frames have been written.
         */
        byte @Nullable [] next() throws InterruptedException;

        /** The next frame if it is there without waiting, to be written together with the one before; null if not, or at the end. */
        default byte @Nullable [] nextNow() throws InterruptedException {
            return null;
        }

        /** All of it, where it is one object, before it is read; null where it is not known yet. */
        default byte @Nullable [] whole() {
            return null;
        }

        @Override
        void close();
    }
}
