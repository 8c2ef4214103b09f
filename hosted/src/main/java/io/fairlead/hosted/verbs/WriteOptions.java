package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.OwnUser;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.ObjectMetadata;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/**
 * The query parameters of a write (meta/v1 {@code CreateOptions}, {@code UpdateOptions}, {@code PatchOptions}).
 *
 * @param dryRun whether nothing is to be stored
 * @param fieldValidation what to do about unknown and duplicate fields
 * @param manager the name under which the fields that are written are managed
 */
public record WriteOptions(boolean dryRun, FieldValidation fieldValidation, String manager) {
    /** What to do about unknown and duplicate fields. */
    public enum FieldValidation {
        /** Drop them. */
        IGNORE,
        /** Drop them with a warning. */
        WARN,
        /** Refuse the request. */
        STRICT
    }

    /**
     * Parses and validates them.
     *
     * @param kind the options' kind, for messages
     * @throws io.fairlead.model.StatusException 422 with the problems
     */
    public static WriteOptions of(ApiRequest request, String kind) {
        checkFieldManager(request, kind);
        return new WriteOptions(
                dryRun(request.query().getOrDefault("dryRun", List.of()), kind),
                fieldValidation(request, kind),
                managerOf(request));
    }

    /**
     * Those of a patch that applies a configuration: it must say who manages what it writes.
     */
    static WriteOptions ofApply(ApiRequest request) {
        String manager = request.parameter("fieldManager");
        if (manager == null || manager.isEmpty()) {
            throw Refusals.invalidOptions(
                    "PatchOptions", Causes.required("fieldManager", "is required for apply patch"));
        }
        return of(request, "PatchOptions");
    }

    /** Whether a configuration takes the fields that others manage. */
    static boolean force(ApiRequest request) {
        String force = request.parameter("force");
        return force != null && !force.equals("0") && !force.equalsIgnoreCase("false");
    }

    /**
     * Who manages what a request writes: the field manager that it names, else the name of the program in its
     * {@code User-Agent} (apiserver {@code endpoints/handlers/create.go}).
     */
    static String managerOf(ApiRequest request) {
        String manager = request.parameter("fieldManager");
        if (manager != null && !manager.isEmpty()) {
            return manager;
        }
        if (OwnUser.is(request.user())) {
            return OwnUser.FIELD_MANAGER;
        }
        String program = request.header("user-agent").split("/", 2)[0];
        StringBuilder name = new StringBuilder();
        int bytes = 0;
        for (int c : program.codePoints().filter(GoText::isPrintable).toArray()) {
            bytes += Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > ObjectMetadata.FIELD_MANAGER_MAX) {
                break;
            }
            name.appendCodePoint(c);
        }
        return name.toString();
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
        if (manager.getBytes(StandardCharsets.UTF_8).length > ObjectMetadata.FIELD_MANAGER_MAX) {
            throw Refusals.invalidOptions(kind, Causes.tooLong("fieldManager", ObjectMetadata.FIELD_MANAGER_MAX));
        }
        for (int i = 0; i < manager.length(); i++) {
            if (!GoText.isPrintable(manager.codePointAt(i)) && !Character.isLowSurrogate(manager.charAt(i))) {
                String problem = String.format("invalid character U+%04X (at position %d)", (int) manager.charAt(i), i);
                throw Refusals.invalidOptions(kind, Causes.invalid("fieldManager", manager, problem));
            }
        }
    }
}
