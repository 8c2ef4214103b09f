/**
 * The rules that hold for the metadata of every object: names, labels, annotations, owners, finalizers.
 *
 * <p>Facts and messages are apimachinery's ({@code api/validation/objectmeta.go}, {@code api/validate/content}). Start
 * with {@link io.fairlead.schema.meta.ObjectMetadata}.
 */
@NullMarked
package io.fairlead.schema.meta;

import org.jspecify.annotations.NullMarked;
