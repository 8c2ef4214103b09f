/**
 * Hosted clusters: virtual Kubernetes control planes as plain calls over a revisioned store, without HTTP.
 *
 * <p>Calls block and are made on virtual threads. Start with {@link io.fairlead.hosted.HostedCluster}.
 */
@NullMarked
package io.fairlead.hosted;

import org.jspecify.annotations.NullMarked;
