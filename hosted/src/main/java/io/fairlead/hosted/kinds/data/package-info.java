/**
 * The further built-in kinds of a cluster whose {@code spec.hosted.builtIns} is {@code All}: served as data, no controller acts on
 * them.
 *
 * <p>A kind is an entry of {@code data-kinds.yaml}; its fields are those of the Go type, what a client may leave out stands in
 * {@code data-defaults.yaml}, what is refused in {@code data-checks.yaml}. Immutable, read when the first such cluster is opened, and shared by all. Start with
 * {@link io.fairlead.hosted.kinds.data.DataKinds}.
 */
@NullMarked
package io.fairlead.hosted.kinds.data;

import org.jspecify.annotations.NullMarked;
