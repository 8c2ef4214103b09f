/**
 * Other forms of objects: Tables with the columns that Kubernetes prints, PartialObjectMetadata, and JSON or YAML
 * (API conventions, "Alternate representations of resources").
 *
 * <p>A form belongs to one request and is used by one thread at a time; what it is made of is immutable. Start with
 * {@link io.fairlead.hosted.table.Representations}.
 */
@NullMarked
package io.fairlead.hosted.table;

import org.jspecify.annotations.NullMarked;
