package io.fairlead.gateway;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resources, closed in the opposite order of their start; a failure does not keep the others open. */
final class Closing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        started.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            AutoCloseable part = started.pop();
            try {
                part.close();
            } catch (Exception failure) {
                LOG.atWarn()
                        .addKeyValue("part", part.getClass().getSimpleName())
                        .setCause(failure)
                        .log("Closing a part failed");
            }
        }
    }
}
