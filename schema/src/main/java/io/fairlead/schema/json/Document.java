package io.fairlead.schema.json;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A text that was read.
 *
 * @param root its tree
 * @param duplicates the members that were given more than once, in the order of the text, each path once, at most
 *     {@link #DUPLICATES_MAX}; in the tree the last one counts
 */
public record Document(JsonNode root, List<DuplicateField> duplicates) {
    /** The most duplicates to report; apimachinery's strict decoder has the same limit. */
    public static final int DUPLICATES_MAX = 100;

    public Document {
        duplicates = List.copyOf(duplicates);
    }
}
