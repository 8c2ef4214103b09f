/**
 * Discovery of a hosted cluster: groups, versions and resources, version and health.
 *
 * <p>Documents are built once per state of the type catalog and shared by readers. Start with
 * {@link io.fairlead.hosted.discovery.Discovery}.
 */
@NullMarked
package io.fairlead.hosted.discovery;

import org.jspecify.annotations.NullMarked;
