package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Alike;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a Job's template and completions may change (kubernetes {@code ValidateJobSpecUpdate}): where its pods run and what they take,
 * as long as it is suspended and never ran; and the completions of an indexed one, together with its parallelism.
 */
final class JobUpdates {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final String IMMUTABLE = "field is immutable";

    private JobUpdates() {}

    static void check(ObjectNode job, ObjectNode stored, FieldErrors errors) {
        JsonNode spec = job.path("spec");
        JsonNode old = stored.path("spec");
        completions(spec, old, errors);
        boolean isOpen =
                old.path("suspend").asBoolean(false) && !stored.path("status").hasNonNull("startTime");
        JsonNode template = spec.path("template");
        JsonNode before = old.path("template");
        boolean isSame = isOpen ? Alike.are(fixed(template), fixed(before)) : Alike.are(template, before);
        if (!isSame) {
            errors.invalid(SPEC.child("template"), template, IMMUTABLE);
        }
    }

    private static void completions(JsonNode spec, JsonNode old, FieldErrors errors) {
        JsonNode completions = spec.path("completions");
        if (completions.equals(old.path("completions"))) {
            return;
        }
        FieldPath path = SPEC.child("completions");
        if (!spec.path("completionMode").asString("").equals("Indexed")) {
            errors.invalid(path, completions, IMMUTABLE);
        } else if (!completions.equals(spec.path("parallelism"))) {
            errors.invalid(path, completions, "can only be modified in tandem with spec.parallelism");
        }
    }

    /** A template without what a Job that never ran may change. */
    private static JsonNode fixed(JsonNode template) {
        JsonNode fixed = template.deepCopy();
        if (fixed.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("labels", "annotations"));
        }
        if (fixed.path("spec") instanceof ObjectNode spec) {
            spec.remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
            PodUpdates.removeNodeAffinity(spec);
            for (String list : List.of("containers", "initContainers")) {
                spec.path(list).forEach(container -> ((ObjectNode) container).remove("resources"));
            }
        }
        return fixed;
    }
}
