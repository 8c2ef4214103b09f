/**
 * Objects of known types in protobuf and back, in the envelope that apimachinery puts around them (apimachinery
 * {@code runtime/serializer/protobuf}).
 *
 * <p>Pure functions. Start with {@link io.fairlead.schema.protobuf.Protobuf}.
 */
@NullMarked
package io.fairlead.schema.protobuf;

import org.jspecify.annotations.NullMarked;
