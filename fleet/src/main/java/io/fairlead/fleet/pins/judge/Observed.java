package io.fairlead.fleet.pins.judge;

import io.fairlead.index.ClusterView;
import java.util.Optional;

/**
 * The result of one look-up of a cluster in the serves index.
 *
 * @param view of the cluster; empty if it is not indexed, or the request is not for a resource
 * @param silentNanos for how many nanoseconds changes of what the cluster serves may have been missed by then
 */
public record Observed(Optional<ClusterView> view, long silentNanos) {}
