/**
 * The parts of a hosted cluster beyond its stored objects: rights, discovery, OpenAPI, reviews and forms.
 *
 * <p>Threads: any. Start with {@link io.fairlead.hosted.view.HostedViews}.
 */
@NullMarked
package io.fairlead.hosted.view;

import org.jspecify.annotations.NullMarked;
