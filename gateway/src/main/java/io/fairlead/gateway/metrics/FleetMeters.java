package io.fairlead.gateway.metrics;

import io.fairlead.fleet.Fleet;
import io.fairlead.fleet.Health;
import io.fairlead.fleet.TokenRenewals;
import io.fairlead.model.FairleadVersion;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Metrics of the readiness of clusters and of the process that serves them. */
public final class FleetMeters {
    private static final double NANOS_PER_SECOND = 1e9;

    private FleetMeters() {}

    /** What clusters are is read at each scrape, so that removed ones vanish. */
    public static void bind(PrometheusMeterRegistry registry, Fleet fleet) {
        registry.getPrometheusRegistry()
                .register(() -> MetricSnapshots.of(
                        clusters("ready", "Whether a registered cluster is Ready: 1 or 0.", fleet, Health::isReady),
                        clusters(
                                "available",
                                "Whether a registered cluster is Available: 1 or 0.",
                                fleet,
                                Health::isAvailable)));
        renewals("renewed", fleet.renewals(), TokenRenewals::renewed).register(registry);
        renewals("failed", fleet.renewals(), TokenRenewals::failed).register(registry);
        Gauge.builder("fairlead.build.info", () -> 1)
                .description("The version that runs; always 1.")
                .tag("version", FairleadVersion.NUMBER)
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        FunctionCounter.builder("process.cpu", ManagementFactory.getOperatingSystemMXBean(), FleetMeters::cpuSeconds)
                .description("Time that the process spent on processors.")
                .baseUnit("seconds")
                .register(registry);
    }

    private static FunctionCounter.Builder<TokenRenewals> renewals(
            String result, TokenRenewals renewals, ToDoubleFunction<TokenRenewals> count) {
        return FunctionCounter.builder("fairlead.token.renewals", renewals, count)
                .description("Attempts to renew the token of an attached cluster.")
                .tag("result", result);
    }

    private static double cpuSeconds(OperatingSystemMXBean system) {
        return system instanceof com.sun.management.OperatingSystemMXBean process
                ? process.getProcessCpuTime() / NANOS_PER_SECOND
                : 0;
    }

    private static GaugeSnapshot clusters(String what, String help, Fleet fleet, Predicate<Health> holds) {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name("fairlead_cluster_" + what).help(help);
        fleet.health()
                .forEach((cluster, health) -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(Labels.of("cluster", cluster.value()))
                        .value(holds.test(health) ? 1 : 0)
                        .build()));
        return gauge.build();
    }
}
