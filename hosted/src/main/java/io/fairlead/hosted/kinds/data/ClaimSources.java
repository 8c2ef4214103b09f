package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a volume is filled with at first, which a claim says in two fields (kubernetes {@code pkg/api/persistentvolumeclaim}). */
final class ClaimSources {
    private static final String SOURCE = "dataSource";
    private static final String REFERENCE = "dataSourceRef";
    private static final List<String> FIELDS = List.of("apiGroup", "kind", "name");
    private static final String CLAIM = "PersistentVolumeClaim";

    private ClaimSources() {}

    /** Drops what is not supported and lets each field say what the other does. */
    static void normalise(JsonNode claim, JsonNode old) {
        if (!(claim instanceof ObjectNode spec)) {
            return;
        }
        if (!namespace(spec.path(REFERENCE)).isEmpty() && !old.path(REFERENCE).isObject()) {
            spec.remove(REFERENCE);
        }
        boolean wasFilled = old.path(SOURCE).isObject() || old.path(REFERENCE).isObject();
        if (!wasFilled && !spec.path(REFERENCE).isObject() && !isClaimOrSnapshot(spec.path(SOURCE))) {
            spec.remove(SOURCE);
        }
        if (!spec.path(REFERENCE).isObject()) {
            copy(spec, SOURCE, REFERENCE);
        } else if (!spec.path(SOURCE).isObject()
                && namespace(spec.path(REFERENCE)).isEmpty()) {
            copy(spec, REFERENCE, SOURCE);
        }
    }

    static void check(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode source = spec.path(SOURCE);
        JsonNode reference = spec.path(REFERENCE);
        source(source, path.child(SOURCE), errors);
        source(reference, path.child(REFERENCE), errors);
        String namespace = namespace(reference);
        if (!namespace.isEmpty()) {
            FieldPath at = path.child(REFERENCE).child("namespace");
            errors.invalid(at, namespace, Names.dns1123Label(namespace));
        }
        if (source.isObject() && reference.isObject()) {
            if (!namespace.isEmpty()) {
                errors.invalid(path, Json.object(), "may not be specified when dataSourceRef.namespace is specified");
            } else if (!FIELDS.stream().allMatch(field -> source.path(field).equals(reference.path(field)))) {
                errors.invalid(path, Json.object(), "must match dataSourceRef");
            }
        }
    }

    private static void source(JsonNode source, FieldPath path, FieldErrors errors) {
        if (!source.isObject()) {
            return;
        }
        for (String field : List.of("name", "kind")) {
            if (source.path(field).asString("").isEmpty()) {
                errors.required(path.child(field), "");
            }
        }
        String group = source.path("apiGroup").asString("");
        String kind = source.path("kind").asString("");
        if (group.isEmpty() && !kind.equals(CLAIM)) {
            errors.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
        } else if (!group.isEmpty()) {
            errors.invalid(path.child("apiGroup"), group, Names.dns1123Subdomain(group));
        }
    }

    private static boolean isClaimOrSnapshot(JsonNode source) {
        String group = source.path("apiGroup").asString("");
        String kind = source.path("kind").asString("");
        return (group.isEmpty() && kind.equals(CLAIM))
                || (group.equals("snapshot.storage.k8s.io") && kind.equals("VolumeSnapshot"));
    }

    private static String namespace(JsonNode reference) {
        return reference.path("namespace").asString("");
    }

    private static void copy(ObjectNode spec, String from, String to) {
        if (spec.get(from) instanceof ObjectNode source) {
            ObjectNode copy = spec.putObject(to);
            FIELDS.stream().filter(source::has).forEach(field -> copy.set(field, source.get(field)));
        }
    }
}
