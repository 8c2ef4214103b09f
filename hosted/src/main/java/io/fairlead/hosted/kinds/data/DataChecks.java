package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.JsonResources;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Refuses what {@code data-checks.yaml} and {@link Comparisons} say, wherever the type occurs in an object. */
final class DataChecks {
    private static final String RESOURCE = "data-checks.json";
    private static final Map<String, List<FieldCheck>> CHECKS = read();

    private static final int ERRORS_MAX = 100;

    private final FieldErrors errors = new FieldErrors(ERRORS_MAX);

    private DataChecks() {}

    /** The problems of an object. */
    static FieldErrors of(Struct type, ObjectNode object) {
        DataChecks checks = new DataChecks();
        checks.struct(type, object, FieldPath.ROOT);
        return checks.errors;
    }

    /** Adds the problems of what stands at a path in an object. */
    static void within(String type, ObjectNode object, FieldPath path, FieldErrors errors) {
        DataChecks checks = new DataChecks();
        checks.struct(ApiTypes.named(type), object, path);
        errors.addAll(checks.errors);
    }

    private void struct(Struct type, ObjectNode object, FieldPath path) {
        if (errors.isFull()) {
            return;
        }
        int first = errors.size();
        boolean isOrdered = CauseOrders.has(type);
        if (isOrdered) {
            fields(type, object, path);
            itself(type, object, path);
        } else {
            itself(type, object, path);
            fields(type, object, path);
        }
        if (isOrdered && errors.size() > first) {
            errors.sortFrom(first, CauseOrders.below(type, path));
        }
    }

    /** What the struct says of its fields, and how they go together. */
    private void itself(Struct type, ObjectNode object, FieldPath path) {
        for (FieldCheck check : CHECKS.getOrDefault(type.name(), List.of())) {
            check.apply(
                    object.path(check.field().name()), path.child(check.field().name()), errors);
        }
        Comparisons.of(type.name()).check(object, path, errors);
    }

    /** What the types of the fields say. */
    private void fields(Struct type, ObjectNode object, FieldPath path) {
        Set<String> judged = Comparisons.judged(type.name(), object);
        for (Field field : type.fields()) {
            JsonNode value = object.get(field.name());
            if (value != null && !value.isNull() && !judged.contains(field.name())) {
                value(field.type(), value, path.child(field.name()));
            }
        }
    }

    private void value(GoType type, JsonNode value, FieldPath path) {
        switch (type) {
            case Struct struct -> {
                if (value instanceof ObjectNode object) {
                    struct(struct, object, path);
                }
            }
            case ListOf list -> {
                int index = 0;
                for (JsonNode item : value) {
                    value(list.element(), item, path.index(index++));
                }
            }
            case MapOf map -> value.forEachEntry((key, entry) -> value(map.element(), entry, path.key(key)));
            case Scalar scalar -> {}
            case Union union -> {}
        }
    }

    private static Map<String, List<FieldCheck>> read() {
        Map<String, List<FieldCheck>> checks = new HashMap<>();
        JsonResources.read(DataChecks.class, RESOURCE).forEachEntry((type, fields) -> {
            Struct struct = ApiTypes.named(type);
            List<FieldCheck> ofType = new ArrayList<>();
            fields.forEachEntry((name, description) -> ofType.add(FieldCheck.read(struct, name, description)));
            checks.put(type, ofType);
        });
        return checks;
    }
}
