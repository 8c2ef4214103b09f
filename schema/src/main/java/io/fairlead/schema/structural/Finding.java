package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The findings of a validator, in the words of kube-openapi ({@code validation/errors}).
 *
 * <p>Two findings with one message count once, so that alternatives with the same failure are reported once.
 */
sealed interface Finding {
    /** The text, which is also the finding's identity. */
    String message();

    /** Adds it to the errors of the object whose root is {@code base}. */
    void addTo(FieldErrors errors, FieldPath base);

    /** A value that is not what a keyword wants. */
    record Invalid(String path, JsonNode value, String message) implements Finding {
        @Override
        public void addTo(FieldErrors errors, FieldPath base) {
            errors.invalid(at(base, path), value, message);
        }
    }

    /** A value of another type, or a string of another format. */
    record WrongType(String path, JsonNode value, String message) implements Finding {
        @Override
        public void addTo(FieldErrors errors, FieldPath base) {
            errors.typeInvalid(at(base, path), value, message);
        }
    }

    /** A member that is missing. */
    record Missing(String path) implements Finding {
        @Override
        public String message() {
            return path + " in body is required";
        }

        @Override
        public void addTo(FieldErrors errors, FieldPath base) {
            errors.required(at(base, path), "");
        }
    }

    /** A value that is none of those allowed. */
    record NotAllowed(String path, JsonNode value, List<JsonNode> allowed) implements Finding {
        @Override
        public String message() {
            return path + " in body should be one of " + allowed;
        }

        @Override
        public void addTo(FieldErrors errors, FieldPath base) {
            List<String> texts = allowed.stream()
                    .map(node -> node.isString() ? node.stringValue() : GoText.json(node))
                    .toList();
            errors.notSupported(at(base, path), value, texts);
        }
    }

    /** A string with too many characters. */
    record TooLong(String path, long max) implements Finding {
        @Override
        public String message() {
            return path + " in body should be at most " + max + " chars long";
        }

        @Override
        public void addTo(FieldErrors errors, FieldPath base) {
            errors.tooLong(at(base, path), max);
        }
    }

    /** An array or object with too many elements or members. */
    record TooMany(String path, long actual, long max, String what) implements Finding {
        @Override
        public String message() {
            return path + " in body should have at most " + max + " " + what;
        }

        @Override
        public void addTo(FieldErrors errors, FieldPath base) {
            errors.tooMany(at(base, path), actual, max);
        }
    }

    /** A problem that upstream reports without a field. */
    record Unplaced(String message) implements Finding {
        @Override
        public void addTo(FieldErrors errors, FieldPath base) {
            errors.invalid(base, Json.nodes().stringNode(""), message);
        }
    }

    private static FieldPath at(FieldPath base, String path) {
        String relative = path.startsWith(".") ? path.substring(1) : path;
        return relative.isEmpty() ? base : base.child(relative);
    }
}
