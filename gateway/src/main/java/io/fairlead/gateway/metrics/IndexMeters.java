package io.fairlead.gateway.metrics;

import io.fairlead.index.Answer;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.IndexMetrics;
import io.fairlead.index.TypeStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts look-ups and comparisons of the index, and shows its size. */
public final class IndexMeters implements IndexMetrics {
    private final MeterRegistry registry;
    private final Map<Answer, Counter> lookups = new EnumMap<>(Answer.class);
    private final Counter mismatches;

    public IndexMeters(MeterRegistry registry) {
        this.registry = registry;
        for (Answer answer : Answer.values()) {
            lookups.put(
                    answer,
                    Counter.builder("fairlead.index.lookups")
                            .description("Look-ups of served types by answer.")
                            .tag("result", answer.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        mismatches = Counter.builder("fairlead.index.audit.mismatch")
                .description("Differences between a view and its source that audits found.")
                .register(registry);
    }

    /** Registers the size of the index. */
    public void bind(FleetIndex index) {
        Gauge.builder("fairlead.index.keys", index, FleetIndex::keyCount)
                .description("Distinct keys that the fleet serves.")
                .register(registry);
        Gauge.builder("fairlead.index.claims", index, FleetIndex::claimCount)
                .description("Keys that the clusters of the fleet serve, each counted for itself.")
                .register(registry);
        Gauge.builder("fairlead.types.distinct", index.types(), TypeStore::distinct)
                .description("Distinct types that are stored.")
                .register(registry);
        Gauge.builder("fairlead.types.holders", index.types(), TypeStore::holders)
                .description("CustomResourceDefinitions of the fleet whose types are stored.")
                .register(registry);
    }

    @Override
    public void looked(Answer answer) {
        Counter counter = lookups.get(answer);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void auditMismatched(int differences) {
        mismatches.increment(differences);
    }
}
