/**
 * The CRD runtime of a hosted cluster: serves custom resources and no built-in kind.
 *
 * <p>Start with {@link io.fairlead.hosted.runtime.CrdRuntime}.
 */
@NullMarked
package io.fairlead.hosted.runtime;

import org.jspecify.annotations.NullMarked;
