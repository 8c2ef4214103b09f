package io.fairlead.fleet.availability;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Finding.Status;
import io.fairlead.fleet.root.Condition;
import io.fairlead.schema.cel.library.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What keeps a cluster from being Available at first: it waits until all APIServices are available that it requires. Once it
 * has passed it stays open, whatever becomes of them; that is told by the condition APIServicesAvailable alone. Immutable.
 *
 * @param begun when the cluster could be used and the gate began to wait; empty if it has not
 * @param passed when all APIServices were available first; empty as long as they were not
 */
public record AvailabilityGate(Optional<Instant> begun, Optional<Instant> passed) {
    /** How long a cluster waits before it says that it waits for too long. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration TIMEOUT_MIN = Duration.ofSeconds(1);
    private static final Duration TIMEOUT_MAX = Duration.ofHours(24);
    private static final String NOT_AVAILABLE = "APIServicesNotAvailable";
    private static final String TIMED_OUT = "GateTimedOut";
    private static final String FIELD = "gate";
    private static final String BEGUN = "begun";
    private static final String PASSED = "passed";

    /** The gate as a status of a {@code Cluster} has it. */
    public static AvailabilityGate of(JsonNode status) {
        JsonNode gate = status.path(FIELD);
        return new AvailabilityGate(time(gate.path(BEGUN)), time(gate.path(PASSED)));
    }

    /**
     * The timeout of a {@code Cluster}.
     *
     * @return empty if its spec has one that is no duration from one second to a day
     */
    public static Optional<Duration> timeout(JsonNode cluster) {
        JsonNode text = cluster.at("/spec/gateTimeout");
        return text.isMissingNode()
                ? Optional.of(TIMEOUT)
                : GoDuration.parse(text.asString(""))
                        .filter(timeout -> timeout.compareTo(TIMEOUT_MIN) >= 0 && timeout.compareTo(TIMEOUT_MAX) <= 0);
    }

    /**
     * The gate after a look.
     *
     * @param ready the condition Ready
     * @param services the condition APIServicesAvailable
     */
    public AvailabilityGate next(Finding ready, Finding services, Instant now) {
        if (passed.isPresent() || ready.status() != Status.TRUE) {
            return this;
        }
        Instant second = now.truncatedTo(ChronoUnit.SECONDS);
        return new AvailabilityGate(
                begun.or(() -> Optional.of(second)),
                services.status() == Status.TRUE ? Optional.of(second) : Optional.empty());
    }

    /** The condition Available. */
    public Finding available(Finding ready, Finding services, Duration timeout, Instant now) {
        if (ready.status() != Status.TRUE) {
            return ready;
        }
        if (passed.isPresent()) {
            return Finding.yes("Available", "the cluster can be used");
        }
        if (begun.isPresent() && !now.isBefore(begun.get().plus(timeout))) {
            String written = timeout.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
            return Finding.no(TIMED_OUT, "not within " + written + ": " + services.message());
        }
        return services.status() == Status.UNKNOWN ? services : Finding.no(NOT_AVAILABLE, services.message());
    }

    /** Whether a status says that the cluster waits for APIServices. */
    public static boolean isShut(JsonNode status) {
        return shut(status).isPresent();
    }

    /** The condition Available of a status which says that the cluster waits for APIServices. */
    public static Optional<Finding> shut(JsonNode status) {
        return Condition.stored(status, Condition.AVAILABLE)
                .filter(found ->
                        found.reason().equals(NOT_AVAILABLE) || found.reason().equals(TIMED_OUT));
    }

    /** Writes it to a status. */
    public void write(ObjectNode status) {
        begun.ifPresent(time -> {
            ObjectNode gate = status.putObject(FIELD).put(BEGUN, time.toString());
            passed.ifPresent(end -> gate.put(PASSED, end.toString()));
        });
    }

    private static Optional<Instant> time(JsonNode text) {
        try {
            return text.isString() ? Optional.of(Instant.parse(text.asString(""))) : Optional.empty();
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }
}
