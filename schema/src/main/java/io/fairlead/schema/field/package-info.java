/**
 * Problems of single fields and their text, as apimachinery's {@code util/validation/field} writes it.
 *
 * <p>Start with {@link io.fairlead.schema.field.FieldErrors}: validators add to one, and it becomes the 422 Status.
 */
@NullMarked
package io.fairlead.schema.field;

import org.jspecify.annotations.NullMarked;
