package io.fairlead.gateway.metrics;

import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/** Metrics of conflicts: the present ones, and how often holders came into one or out of it. */
public final class ConflictMeters implements ConflictTransitions {
    private static final String CONFLICT = "Conflict";
    private static final String RESOLVED = "Resolved";

    private final MeterRegistry registry;

    private ConflictMeters(MeterRegistry registry) {
        this.registry = registry;
        transitions(ClusterIdentities.KIND, CONFLICT);
        transitions(ClusterIdentities.KIND, RESOLVED);
    }

    /** The identities of clusters, with metrics of their conflicts. */
    public static ClusterIdentities identities(MeterRegistry registry, InstantSource clock) {
        ClusterIdentities identities = new ClusterIdentities(clock, new ConflictMeters(registry));
        Gauge.builder(
                        "fairlead.conflicts",
                        identities,
                        known -> known.contests().size())
                .description("Keys that several holders claim of which one can have it.")
                .tag("kind", ClusterIdentities.KIND)
                .register(registry);
        return identities;
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
