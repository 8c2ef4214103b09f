/**
 * The verbs over one cluster's objects: reading, the one write path, watching.
 *
 * <p>Everything blocks and belongs on virtual threads. Start with {@link io.fairlead.hosted.serve.ResourceEndpoint},
 * then {@link io.fairlead.hosted.serve.ObjectWriter} and {@link io.fairlead.hosted.serve.WatchStream}.
 */
@NullMarked
package io.fairlead.hosted.serve;

import org.jspecify.annotations.NullMarked;
