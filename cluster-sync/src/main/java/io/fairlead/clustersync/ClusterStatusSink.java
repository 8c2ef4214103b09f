package io.fairlead.clustersync;

/** Receives clusters' health. */
@FunctionalInterface
public interface ClusterStatusSink {
    /** A cluster's status differs from the last reported one. One call at a time for a cluster; may block. */
    void report(ClusterStatus status);
}
