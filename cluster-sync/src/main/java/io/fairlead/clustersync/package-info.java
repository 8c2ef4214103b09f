/**
 * Synchronises the index: the types of each cluster, reported by informers on an attached cluster or by a hosted one,
 * through the same {@link io.fairlead.clustersync.source.TypeSource} port.
 *
 * <p>The {@link io.fairlead.clustersync.ClusterScope} of a cluster owns everything for it. Work runs on virtual threads
 * and one scheduler; event loops are never blocked. Start with {@link io.fairlead.clustersync.ClusterSync}.
 * {@code CrdRuntimeScope} probes the API servers that a cluster names for custom resources, and {@code ClusterIdentity}
 * decides whether they belong to the cluster.
 */
@NullMarked
package io.fairlead.clustersync;

import org.jspecify.annotations.NullMarked;
