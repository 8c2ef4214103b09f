package io.fairlead.gateway.own;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether the gateway lives and is ready; shared by every listener.
 *
 * <p>Threads: any. Once shut down it stays so.
 */
public final class Health {
    private final List<ReadinessCheck> checks;
    private volatile boolean shuttingDown;

    /** Checks in the order in which {@code /readyz?verbose} lists them. */
    public Health(List<ReadinessCheck> checks) {
        this.checks = List.copyOf(checks);
    }

    /** From now on the gateway is not ready. */
    public void shutDown() {
        shuttingDown = true;
    }

    /** Every check of {@code /readyz}, with {@code shutdown} last. */
    public List<ReadinessCheck> readinessChecks() {
        var all = new ArrayList<>(checks);
        all.add(new Shutdown());
        return all;
    }

    private final class Shutdown implements ReadinessCheck {
        @Override
        public String name() {
            return "shutdown";
        }

        @Override
        public Optional<String> failure() {
            return shuttingDown ? Optional.of("process is shutting down") : Optional.empty();
        }
    }
}
