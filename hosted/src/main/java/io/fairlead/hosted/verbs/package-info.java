/**
 * The verbs over HTTP: get, list, watch, create, update, patch and delete over one cluster's objects.
 *
 * <p>Everything blocks and belongs on virtual threads. Start with {@link io.fairlead.hosted.verbs.ResourceEndpoint},
 * then {@link io.fairlead.hosted.verbs.Writes} and {@link io.fairlead.hosted.verbs.WatchStream}.
 */
@NullMarked
package io.fairlead.hosted.verbs;

import org.jspecify.annotations.NullMarked;
