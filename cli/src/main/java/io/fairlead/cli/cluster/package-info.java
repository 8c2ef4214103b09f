/**
 * {@code cluster}: registering clusters, their credentials in the target, and waiting until they are ready.
 *
 * <p>The main thread. Start with {@link io.fairlead.cli.cluster.ClusterCommand}.
 */
@NullMarked
package io.fairlead.cli.cluster;

import org.jspecify.annotations.NullMarked;
