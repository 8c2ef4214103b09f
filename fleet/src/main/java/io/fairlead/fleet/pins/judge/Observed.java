package io.fairlead.fleet.pins.judge;

import io.fairlead.index.ClusterView;
import java.util.Optional;

/**
 * What one look-up in the serves index found of a cluster.
 *
 * @param view of the cluster; empty if it is not indexed, or no resource was asked about
 * @param silentNanos for how many nanoseconds changes of what the cluster serves may have gone unheard by then
 */
public record Observed(Optional<ClusterView> view, long silentNanos) {}
