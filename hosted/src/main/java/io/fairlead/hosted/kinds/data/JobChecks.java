package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of when jobs run, fail and succeed that compare fields (kubernetes {@code pkg/apis/batch/validation}), by Go type. */
final class JobChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "batch/v1.PodFailurePolicyRule", JobChecks::failureRule,
            "batch/v1.PodFailurePolicyOnExitCodesRequirement", JobChecks::exitCodes,
            "batch/v1.CronJob", JobChecks::cronJob,
            "batch/v1.CronJobSpec", JobChecks::schedule);

    /** What a job's name may have so that its pods' may add to it. */
    private static final int NAME_CHARS_MAX = 52;

    private static final int INDEXES_MAX = 100_000;
    /** Of what counts indexes, if there are more than {@link #INDEXES_MAX}. */
    private static final int MANY_INDEXES_MAX = 10_000;

    private static final int RULES_MAX = 20;
    private static final int EXIT_CODES_MAX = 255;
    private static final int MANAGER_CHARS_MAX = 63;
    private static final int INDEXES_CHARS_MAX = 64 * 1024;
    private static final String NEEDS_INDEXES = "requires indexed completion mode";

    private JobChecks() {}

    static void job(ObjectNode spec, FieldPath path, FieldErrors errors) {
        String mode = spec.path("completionMode").asString("");
        boolean isIndexed = mode.equals("Indexed");
        FieldPath limit = path.child("backoffLimitPerIndex");
        JsonNode perIndex = spec.path("backoffLimitPerIndex");
        JsonNode failed = spec.path("maxFailedIndexes");
        if (failed.isNumber() && !perIndex.isNumber()) {
            errors.required(limit, "when maxFailedIndexes is specified");
        }
        if (isIndexed) {
            indexed(spec, path, errors);
        } else if (mode.isEmpty() || mode.equals("NonIndexed")) {
            if (perIndex.isNumber()) {
                errors.invalid(limit, perIndex, NEEDS_INDEXES);
            }
            if (failed.isNumber()) {
                errors.invalid(path.child("maxFailedIndexes"), failed, NEEDS_INDEXES);
            }
        }
        if (spec.path("podFailurePolicy").isObject()) {
            failures(spec, path, errors);
        }
        success(spec, isIndexed, path.child("successPolicy"), errors);
        replacement(spec, path.child("podReplacementPolicy"), errors);
        manager(spec.path("managedBy"), path.child("managedBy"), errors);
    }

    private static void indexed(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode failed = spec.path("maxFailedIndexes");
        JsonNode completions = spec.path("completions");
        if (!completions.isNumber()) {
            errors.required(path.child("completions"), "when completion mode is Indexed");
        }
        atMost(spec, "parallelism", INDEXES_MAX, " when completion mode is Indexed", path, errors);
        if (completions.isNumber() && failed.asLong(0) > completions.asLong(0)) {
            errors.invalid(path.child("maxFailedIndexes"), failed, "must be less than or equal to completions");
        }
        atMost(spec, "maxFailedIndexes", INDEXES_MAX, "", path, errors);
        boolean isCounted = spec.path("backoffLimitPerIndex").isNumber();
        if (isCounted && completions.asLong(0) > INDEXES_MAX) {
            if (!failed.isNumber()) {
                errors.required(
                        path.child("maxFailedIndexes"), "must be specified when completions is above " + INDEXES_MAX);
            }
            String when = " when completions are above " + INDEXES_MAX + " and used with backoff limit per index";
            atMost(spec, "parallelism", MANY_INDEXES_MAX, when, path, errors);
            atMost(spec, "maxFailedIndexes", MANY_INDEXES_MAX, when, path, errors);
        }
    }

    private static void atMost(
            ObjectNode spec, String field, long max, String when, FieldPath path, FieldErrors errors) {
        JsonNode value = spec.path(field);
        if (value.asLong(0) > max) {
            errors.invalid(path.child(field), value, "must be less than or equal to " + max + when);
        }
    }

    private static void failures(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode rules = spec.path("podFailurePolicy").path("rules");
        FieldPath at = path.child("podFailurePolicy").child("rules");
        if (rules.size() > RULES_MAX) {
            errors.tooMany(at, rules.size(), RULES_MAX);
        }
        Set<String> containers = new HashSet<>();
        for (String list : List.of("containers", "initContainers")) {
            spec.at("/template/spec")
                    .path(list)
                    .forEach(container -> containers.add(container.path("name").asString("")));
        }
        boolean isPerIndex = spec.path("backoffLimitPerIndex").isNumber();
        int index = 0;
        for (JsonNode rule : rules) {
            ruleOfJob(rule, isPerIndex, containers, at.index(index++), errors);
        }
        JsonNode restart = spec.at("/template/spec/restartPolicy");
        if (restart.asString("").equals("OnFailure")) {
            errors.invalid(
                    path.child("template").child("spec").child("restartPolicy"),
                    restart,
                    "only \"Never\" is supported when podFailurePolicy is specified");
        }
    }

    /** Pods whose failure is judged are replaced once they have failed. */
    private static void replacement(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode policy = spec.path("podReplacementPolicy");
        List<String> supported =
                spec.path("podFailurePolicy").isObject() ? List.of("Failed") : List.of("Failed", "TerminatingOrFailed");
        if (policy.isString() && !supported.contains(policy.stringValue())) {
            errors.notSupported(path, policy, supported);
        }
    }

    private static void manager(JsonNode manager, FieldPath path, FieldErrors errors) {
        if (!manager.isString()) {
            return;
        }
        if (manager.stringValue().isEmpty()) {
            errors.required(path, "");
        } else {
            errors.invalid(path, manager, TextForm.DOMAIN_PATH.problems(manager.stringValue()));
        }
        if (manager.stringValue().length() > MANAGER_CHARS_MAX) {
            errors.tooLong(path, MANAGER_CHARS_MAX);
        }
    }

    /** The selector of a job that has not chosen its own is the one that was made for it ({@code validateGeneratedSelector}). */
    static void selector(ObjectNode job, FieldErrors errors) {
        JsonNode spec = job.path("spec");
        JsonNode selector = spec.path("selector");
        Set<String> made = Set.of(
                "controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name");
        boolean isMade = made.containsAll(selector.path("matchLabels").propertyNames())
                && selector.path("matchExpressions").isEmpty();
        if (selector.isObject()
                && !isMade
                && WorkloadChecks.isReadable(selector)
                && !spec.path("manualSelector").asBoolean(false)) {
            errors.invalid(
                    FieldPath.of("spec", "selector"), WorkloadChecks.shown(selector), "`selector` not auto-generated");
        }
    }

    /** The name of the pod with the last index is a label ({@code ValidateJob}). */
    static void name(ObjectNode job, FieldErrors errors) {
        JsonNode spec = job.path("spec");
        long completions = spec.path("completions").asLong(0);
        if (!spec.path("completionMode").asString("").equals("Indexed") || completions <= 0) {
            return;
        }
        String name = job.at("/metadata/name").asString("");
        String last = name + "-" + (completions - 1);
        if (!TextForm.LABEL.problems(last).isEmpty()) {
            errors.invalid(
                    FieldPath.of("metadata", "name"),
                    name,
                    "will not able to create pod with invalid DNS label: " + last);
        }
    }

    private static void ruleOfJob(
            JsonNode rule, boolean isPerIndex, Set<String> containers, FieldPath path, FieldErrors errors) {
        JsonNode action = rule.path("action");
        if (action.asString("").equals("FailIndex") && !isPerIndex) {
            errors.invalid(path.child("action"), action, "requires the backoffLimitPerIndex to be set");
        }
        JsonNode name = rule.path("onExitCodes").path("containerName");
        if (name.isString() && !containers.contains(name.stringValue())) {
            errors.invalid(
                    path.child("onExitCodes").child("containerName"),
                    name,
                    "must be one of the container or initContainer names in the pod template");
        }
    }

    private static void failureRule(ObjectNode rule, FieldPath path, FieldErrors errors) {
        boolean hasCodes = rule.path("onExitCodes").isObject();
        JsonNode conditions = rule.path("onPodConditions");
        boolean hasConditions = !conditions.isEmpty();
        if (conditions.size() > RULES_MAX) {
            errors.tooMany(path.child("onPodConditions"), conditions.size(), RULES_MAX);
        }
        if (hasCodes && hasConditions) {
            invalid(path, "specifying both OnExitCodes and OnPodConditions is not supported", errors);
        } else if (!hasCodes && !hasConditions) {
            invalid(path, "specifying one of OnExitCodes and OnPodConditions is required", errors);
        }
    }

    private static void invalid(FieldPath path, String detail, FieldErrors errors) {
        errors.add(new FieldError(FieldError.Type.INVALID, path.toString(), null, detail));
    }

    private static void exitCodes(ObjectNode requirement, FieldPath path, FieldErrors errors) {
        JsonNode values = requirement.path("values");
        FieldPath at = path.child("values");
        boolean isIn = requirement.path("operator").asString("").equals("In");
        if (values.isEmpty()) {
            errors.invalid(at, values, "at least one value is required");
            return;
        }
        if (values.size() > EXIT_CODES_MAX) {
            errors.tooMany(at, values.size(), EXIT_CODES_MAX);
        }
        boolean isOrdered = true;
        Set<Long> codes = new HashSet<>();
        for (int i = 0; i < values.size(); i++) {
            long code = values.get(i).asLong(0);
            if (isIn && code == 0) {
                errors.invalid(at.index(i), values.get(i), "must not be 0 for the In operator");
            }
            if (!codes.add(code)) {
                errors.duplicate(at.index(i), values.get(i));
            }
            isOrdered &= i == 0 || values.get(i - 1).asLong(0) <= code;
        }
        if (!isOrdered) {
            errors.invalid(at, values, "must be ordered");
        }
    }

    private static void success(ObjectNode spec, boolean isIndexed, FieldPath path, FieldErrors errors) {
        JsonNode policy = spec.path("successPolicy");
        if (!policy.isObject()) {
            return;
        }
        if (!isIndexed) {
            errors.invalid(path, GoText.struct(policy, "Rules"), NEEDS_INDEXES);
            return;
        }
        if (policy.path("rules").isEmpty()) {
            errors.required(
                    path.child("rules"), "at least one rules must be specified when the successPolicy is specified");
        }
        if (policy.path("rules").size() > RULES_MAX) {
            errors.tooMany(path.child("rules"), policy.path("rules").size(), RULES_MAX);
        }
        long completions = spec.path("completions").asLong(0);
        int index = 0;
        for (JsonNode rule : policy.path("rules")) {
            successRule(rule, completions, path.child("rules").index(index++), errors);
        }
    }

    private static void successRule(JsonNode rule, long completions, FieldPath path, FieldErrors errors) {
        JsonNode count = rule.path("succeededCount");
        JsonNode indexes = rule.path("succeededIndexes");
        if (!count.isNumber() && !indexes.isString()) {
            errors.required(path, "at least one of succeededCount or succeededIndexes must be specified");
        }
        JobIndexes parsed = JobIndexes.of(indexes.asString(""), completions);
        if (indexes.asString("").length() > INDEXES_CHARS_MAX) {
            errors.tooLong(path.child("succeededIndexes"), INDEXES_CHARS_MAX);
        }
        if (!parsed.problem().isEmpty()) {
            errors.invalid(
                    path.child("succeededIndexes"), indexes, "error parsing succeededIndexes: " + parsed.problem());
        }
        FieldPath at = path.child("succeededCount");
        if (count.asLong(0) < 0) {
            errors.invalid(at, count, "must be greater than or equal to 0");
        }
        String rest = "must be less than or equal to ";
        if (count.asLong(0) > completions) {
            errors.invalid(at, count, rest + completions + " (the number of specified completions)");
        }
        if (indexes.isString() && count.asLong(0) > parsed.count()) {
            errors.invalid(
                    at,
                    count,
                    rest + parsed.count() + " (the number of indexes in the specified succeededIndexes field)");
        }
    }

    /** A job's name gets a time of eleven characters. */
    private static void cronJob(ObjectNode job, FieldPath path, FieldErrors errors) {
        String name = job.at("/metadata/name").asString("");
        if (name.length() > NAME_CHARS_MAX) {
            errors.invalid(
                    path.child("metadata").child("name"),
                    name,
                    "must be no more than " + NAME_CHARS_MAX + " characters");
        }
    }

    private static void schedule(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode zone = spec.path("timeZone");
        FieldPath at = path.child("timeZone");
        if (!zone.isString()) {
            return;
        }
        String name = zone.stringValue();
        if (name.isEmpty()) {
            errors.invalid(at, zone, "timeZone must be nil or non-empty string");
        } else if (name.equalsIgnoreCase("Local")) {
            errors.invalid(
                    at, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
        } else if (!isZone(name)) {
            errors.invalid(at, zone, "unknown time zone " + name);
        }
    }

    /** Names of the database alone; Java has offsets beside them. */
    private static boolean isZone(String name) {
        return !name.startsWith("SystemV/") && ZoneId.getAvailableZoneIds().contains(name);
    }
}
