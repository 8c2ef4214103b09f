/**
 * The functions and macros of CEL that Kubernetes has: cel-go's standard and extensions, and those of apiserver ({@code
 * pkg/cel/library}), as Kubernetes 1.36 offers them to new expressions.
 *
 * <p>Beside them are functions for keys, which only environments have that ask for them ({@link
 * io.fairlead.schema.cel.library.KeyFunctions}). Everything is immutable. Start with {@link io.fairlead.schema.cel.library.Functions} and {@link
 * io.fairlead.schema.cel.library.Signatures}.
 */
@NullMarked
package io.fairlead.schema.cel.library;

import org.jspecify.annotations.NullMarked;
