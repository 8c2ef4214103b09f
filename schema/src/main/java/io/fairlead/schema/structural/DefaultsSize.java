package io.fairlead.schema.structural;

import io.fairlead.schema.json.TreeSize;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How many bytes the defaults of a schema add to an object in memory, at most: an object of a few bytes may become one of
 * megabytes.
 *
 * @param once outside of lists and maps
 * @param ofEach for each value of a list or map
 */
record DefaultsSize(long once, long ofEach) {
    static DefaultsSize of(JsonSchema schema) {
        var walk = new Walk();
        return new DefaultsSize(walk.once(schema), walk.ofEach);
    }

    /** For an object with so many values, lists and maps and what is in them included. */
    long of(long values) {
        return ofEach > 0 && values > Defaulting.BYTES_MAX / ofEach
                ? Defaulting.BYTES_MAX
                : Math.min(Defaulting.BYTES_MAX, once + values * ofEach);
    }

    private static final class Walk {
        /** All defaults together are filled in to no more than twice what those of an object may be. */
        private long bytesLeft = Defaulting.BYTES_MAX;

        private long ofEach;

        long once(JsonSchema schema) {
            long bytes = 0;
            for (Map.Entry<String, JsonSchema> property : schema.properties.entrySet()) {
                bytes += Math.max(once(property.getValue()), ofDefault(property.getKey(), property.getValue()));
            }
            addEach(schema.items);
            addEach(schema.additionalProperties.schema());
            return bytes;
        }

        private void addEach(@Nullable JsonSchema schema) {
            if (schema != null) {
                ofEach = Math.max(ofEach, Math.max(once(schema), ofDefault("", schema)));
            }
        }

        /** With the defaults that its own members have. */
        private long ofDefault(String name, JsonSchema schema) {
            if (schema.defaultValue == null) {
                return 0;
            }
            if (bytesLeft < schema.defaultBytes) {
                return Defaulting.BYTES_MAX;
            }
            JsonNode value = schema.defaultValue.deepCopy();
            Defaulting.fill(value, schema);
            long bytes = TreeSize.ofName(name) + TreeSize.of(value).bytes();
            bytesLeft -= bytes;
            return bytes;
        }
    }
}
