package io.fairlead.gateway.metrics;

import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.exclusive.ExclusiveKeys;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;

/** Metrics of conflicts: the present ones, and how often holders came into one or out of it. */
public final class ConflictMeters implements ConflictTransitions {
    private static final String CONFLICT = "Conflict";
    private static final String RESOLVED = "Resolved";

    private final MeterRegistry registry;

    public ConflictMeters(MeterRegistry registry) {
        this.registry = registry;
        for (String kind : List.of(ClusterIdentities.KIND, ExclusiveKeys.KIND)) {
            transitions(kind, CONFLICT);
            transitions(kind, RESOLVED);
        }
    }

    /** Measures the conflicts between registrations. */
    public ClusterIdentities bind(ClusterIdentities identities) {
        gauge(ClusterIdentities.KIND, () -> identities.contests().size());
        return identities;
    }

    /** Measures the conflicts of users' rules. */
    public ExclusiveKeys bind(ExclusiveKeys keys) {
        gauge(ExclusiveKeys.KIND, keys::conflictsTotal);
        return keys;
    }

    private void gauge(String kind, Supplier<Number> conflicts) {
        Gauge.builder("fairlead.conflicts", conflicts)
                .description("Keys that several holders claim of which one can have it.")
                .tag("kind", kind)
                .register(registry);
    }

    @Override
    public void began(String kind) {
        transitions(kind, CONFLICT).increment();
    }

    @Override
    public void resolved(String kind) {
        transitions(kind, RESOLVED).increment();
    }

    private Counter transitions(String kind, String to) {
        return Counter.builder("fairlead.conflict.transitions")
                .description("How often holders came into a conflict, or out of one.")
                .tag("kind", kind)
                .tag("to", to)
                .register(registry);
    }
}
