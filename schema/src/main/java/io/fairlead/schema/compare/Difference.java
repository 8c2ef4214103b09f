package io.fairlead.schema.compare;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One thing in which two definitions differ, or that is not understood.
 *
 * @param path of the field in objects ({@code .spec.hosts[*]}, the root is {@code .}); of what is beside schemas, in the
 *     definition ({@code spec.names.plural})
 * @param rule the keyword
 * @param before its old value in canonical form, null if it was not given
 * @param after its new value
 * @param verdict what this difference alone would make of the definition
 */
public record Difference(
        String path,
        String rule,
        @Nullable JsonNode before,
        @Nullable JsonNode after,
        Verdict verdict) {}
