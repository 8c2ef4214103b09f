package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.ObjectMetadata;
import io.fairlead.schema.text.Quantities;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.Struct;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The checks of one field, as {@code data-checks.yaml} says them.
 *
 * @param required the detail of the refusal of an empty field, or null if it may be empty
 * @param values the values it may have; any if empty
 * @param detail what is said of a number out of its range; empty if the range says it
 * @param everyValue whether the text must have its form even if it is empty; not if it is a pointer in Go and absent
 * @param labels whether the map is one of labels
 * @param notNegative whether it is a quantity, or a map of quantities, none below zero
 */
record FieldCheck(
        Field field,
        @Nullable String required,
        List<String> values,
        long min,
        long max,
        String detail,
        boolean port,
        TextForm form,
        boolean everyValue,
        boolean labels,
        boolean notNegative) {
    private static final long PORT_MAX = 65_535;

    static FieldCheck read(Struct struct, String name, JsonNode description) {
        JsonNode required = description.path("required");
        return new FieldCheck(
                Objects.requireNonNull(struct.field(name), () -> struct.name() + " has no field " + name),
                required.isString() ? required.stringValue() : required.asBoolean(false) ? "" : null,
                Meta.strings(description.path("enum")),
                description.path("min").asLong(Long.MIN_VALUE),
                description.path("max").asLong(Long.MAX_VALUE),
                description.path("detail").asString(""),
                description.path("port").asBoolean(false),
                TextForm.of(description.path("text").asString("")),
                description.path("everyValue").asBoolean(false),
                description.path("labels").asBoolean(false),
                description.path("notNegative").asBoolean(false));
    }

    void apply(JsonNode value, FieldPath path, FieldErrors errors) {
        if (isEmpty(value)) {
            if (required != null) {
                errors.required(path, required);
            } else if (port && value.isNumber()) {
                number(value, path, errors);
            } else if (port && value.isMissingNode() && field.kept()) {
                number(Json.nodes().numberNode(0), path, errors);
            }
            if (everyValue && !(field.pointer() && isAbsent(value))) {
                text(Json.nodes().stringNode(""), path, errors);
            }
        } else if (labels) {
            ObjectMetadata.labels(value, path, errors);
        } else if (notNegative) {
            quantities(value, path, errors);
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
            errors.invalid(path, value, range());
        }
    }

    private String range() {
        if (!detail.isEmpty()) {
            return detail;
        }
        if (max == Long.MAX_VALUE) {
            return "must be greater than or equal to " + min;
        }
        return "must be between " + min + " and " + max + ", inclusive";
    }

    private void text(JsonNode value, FieldPath path, FieldErrors errors) {
        if (!values.isEmpty() && !values.contains(value.asString(""))) {
            errors.notSupported(path, value, values);
        }
        errors.invalid(path, form.shown(value), form.problems(value.asString("")));
    }

    private void quantities(JsonNode value, FieldPath path, FieldErrors errors) {
        if (value.isObject()) {
            value.forEachEntry((name, quantity) -> quantity(quantity, path.key(name), errors));
        } else {
            quantity(value, path, errors);
        }
    }

    private void quantity(JsonNode value, FieldPath path, FieldErrors errors) {
        BigDecimal quantity = Quantities.value(value.asString("")).orElse(BigDecimal.ONE);
        if (quantity.signum() < 0) {
            errors.invalid(path, value, "must be greater than or equal to 0");
        }
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    /** Zero of what is no pointer in Go is nothing. */
    private boolean isEmpty(JsonNode value) {
        if (isAbsent(value)) {
            return true;
        }
        if (value.isNumber()) {
            return !field.pointer() && value.asLong(0) == 0 && min == Long.MIN_VALUE;
        }
        return value.isString()
                ? value.stringValue().isEmpty() && !(field.pointer() && !values.isEmpty())
                : value.isContainer() && !field.pointer() && value.isEmpty();
    }
}
