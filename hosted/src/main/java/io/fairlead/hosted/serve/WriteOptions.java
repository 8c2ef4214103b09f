package io.fairlead.hosted.serve;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.object.Causes;
import io.fairlead.hosted.object.Refusals;
import java.util.List;
import java.util.Set;

/**
 * The query parameters of a write (meta/v1 {@code CreateOptions}, {@code UpdateOptions}, {@code PatchOptions}).
 *
 * @param dryRun whether nothing is to be stored
 * @param fieldValidation what to do about unknown and duplicate fields
 */
record WriteOptions(boolean dryRun, FieldValidation fieldValidation) {
    private static final int FIELD_MANAGER_LENGTH_MAX = 128;

    enum FieldValidation {
        IGNORE,
        WARN,
        STRICT
    }

    /**
     * Reads and checks them.
     *
     * @param kind the options' kind, for messages
     */
    static WriteOptions of(ApiRequest request, String kind) {
        checkFieldManager(request, kind);
        return new WriteOptions(
                dryRun(request.query().getOrDefault("dryRun", List.of()), kind), fieldValidation(request, kind));
    }

    static boolean dryRun(List<String> values, String kind) {
        for (String value : values) {
            if (!value.equals("All")) {
                throw Refusals.invalidOptions(kind, Causes.notSupported("dryRun", value, Set.of("All")));
            }
        }
        return !values.isEmpty();
    }

    private static FieldValidation fieldValidation(ApiRequest request, String kind) {
        String value = request.parameter("fieldValidation");
        return switch (value == null ? "" : value) {
            case "", "Warn" -> FieldValidation.WARN;
            case "Ignore" -> FieldValidation.IGNORE;
            case "Strict" -> FieldValidation.STRICT;
            default ->
                throw Refusals.invalidOptions(
                        kind,
                        Causes.notSupported(
                                "fieldValidation", value == null ? "" : value, Set.of("", "Ignore", "Warn", "Strict")));
        };
    }

    private static void checkFieldManager(ApiRequest request, String kind) {
        String manager = request.parameter("fieldManager");
        if (manager == null) {
            return;
        }
        if (manager.length() > FIELD_MANAGER_LENGTH_MAX) {
            throw Refusals.invalidOptions(kind, Causes.tooLong("fieldManager", FIELD_MANAGER_LENGTH_MAX));
        }
        if (manager.chars().anyMatch(Character::isISOControl)) {
            throw Refusals.invalidOptions(
                    kind, Causes.invalid("fieldManager", manager, "should only contain printable characters"));
        }
    }
}
