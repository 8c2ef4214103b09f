/**
 * What a hosted cluster tells about itself: its groups, versions and resources, its version and its health.
 *
 * <p>Documents are made once per state of the type catalog, the readers share them. Start with
 * {@link io.fairlead.hosted.discovery.Discovery}.
 */
@NullMarked
package io.fairlead.hosted.discovery;

import org.jspecify.annotations.NullMarked;
