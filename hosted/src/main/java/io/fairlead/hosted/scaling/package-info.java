/**
 * The two versions of HorizontalPodAutoscalers and how one is made of the other.
 *
 * <p>Immutable; any thread. Start with {@link io.fairlead.hosted.scaling.AutoscalerVersions}.
 */
@NullMarked
package io.fairlead.hosted.scaling;

import org.jspecify.annotations.NullMarked;
