/**
 * Which form of an answer a client accepts: the {@code Accept} header with the parameters that Kubernetes gives it.
 *
 * <p>Pure values. Start with {@link io.fairlead.hosted.accept.Accept}.
 */
@NullMarked
package io.fairlead.hosted.accept;

import org.jspecify.annotations.NullMarked;
