package io.fairlead.gateway.metrics;

import io.fairlead.fleet.clustersdir.ClusterFiles;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Shows how many files of clusters are applied. */
public final class ClusterFileMeters {
    private ClusterFileMeters() {}

    public static void bind(MeterRegistry registry, ClusterFiles files) {
        Gauge.builder("fairlead.clusters.dir.files", files, counted -> counted.fileCount() - counted.failedCount())
                .description("Files of the clusters directory, by whether they are applied.")
                .tag("state", "applied")
                .register(registry);
        Gauge.builder("fairlead.clusters.dir.files", files, ClusterFiles::failedCount)
                .description("Files of the clusters directory, by whether they are applied.")
                .tag("state", "failed")
                .register(registry);
    }
}
