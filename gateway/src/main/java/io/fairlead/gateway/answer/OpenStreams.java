package io.fairlead.gateway.answer;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The watches that are open and can be asked to end cleanly, between two events. Any thread. */
public final class OpenStreams {
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

    /** What can be asked to end. */
    @FunctionalInterface
    public interface Stream {
        /** Ends as soon as an event is complete; from any thread, without blocking. */
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
