/**
 * The composition of hosted clusters over one store: opening, serving, closing, deleting.
 *
 * <p>Start with {@link io.fairlead.hosted.cluster.HostedClusters}.
 */
@NullMarked
package io.fairlead.hosted.cluster;

import org.jspecify.annotations.NullMarked;
