package io.fairlead.clustersync;

/** Where clusters' health is written down. */
@FunctionalInterface
public interface ClusterStatusSink {
    /** A cluster's status differs from what was reported before. One call at a time for a cluster; may block. */
    void report(ClusterStatus status);
}
