/**
 * Texts as Kubernetes judges them: the formats of strings, and regular expressions of RE2 within bounds.
 *
 * <p>Everything is safe for any thread, except {@link io.fairlead.schema.text.Effort}, which belongs to one. Start with {@link
 * io.fairlead.schema.text.Formats} and {@link io.fairlead.schema.text.Patterns}.
 */
@NullMarked
package io.fairlead.schema.text;

import org.jspecify.annotations.NullMarked;
