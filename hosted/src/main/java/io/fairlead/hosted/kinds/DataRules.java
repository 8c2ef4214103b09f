package io.fairlead.hosted.kinds;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The common rules of ConfigMaps and Secrets: keys, size, immutability. */
final class DataRules {
    static final int BYTES_MAX = 1024 * 1024;

    private static final int KEY_LENGTH_MAX = 253;
    private static final String KEY = "[-._a-zA-Z0-9]+";
    private static final Pattern KEY_PATTERN = Pattern.compile(KEY);

    private DataRules() {}

    /** Problems of the keys of a map. */
    static void checkKeys(ObjectNode object, String member, FieldErrors errors) {
        for (String key : object.path(member).propertyNames()) {
            for (String problem : problems(key)) {
                errors.invalid(FieldPath.of(member).key(key), key, problem);
            }
        }
    }

    /** Problems of a change of an object that forbids it; {@code immutable} itself cannot be reset either. */
    static void checkImmutable(ObjectNode object, ObjectNode old, FieldErrors errors, String... members) {
        if (!old.path("immutable").asBoolean(false)) {
            return;
        }
        String detail = "field is immutable when `immutable` is set";
        if (!object.path("immutable").asBoolean(false)) {
            errors.forbidden(FieldPath.of("immutable"), detail);
        }
        for (String member : members) {
            if (!object.path(member).equals(old.path(member))) {
                errors.forbidden(FieldPath.of(member), detail);
            }
        }
    }

    static long textBytes(JsonNode texts) {
        return texts.valueStream()
                .mapToLong(text -> text.asString("").getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    /** Decodes base64 texts. */
    static long decodedBytes(JsonNode texts) {
        return texts.valueStream()
                .map(text -> text.asString(""))
                .mapToLong(text -> text.length() / 4 * 3L
                        - text.chars().filter(c -> c == '=').count())
                .sum();
    }

    private static List<String> problems(String key) {
        List<String> problems = new ArrayList<>();
        if (key.length() > KEY_LENGTH_MAX) {
            problems.add("must be no more than " + KEY_LENGTH_MAX + " characters");
        }
        if (!KEY_PATTERN.matcher(key).matches()) {
            problems.add(
                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name', "
                            + " or 'KEY_NAME',  or 'key-name', regex used for validation is '" + KEY + "')");
        }
        if (key.equals(".") || key.equals("..")) {
            problems.add("must not be '" + key + "'");
        } else if (key.startsWith("..")) {
            problems.add("must not start with '..'");
        }
        return problems;
    }
}
