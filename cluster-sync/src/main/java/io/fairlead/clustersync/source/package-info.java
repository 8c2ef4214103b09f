/**
 * The source of a cluster's types: a port, its events, and how they are parsed and paced.
 *
 * <p>Start with {@link io.fairlead.clustersync.source.TypeSource}, then
 * {@link io.fairlead.clustersync.source.TypeReader}.
 */
@NullMarked
package io.fairlead.clustersync.source;

import org.jspecify.annotations.NullMarked;
