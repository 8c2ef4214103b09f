package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.model.Repetitions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Liveness and readiness of the gateway; shared by every listener.
 *
 * <p>Threads: any; a single one for {@link #look}. Once shut down it stays so.
 */
public final class Health {
    private static final Logger LOG = LoggerFactory.getLogger(Health.class);

    private final List<ReadinessCheck> checks;

    /** The checks that failed last; confined to the checking thread. */
    private final Set<String> failing = new HashSet<>();

    private final Runnable onShutDown;
    private final Repetitions changes = Repetitions.ofChanges();
    private volatile boolean shuttingDown;

    /** Checks in the order in which {@code /readyz?verbose} lists them. */
    public Health(List<ReadinessCheck> checks) {
        this(checks, () -> {});
    }

    /**
     * Checks in the order in which {@code /readyz?verbose} lists them.
     *
     * @param onShutDown tells others that are not ready from then on; must not block
     */
    public Health(List<ReadinessCheck> checks, Runnable onShutDown) {
        this.checks = List.copyOf(checks);
        this.onShutDown = onShutDown;
    }

    /** From now on the gateway is not ready. */
    public void shutDown() {
        shuttingDown = true;
        onShutDown.run();
    }

    /** Runs every check, and logs which has begun to fail and why, and which has recovered. May block. */
    public void look() {
        for (ReadinessCheck check : checks) {
            check.refresh();
            Optional<String> failure = check.failure();
            if (failure.isPresent() && failing.add(check.name())) {
                tell(LOG.atWarn().addKeyValue("reason", failure.get()), check, "A readiness check fails");
            } else if (failure.isEmpty() && failing.remove(check.name())) {
                tell(LOG.atInfo(), check, "A readiness check is well again");
            }
        }
    }

    private void tell(LoggingEventBuilder line, ReadinessCheck check, String what) {
        changes.next(check.name())
                .ifPresent(leftOut -> line.addKeyValue("check", check.name())
                        .addKeyValue("leftOut", leftOut)
                        .log(what));
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
