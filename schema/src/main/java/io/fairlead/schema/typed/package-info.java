/**
 * Kinds whose fields are known, as data: decoding a tree by such a description does what Go's decoding into a struct and
 * encoding again does.
 *
 * <p>Start with {@link io.fairlead.schema.typed.TypedDecoder}.
 */
@NullMarked
package io.fairlead.schema.typed;

import org.jspecify.annotations.NullMarked;
