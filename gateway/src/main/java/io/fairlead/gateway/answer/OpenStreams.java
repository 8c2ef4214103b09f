package io.fairlead.gateway.answer;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Streams that are open and can be asked to end cleanly: watches between two events, upgraded connections. Any thread. */
public final class OpenStreams {
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

    /** What can be asked to end. */
    @FunctionalInterface
    public interface Stream {
        /** Ends as soon as nothing is cut by it; from any thread, without blocking. */
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
