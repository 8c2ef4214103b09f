/**
 * From where a cluster's types are read: a port, what comes over it, and how what comes is understood and paced.
 *
 * <p>Start with {@link io.fairlead.clustersync.source.TypeSource}, then {@link io.fairlead.clustersync.source.TypeReader}.
 */
@NullMarked
package io.fairlead.clustersync.source;

import org.jspecify.annotations.NullMarked;
