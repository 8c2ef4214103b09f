package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a Job's status may change (kubernetes {@code pkg/apis/batch/validation}, {@code ValidateJobStatusUpdate}): what has ended
 * stays so, and says when and how. What a write leaves as it was is not judged ({@code getStatusValidationOptions}).
 */
final class JobStatusUpdates {
    private static final FieldPath STATUS = FieldPath.of("status");
    private static final FieldPath CONDITIONS = STATUS.child("conditions");
    private static final FieldPath COMPLETION_TIME = STATUS.child("completionTime");

    private final JsonNode spec;
    private final JsonNode status;
    private final JsonNode old;
    private final FieldErrors errors;

    private JobStatusUpdates(ObjectNode job, ObjectNode stored, FieldErrors errors) {
        this.spec = job.path("spec");
        this.status = job.path("status");
        this.old = stored.path("status");
        this.errors = errors;
    }

    static void check(ObjectNode job, ObjectNode stored, FieldErrors errors) {
        var updates = new JobStatusUpdates(job, stored, errors);
        updates.uncounted();
        updates.conditions();
        updates.times();
        updates.end();
        updates.indexes();
        updates.undone();
    }

    /** Each pod that has ended and is not counted yet is named once. */
    private void uncounted() {
        Set<String> found = new HashSet<>();
        for (String list : List.of("succeeded", "failed")) {
            FieldPath path = STATUS.child("uncountedTerminatedPods").child(list);
            int index = 0;
            for (JsonNode uid : status.path("uncountedTerminatedPods").path(list)) {
                FieldPath at = path.index(index++);
                if (uid.asString("").isEmpty()) {
                    errors.invalid(at, uid, "must not be empty");
                } else if (!found.add(uid.asString(""))) {
                    errors.duplicate(at, uid);
                }
            }
        }
    }

    private void conditions() {
        boolean isComplete = is("Complete");
        boolean isFailed = is("Failed");
        boolean isMet = is("SuccessCriteriaMet");
        boolean isToFail = is("FailureTarget");
        if (isComplete && isFailed && (changed("Complete") || changed("Failed"))) {
            conditions("cannot set Complete=True and Failed=true conditions");
        }
        if (isComplete && isToFail && (changed("Complete") || changed("FailureTarget"))) {
            conditions("cannot set Complete=True and FailureTarget=true conditions");
        }
        if (isFailed && !isToFail && (changed("Failed") || hasOther("failedIndexes"))) {
            conditions("cannot set Failed=True condition without the FailureTarget=true condition");
        }
        if (isComplete && !isMet && (changed("Complete") || changed("SuccessCriteriaMet"))) {
            conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
        }
        if (isMet && isFailed) {
            conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions");
        }
        if (isMet && isToFail) {
            conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
        }
        if (spec.path("successPolicy").isObject() && !isMet && isComplete) {
            conditions("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }
    }

    private void times() {
        JsonNode completed = status.path("completionTime");
        boolean isOther = hasOther("completionTime");
        if (isOther || changed("Complete")) {
            if (completed.isString() && !is("Complete")) {
                errors.invalid(
                        COMPLETION_TIME,
                        completed,
                        "cannot set completionTime when there is no Complete=True condition");
            } else if (!completed.isString() && is("Complete")) {
                errors.required(COMPLETION_TIME, "completionTime is required for Complete jobs");
            }
        }
        JsonNode started = status.path("startTime");
        if ((isOther || hasOther("startTime")) && isBefore(completed, started)) {
            errors.invalid(COMPLETION_TIME, completed, "must be equal to or after `startTime`");
        }
        if (completed.isString() && old.path("completionTime").isString() && isOther) {
            errors.invalid(COMPLETION_TIME, completed, "field is immutable");
        }
        boolean isResumed = is("Suspended", old) && isFalse("Suspended");
        boolean runs = !spec.path("suspend").asBoolean(false);
        if (old.path("startTime").isString() && hasOther("startTime") && runs && !isResumed) {
            errors.invalid(STATUS.child("startTime"), started, "field is immutable for unsuspended job once set");
        }
    }

    /** What has ended has no pods that run, and has begun. */
    private void end() {
        boolean isEnded = is("Complete") || is("Failed");
        boolean isNew = isEnded != (is("Complete", old) || is("Failed", old));
        if (isEnded) {
            if (count("active") > 0 && (isNew || hasOther("active"))) {
                errors.invalid(STATUS.child("active"), status.path("active"), "active>0 is invalid for finished job");
            }
            boolean mayNotStart = spec.path("suspend").asBoolean(false)
                    && spec.path("completions").asLong(-1) == 0;
            if (!status.path("startTime").isString() && (isNew || hasOther("startTime")) && !mayNotStart) {
                errors.required(STATUS.child("startTime"), "startTime is required for finished job");
            }
            JsonNode uncounted = status.path("uncountedTerminatedPods");
            boolean isUncounted = uncounted.path("succeeded").size()
                            + uncounted.path("failed").size()
                    > 0;
            if (isUncounted && (isNew || hasOther("uncountedTerminatedPods"))) {
                errors.invalid(
                        STATUS.child("uncountedTerminatedPods"),
                        GoText.struct(uncounted, "Succeeded", "Failed"),
                        "must be empty for finished job");
            }
            if (count("terminating") > 0 && (isNew || hasOther("terminating"))) {
                errors.invalid(
                        STATUS.child("terminating"),
                        status.path("terminating"),
                        "terminating>0 is invalid for finished job");
            }
        }
        if (count("ready") > count("active") && (hasOther("ready") || hasOther("active"))) {
            errors.invalid(STATUS.child("ready"), status.path("ready"), "cannot set more ready pods than active");
        }
    }

    private void indexes() {
        JsonNode completed = status.path("completedIndexes");
        JsonNode failed = status.path("failedIndexes");
        boolean isCounted = spec.path("completions").isNumber();
        boolean isPerIndex = spec.path("backoffLimitPerIndex").isNumber();
        if (hasOther("completedIndexes")) {
            if (isCounted) {
                indexes(completed, "completedIndexes");
            }
            boolean isIndexed = spec.path("completionMode").asString("").equals("Indexed");
            if (!completed.asString("").isEmpty() && !isIndexed) {
                errors.invalid(
                        STATUS.child("completedIndexes"),
                        completed,
                        "cannot set non-empty completedIndexes when non-indexed completion mode");
            }
        }
        if (hasOther("failedIndexes") && failed.isString()) {
            if (isCounted && isPerIndex) {
                indexes(failed, "failedIndexes");
            }
            if (!isPerIndex) {
                errors.invalid(
                        STATUS.child("failedIndexes"),
                        failed,
                        "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
            }
        }
        if (isCounted && failed.isString() && (hasOther("failedIndexes") || hasOther("completedIndexes"))) {
            String problem = JobIndexes.overlap(
                    completed.asString(""),
                    failed.stringValue(),
                    spec.path("completions").asLong(0));
            if (!problem.isEmpty()) {
                errors.invalid(STATUS.child("failedIndexes"), failed, problem);
            }
        }
    }

    private void indexes(JsonNode indexes, String field) {
        String problem = JobIndexes.of(
                        indexes.asString(""), spec.path("completions").asLong(0))
                .problem();
        if (!problem.isEmpty()) {
            errors.invalid(STATUS.child(field), indexes, "error parsing " + field + ": " + problem);
        }
    }

    /** What is over stays over, and what was counted stays counted. */
    private void undone() {
        for (String type : List.of("Failed", "Complete", "FailureTarget")) {
            if (is(type, old) && !is(type)) {
                conditions("cannot disable the terminal " + type + "=True condition");
            }
        }
        if (count("failed") < old.path("failed").asLong(0)) {
            errors.invalid(STATUS.child("failed"), status.path("failed"), "cannot decrease the failed counter");
        }
        boolean mayShrink = spec.path("completionMode").asString("").equals("Indexed")
                && spec.path("completions").equals(spec.path("parallelism"));
        if (!mayShrink && count("succeeded") < old.path("succeeded").asLong(0)) {
            errors.invalid(
                    STATUS.child("succeeded"), status.path("succeeded"), "cannot decrease the succeeded counter");
        }
        boolean wasMet = is("SuccessCriteriaMet", old);
        if (wasMet && !is("SuccessCriteriaMet")) {
            conditions("cannot disable the SuccessCriteriaMet=True condition");
        }
        if (is("Complete", old) && !wasMet && is("SuccessCriteriaMet")) {
            conditions("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }
    }

    private void conditions(String problem) {
        errors.add(new FieldError(FieldError.Type.INVALID, CONDITIONS.toString(), null, problem));
    }

    private long count(String field) {
        return status.path(field).asLong(0);
    }

    private boolean hasOther(String field) {
        return !status.path(field).equals(old.path(field));
    }

    private boolean changed(String type) {
        return is(type) != is(type, old);
    }

    private boolean is(String type) {
        return is(type, status);
    }

    private static boolean is(String type, JsonNode status) {
        return has(type, "True", status);
    }

    private boolean isFalse(String type) {
        return has(type, "False", status);
    }

    private static boolean has(String type, String value, JsonNode status) {
        return status.path("conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asString("").equals(type)
                        && condition.path("status").asString("").equals(value));
    }

    private static boolean isBefore(JsonNode time, JsonNode other) {
        try {
            return time.isString()
                    && other.isString()
                    && Instant.parse(time.stringValue()).isBefore(Instant.parse(other.stringValue()));
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
