package io.fairlead.hosted.objects;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Owner references that are equal: one of them is kept, with a warning (apiserver {@code dedupOwnerReferencesAndAddWarning}). */
public final class OwnerReferences {
    private static final String FIELD = ".metadata.ownerReferences contains duplicate entries";
    private static final String ADVICE = "; API server dedups owner references in 1.20+, and may reject such requests"
            + " as early as 1.24; please fix your requests; duplicate UID(s) observed: ";

    private OwnerReferences() {}

    /** Of an object as a client sent it, before it is recorded who manages its fields. */
    public static void dropEqual(ObjectNode object, Consumer<String> warnings) {
        dropEqual(object, FIELD + ADVICE, warnings);
    }

    /** Of an object that is admitted. */
    static void dropEqualAdmitted(ObjectNode object, Consumer<String> warnings) {
        dropEqual(object, FIELD + " after mutating admission happens" + ADVICE, warnings);
    }

    private static void dropEqual(ObjectNode object, String warning, Consumer<String> warnings) {
        if (!(object.path("metadata").get("ownerReferences") instanceof ArrayNode references)) {
            return;
        }
        Set<JsonKey> seen = new HashSet<>();
        ArrayNode kept = Json.array();
        List<String> dropped = new ArrayList<>();
        for (JsonNode reference : references) {
            if (seen.add(new JsonKey(reference))) {
                kept.add(reference);
            } else {
                dropped.add(reference.path("uid").asString(""));
            }
        }
        if (!dropped.isEmpty()) {
            Meta.of(object).set("ownerReferences", kept);
            warnings.accept(warning + String.join(", ", dropped));
        }
    }
}
