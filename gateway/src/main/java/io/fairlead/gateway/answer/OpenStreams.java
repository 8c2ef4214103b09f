package io.fairlead.gateway.answer;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Open streams that can be ended cleanly: watches between two events, upgraded connections. Any thread. */
public final class OpenStreams {
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

    /** A stream that can be ended. */
    @FunctionalInterface
    public interface Stream {
        /** Ends as soon as nothing is truncated by it; from any thread, without blocking. */
        void endSoon();
    }

    public void add(Stream stream) {
        streams.add(stream);
    }

    public void remove(Stream stream) {
        streams.remove(stream);
    }

    /** Those that are open now. */
    public List<Stream> open() {
        return List.copyOf(streams);
    }
}
