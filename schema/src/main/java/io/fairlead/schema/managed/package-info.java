/**
 * Server-side apply (KEP-555): who manages which fields of an object, and what becomes of the object and of its managers when
 * one of them updates it or applies a configuration.
 *
 * <p>Results equal those of {@code sigs.k8s.io/structured-merge-diff}, which kube-apiserver uses. Everything here is a
 * computation on trees: nothing is stored, nothing blocks, and any thread may call it. Start with
 * {@link io.fairlead.schema.managed.FieldManagement}.
 */
@NullMarked
package io.fairlead.schema.managed;

import org.jspecify.annotations.NullMarked;
