/**
 * What a type means, as digests that two programs compute alike: canonical forms of CustomResourceDefinitions and their
 * schemas. {@code docs/digests.md} is the specification.
 *
 * <p>Pure functions of trees whose numbers are exact ({@link io.fairlead.schema.json.Json#readExact}). Start with
 * {@link io.fairlead.schema.digest.DefinitionDigests}.
 */
@NullMarked
package io.fairlead.schema.digest;

import org.jspecify.annotations.NullMarked;
