/**
 * What feeds the index: for each cluster the types that it serves, told by informers over an attached cluster or by a hosted
 * one, through the same {@link io.fairlead.clustersync.source.TypeSource} port.
 *
 * <p>Everything of a cluster hangs off its {@link io.fairlead.clustersync.ClusterScope} and ends with it. Work runs on
 * virtual threads and one scheduler; event loops are never blocked. Start with {@link
 * io.fairlead.clustersync.ClusterSync}. {@code CrdRuntimeScope} probes the API servers that a cluster names for custom resources, and
 * {@code ClusterIdentity} tells whether they are of the cluster.
 */
@NullMarked
package io.fairlead.clustersync;

import org.jspecify.annotations.NullMarked;
