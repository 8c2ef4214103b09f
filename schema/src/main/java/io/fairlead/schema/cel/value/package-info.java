/**
 * The values of CEL: what expressions read and make, how they are compared, and how much work that may be.
 *
 * <p>A value is {@code Boolean}, {@code Long}, {@link io.fairlead.schema.cel.value.Uint}, {@code Double}, {@code String}, {@link
 * io.fairlead.schema.cel.value.Bytes}, {@code Duration}, {@code Instant}, {@code Optional}, {@link
 * io.fairlead.schema.cel.value.Null}, {@link io.fairlead.schema.cel.value.ListValue}, {@link
 * io.fairlead.schema.cel.value.MapValue}, {@link io.fairlead.schema.cel.value.TypeValue}, {@link
 * io.fairlead.schema.cel.value.Opaque} or {@link io.fairlead.schema.cel.value.CelError}. Values are immutable, {@link
 * io.fairlead.schema.cel.value.Work} belongs to one thread. Start with {@link io.fairlead.schema.cel.value.Values}.
 */
@NullMarked
package io.fairlead.schema.cel.value;

import org.jspecify.annotations.NullMarked;
