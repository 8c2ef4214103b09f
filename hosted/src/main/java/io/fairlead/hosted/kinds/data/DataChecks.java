package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Meta;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Refuses what {@code data-checks.yaml} and {@link Comparisons} say, wherever the type occurs in an object. */
final class DataChecks {
    private static final String RESOURCE = "data-checks.json";
    private static final Map<String, List<Check>> CHECKS = read();

    private static final int ERRORS_MAX = 100;

    private final FieldErrors errors = new FieldErrors(ERRORS_MAX);

    private DataChecks() {}

    /** The problems of an object. */
    static FieldErrors of(Struct type, ObjectNode object) {
        DataChecks checks = new DataChecks();
        checks.struct(type, object, FieldPath.ROOT);
        return checks.errors;
    }

    private void struct(Struct type, ObjectNode object, FieldPath path) {
        if (errors.isFull()) {
            return;
        }
        for (Check check : CHECKS.getOrDefault(type.name(), List.of())) {
            check.apply(object.path(check.field.name()), path.child(check.field.name()), errors);
        }
        Comparisons.of(type.name()).check(object, path, errors);
        for (Field field : type.fields()) {
            JsonNode value = object.get(field.name());
            if (value != null && !value.isNull()) {
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

    private static Map<String, List<Check>> read() {
        Map<String, List<Check>> checks = new HashMap<>();
        JsonResources.read(DataChecks.class, RESOURCE).forEachEntry((type, fields) -> {
            Struct struct = ApiTypes.named(type);
            List<Check> ofType = new ArrayList<>();
            fields.forEachEntry((name, description) -> ofType.add(Check.read(struct, name, description)));
            checks.put(type, ofType);
        });
        return checks;
    }

    /**
     * The checks of one field.
     *
     * @param required the detail of the refusal of an empty field, or null if it may be empty
     * @param values the values it may have; any if empty
     */
    private record Check(
            Field field,
            @Nullable String required,
            List<String> values,
            long min,
            long max,
            boolean port,
            TextForm form) {
        private static final long PORT_MAX = 65_535;

        static Check read(Struct struct, String name, JsonNode description) {
            JsonNode required = description.path("required");
            return new Check(
                    Objects.requireNonNull(
                            struct.field(name), () -> RESOURCE + ": " + struct.name() + " has no field " + name),
                    required.isString() ? required.stringValue() : required.asBoolean(false) ? "" : null,
                    Meta.strings(description.path("enum")),
                    description.path("min").asLong(Long.MIN_VALUE),
                    description.path("max").asLong(Long.MAX_VALUE),
                    description.path("port").asBoolean(false),
                    TextForm.of(description.path("text").asString("")));
        }

        void apply(JsonNode value, FieldPath path, FieldErrors errors) {
            if (isEmpty(value)) {
                if (required != null) {
                    errors.required(path, required);
                } else if (port && value.isNumber()) {
                    number(value, path, errors);
                }
            } else if (value.isArray()) {
                value.forEach(item -> text(item, path, errors));
            } else if (value.isNumber()) {
                number(value, path, errors);
            } else if (value.isString()) {
                text(value, path, errors);
            }
        }

        private void number(JsonNode value, FieldPath path, FieldErrors errors) {
            long number = value.asLong(0);
            if (port && (number < 1 || number > PORT_MAX)) {
                errors.invalid(path, value, "must be between 1 and 65535, inclusive");
            } else if (number < min || number > max) {
                boolean isRange = max < Long.MAX_VALUE;
                errors.invalid(
                        path,
                        value,
                        isRange
                                ? "must be between " + min + " and " + max + ", inclusive"
                                : "must be greater than or equal to " + min);
            }
        }

        private void text(JsonNode value, FieldPath path, FieldErrors errors) {
            if (!values.isEmpty() && !values.contains(value.asString(""))) {
                errors.notSupported(path, value, values);
            }
            form.problems(value.asString("")).forEach(problem -> errors.invalid(path, value, problem));
        }

        /** Zero of what is no pointer in Go is nothing. */
        private boolean isEmpty(JsonNode value) {
            if (value.isMissingNode() || value.isNull()) {
                return true;
            }
            if (value.isNumber()) {
                return !field.pointer() && value.asLong(0) == 0 && min == Long.MIN_VALUE;
            }
            return value.isString()
                    ? value.stringValue().isEmpty()
                    : value.isContainer() && !field.pointer() && value.isEmpty();
        }
    }
}
