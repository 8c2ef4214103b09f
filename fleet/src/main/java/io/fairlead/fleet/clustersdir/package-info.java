/**
 * The folder {@code clustersDir}: files that declare clusters and their Secrets, applied to the root cluster.
 *
 * <p>One thread, {@code cluster-files}. Start with {@link io.fairlead.fleet.clustersdir.ClusterFiles}.
 */
@NullMarked
package io.fairlead.fleet.clustersdir;

import org.jspecify.annotations.NullMarked;
