/**
 * The kinds that every hosted cluster serves without a CRD, and their rules.
 *
 * <p>Immutable and shared by all clusters. Start with {@link io.fairlead.hosted.kinds.BuiltInKinds}; the schemas are in
 * {@code built-in-kinds.yaml} of {@code src/main/yaml}, which the build writes as JSON.
 */
@NullMarked
package io.fairlead.hosted.kinds;

import org.jspecify.annotations.NullMarked;
