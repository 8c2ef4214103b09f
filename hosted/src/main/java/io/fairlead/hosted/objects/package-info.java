/**
 * One cluster's objects in its store: their keys, their codecs, and the one path by which they are written.
 *
 * <p>Everything blocks and belongs on virtual threads. Start with {@link io.fairlead.hosted.objects.ObjectWriter}.
 */
@NullMarked
package io.fairlead.hosted.objects;

import org.jspecify.annotations.NullMarked;
