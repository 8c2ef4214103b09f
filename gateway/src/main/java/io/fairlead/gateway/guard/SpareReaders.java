package io.fairlead.gateway.guard;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.EnumMap;
import java.util.Map;

/**
 * The readers of an event loop that stand between two events. The next event of any of its watches is read by one of them: memory
 * that was used a moment ago costs less than fresh memory for each event. One thread.
 */
final class SpareReaders {
    private static final FastThreadLocal<SpareReaders> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected SpareReaders initialValue() {
            return new SpareReaders();
        }
    };

    private final Map<EventFormat, EventReader> spares = new EnumMap<>(EventFormat.class);

    private SpareReaders() {}

    static SpareReaders ofThread() {
        return OF_THREAD.get();
    }

    /** A reader that stands between two events; the caller's until it is given back. */
    EventReader take(EventFormat format) {
        EventReader spare = spares.remove(format);
        return spare == null ? format.reader() : spare;
    }

    /** Keeps a reader for the next event, unless it is within one. */
    void giveBack(EventFormat format, EventReader reader) {
        if (reader.begun() < 0 && !reader.isBroken()) {
            spares.put(format, reader);
        }
    }
}
