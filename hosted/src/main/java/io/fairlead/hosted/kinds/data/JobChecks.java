package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
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

    private JobChecks() {}

    static void job(ObjectNode spec, FieldPath path, FieldErrors errors) {
        boolean isIndexed = spec.path("completionMode").asString("").equals("Indexed");
        FieldPath limit = path.child("backoffLimitPerIndex");
        JsonNode perIndex = spec.path("backoffLimitPerIndex");
        JsonNode failed = spec.path("maxFailedIndexes");
        JsonNode completions = spec.path("completions");
        if (perIndex.isNumber() && !isIndexed) {
            errors.invalid(limit, perIndex, "requires indexed completion mode");
        }
        if (failed.isNumber()) {
            if (!perIndex.isNumber()) {
                errors.required(limit, "when maxFailedIndexes is specified");
            }
            if (!isIndexed) {
                errors.invalid(path.child("maxFailedIndexes"), failed, "requires indexed completion mode");
            } else if (completions.isNumber() && failed.asLong(0) > completions.asLong(0)) {
                errors.invalid(path.child("maxFailedIndexes"), failed, "must be less than or equal to completions");
            }
        }
        if (isIndexed && !completions.isNumber()) {
            errors.required(path.child("completions"), "when completion mode is Indexed");
        }
        Set<String> containers = new HashSet<>();
        for (String list : List.of("containers", "initContainers")) {
            spec.at("/template/spec")
                    .path(list)
                    .forEach(container -> containers.add(container.path("name").asString("")));
        }
        int index = 0;
        for (JsonNode rule : spec.path("podFailurePolicy").path("rules")) {
            FieldPath at = path.child("podFailurePolicy").child("rules").index(index++);
            ruleOfJob(rule, perIndex.isNumber(), containers, at, errors);
        }
        success(spec, isIndexed, path.child("successPolicy"), errors);
        JsonNode manager = spec.path("managedBy");
        FieldPath at = path.child("managedBy");
        if (manager.isString()) {
            if (manager.stringValue().isEmpty()) {
                errors.required(at, "");
            } else {
                errors.invalid(at, manager, TextForm.DOMAIN_PATH.problems(manager.stringValue()));
            }
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
        boolean hasConditions = !rule.path("onPodConditions").isEmpty();
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
        boolean isOrdered = true;
        for (int i = 0; i < values.size(); i++) {
            long code = values.get(i).asLong(0);
            if (isIn && code == 0) {
                errors.invalid(at.index(i), values.get(i), "must not be 0 for the In operator");
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
            errors.invalid(path, policy, "requires indexed completion mode");
            return;
        }
        if (policy.path("rules").isEmpty()) {
            errors.required(
                    path.child("rules"), "at least one rules must be specified when the successPolicy is specified");
        }
        long completions = spec.path("completions").asLong(0);
        int index = 0;
        for (JsonNode rule : policy.path("rules")) {
            FieldPath at = path.child("rules").index(index++);
            JsonNode count = rule.path("succeededCount");
            if (!count.isNumber() && !rule.path("succeededIndexes").isString()) {
                errors.required(at, "at least one of succeededCount or succeededIndexes must be specified");
            }
            if (count.asLong(0) > completions) {
                errors.invalid(
                        at.child("succeededCount"),
                        count,
                        "must be less than or equal to " + completions + " (the number of specified completions)");
            }
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
