package io.fairlead.schema.field;

import io.fairlead.model.Status;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One problem of one field.
 *
 * @param type what kind of problem
 * @param field the field's path as text
 * @param value the offending value; null if it is not shown
 * @param detail what was expected, empty if the type says it all
 */
public record FieldError(Type type, String field, @Nullable JsonNode value, String detail) {
    /** The kinds of problems; each a cause of a Status. */
    public enum Type {
        NOT_FOUND("FieldValueNotFound", "Not found", true),
        REQUIRED("FieldValueRequired", "Required value", false),
        DUPLICATE("FieldValueDuplicate", "Duplicate value", true),
        INVALID("FieldValueInvalid", "Invalid value", true),
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value", true),
        FORBIDDEN("FieldValueForbidden", "Forbidden", false),
        TOO_LONG("FieldValueTooLong", "Too long", false),
        TOO_MANY("FieldValueTooMany", "Too many", true),
        TYPE_INVALID("FieldValueTypeInvalid", "Invalid value", true),
        INTERNAL("InternalError", "Internal error", false);

        private final String cause;
        private final String text;
        private final boolean showsValue;

        Type(String cause, String text, boolean showsValue) {
            this.cause = cause;
            this.text = text;
            this.showsValue = showsValue;
        }

        /** The {@code reason} of a cause ({@code FieldValueInvalid}). */
        public String cause() {
            return cause;
        }
    }

    /** The problem without the field: {@code Invalid value: "x": must be y}. */
    public String body() {
        String shown = type.showsValue && value != null ? type.text + ": " + GoText.value(value) : type.text;
        return detail.isEmpty() ? shown : shown + ": " + detail;
    }

    /** The cause of a Status. */
    public Status.Cause cause() {
        return new Status.Cause(type.cause, body(), field);
    }

    /** The whole problem: {@code spec.x: Invalid value: "x": must be y}. */
    @Override
    public String toString() {
        return field + ": " + body();
    }
}
