package io.fairlead.gateway.metrics;

import io.fairlead.fleet.conditions.TravelCounts;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** The conditions that travelled, which condition records have observed. */
public final class ConditionMeters {
    private ConditionMeters() {}

    /** The counts are read at each scrape, so that those of removed clusters and records vanish. */
    public static void bind(PrometheusMeterRegistry registry, TravelCounts counts) {
        registry.getPrometheusRegistry().register(() -> snapshot(counts));
    }

    private static CounterSnapshot snapshot(TravelCounts counts) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder()
                .name("fairlead_condition_travel")
                .help("Transitions of conditions that stated a time which contradicts the observed order.");
        counts.forEach((series, count) -> counter.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of(
                        "cluster", series.cluster().value(),
                        "resource", series.resource(),
                        "condition", series.condition()))
                .value(count)
                .build()));
        return counter.build();
    }
}
