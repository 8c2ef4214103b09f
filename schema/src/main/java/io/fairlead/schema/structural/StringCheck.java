package io.fairlead.schema.structural;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.text.Effort;
import io.fairlead.schema.text.Formats;
import io.fairlead.schema.text.Patterns;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The keywords of strings; the first failure is reported. Lengths are in code points. */
final class StringCheck {
    private StringCheck() {}

    static @Nullable Finding check(JsonSchema schema, JsonNode value, String path, Effort effort) {
        String text = value.stringValue();
        effort.spend(text.length() / Effort.CHARS_FOR_A_STEP);
        JsonNode max = schema.number("maxLength");
        if (max != null && length(text) > max.longValue()) {
            return new Finding.TooLong(path, max.longValue());
        }
        JsonNode min = schema.number("minLength");
        if (min != null && length(text) < min.longValue()) {
            String message = path + " in body should be at least " + min.longValue() + " chars long";
            return new Finding.Invalid(path, value, message);
        }
        if (schema.pattern.isEmpty()) {
            return null;
        }
        if (Patterns.isTooLong(schema.pattern, text, effort)) {
            String message = path + " in body is too long to be compared with '" + schema.pattern + "': "
                    + text.length() + " chars";
            return new Finding.Invalid(path, value, message);
        }
        if (!Patterns.matches(schema.pattern, text, effort)) {
            return new Finding.Invalid(path, value, path + " in body should match '" + schema.pattern + "'");
        }
        return null;
    }

    static @Nullable Finding format(String format, JsonNode value, String path, Effort effort) {
        effort.spend(value.stringValue().length());
        if (Formats.matches(format, value.stringValue())) {
            return null;
        }
        String quoted = GoText.quote(value.stringValue());
        return new Finding.WrongType(path, value, path + " in body must be of type " + format + ": " + quoted);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
