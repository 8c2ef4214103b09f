package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

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
     * Parses and validates them.
     *
     * @param kind the options' kind, for messages
     */
    static WriteOptions of(ApiRequest request, String kind) {
        checkFieldManager(request, kind);
        return new WriteOptions(
                dryRun(request.query().getOrDefault("dryRun", List.of()), kind), fieldValidation(request, kind));
    }

    private static boolean dryRun(List<String> values, String kind) {
        List<Status.Cause> problems = dryRunProblems(values);
        if (!problems.isEmpty()) {
            throw Refusals.invalidOptions(kind, problems);
        }
        return !values.isEmpty();
    }

    /** The problems of the values of {@code dryRun}. */
    static List<Status.Cause> dryRunProblems(List<String> values) {
        FieldErrors errors = new FieldErrors();
        if (values.stream().anyMatch(value -> !value.equals("All"))) {
            ArrayNode given = Json.array();
            values.forEach(given::add);
            errors.notSupported(FieldPath.of("dryRun"), given, List.of("All"));
        }
        return Causes.of(errors);
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
                                "fieldValidation",
                                value == null ? "" : value,
                                List.of("", "Ignore", "Strict", "Warn")));
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
        for (int i = 0; i < manager.length(); i++) {
            if (Character.isISOControl(manager.charAt(i))) {
                String problem = String.format("invalid character U+%04X (at position %d)", (int) manager.charAt(i), i);
                throw Refusals.invalidOptions(kind, Causes.invalid("fieldManager", manager, problem));
            }
        }
    }
}
