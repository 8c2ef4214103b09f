/**
 * Which form of an answer a client accepts, and the forms: Tables with the columns that Kubernetes prints,
 * PartialObjectMetadata, and JSON or YAML (API conventions, "Alternate representations of resources").
 *
 * <p>A form belongs to one request and is used by one thread at a time; its inputs are immutable. Start with
 * {@link io.fairlead.hosted.representation.Accept}, then {@link io.fairlead.hosted.representation.Representations}.
 */
@NullMarked
package io.fairlead.hosted.representation;

import org.jspecify.annotations.NullMarked;
