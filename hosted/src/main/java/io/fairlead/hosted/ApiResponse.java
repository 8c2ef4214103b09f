package io.fairlead.hosted;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of a hosted cluster: a whole body or a stream of frames. */
public sealed interface ApiResponse {
    int status();

    String contentType();

    /** Further headers, each with all its values ({@code Warning}, {@code ETag}). */
    Map<String, List<String>> headers();

    /** An answer that is complete. */
    record Whole(int status, String contentType, Map<String, List<String>> headers, byte[] body)
            implements ApiResponse {}

    /** A watch: each frame is sent and flushed as it comes. */
    record Stream(int status, String contentType, Map<String, List<String>> headers, Frames frames)
            implements ApiResponse {}

    /** A watch's frames, read by one thread; closing from another thread ends a blocked read. */
    interface Frames extends AutoCloseable {
        /** The next frame, complete with its delimiter; blocks until there is one; null at the clean end. */
        byte @Nullable [] next() throws InterruptedException;

        @Override
        void close();
    }
}
