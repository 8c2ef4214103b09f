package io.fairlead.gateway.metrics;

import io.fairlead.fleet.publication.PublicationCounts;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.time.Duration;

/** How far publications are. */
public final class PublicationMeters {
    private static final double MILLIS_PER_SECOND = Duration.ofSeconds(1).toMillis();

    private PublicationMeters() {}

    /** The counts are read at each scrape. */
    public static void bind(PrometheusMeterRegistry registry, PublicationCounts counts) {
        registry.getPrometheusRegistry()
                .register(() -> MetricSnapshots.of(states(counts), took(counts), probeFailures(counts)));
    }

    private static GaugeSnapshot states(PublicationCounts counts) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder()
                .name("fairlead_publication_step")
                .help("Targets of publications in which a step is in a state.");
        counts.states()
                .forEach((state, count) -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(Labels.of("step", state.step(), "state", state.state()))
                        .value(count)
                        .build()));
        return gauge.build();
    }

    private static SummarySnapshot took(PublicationCounts counts) {
        SummarySnapshot.Builder summary = SummarySnapshot.builder()
                .name("fairlead_publication_step_seconds")
                .help("Time from when a step was seen not to be done in a target until it was.");
        counts.forEachStep((step, took) -> summary.dataPoint(SummaryDataPointSnapshot.builder()
                .labels(Labels.of("step", step))
                .count(took.count())
                .sum(took.total().toMillis() / MILLIS_PER_SECOND)
                .build()));
        return summary.build();
    }

    private static CounterSnapshot probeFailures(PublicationCounts counts) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder()
                .name("fairlead_publication_probe_failures")
                .help("Looks at a target in which the probe of a backend failed.");
        counts.forEachProbeFailure((reason, count) -> counter.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of("reason", reason))
                .value(count)
                .build()));
        return counter.build();
    }
}
