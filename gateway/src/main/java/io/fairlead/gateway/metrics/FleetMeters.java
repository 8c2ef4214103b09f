package io.fairlead.gateway.metrics;

import io.fairlead.fleet.Fleet;
import io.fairlead.fleet.TokenRenewals;
import io.fairlead.model.ClusterName;
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
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Metrics of the readiness of clusters and of the process that serves them. */
public final class FleetMeters {
    private static final double NANOS_PER_SECOND = 1e9;

    private FleetMeters() {}

    /** The readiness of clusters is read at each scrape, so that removed ones vanish. */
    public static void bind(PrometheusMeterRegistry registry, Fleet fleet) {
        registry.getPrometheusRegistry().register(() -> snapshot(fleet.readiness()));
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

    private static GaugeSnapshot snapshot(Map<ClusterName, Boolean> readiness) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder()
                .name("fairlead_cluster_ready")
                .help("Whether a registered cluster is Ready: 1 or 0.");
        readiness.forEach((cluster, ready) -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Labels.of("cluster", cluster.value()))
                .value(ready ? 1 : 0)
                .build()));
        return gauge.build();
    }
}
