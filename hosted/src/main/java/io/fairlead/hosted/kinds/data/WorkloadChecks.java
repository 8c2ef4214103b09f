package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.hosted.meta.SelectorRules;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of what makes pods, scales them and disturbs them that compare fields (kubernetes {@code pkg/apis/*}{@code /validation}), by Go type. */
final class WorkloadChecks {
    static final Map<String, Comparison> ALL = Map.ofEntries(
            Map.entry("apps/v1.DeploymentSpec", (spec, path, errors) -> deployment(spec, path, errors)),
            Map.entry("apps/v1.DaemonSetSpec", (spec, path, errors) -> pods(spec, "DaemonSet", path, errors)),
            Map.entry("apps/v1.ReplicaSetSpec", (spec, path, errors) -> pods(spec, "ReplicaSet", path, errors)),
            Map.entry("apps/v1.StatefulSetSpec", WorkloadChecks::statefulSet),
            Map.entry("apps/v1.DeploymentStrategy", WorkloadChecks::strategy),
            Map.entry("apps/v1.DaemonSetUpdateStrategy", WorkloadChecks::daemonSetStrategy),
            Map.entry("apps/v1.StatefulSetUpdateStrategy", WorkloadChecks::statefulSetStrategy),
            Map.entry("core/v1.ReplicationControllerSpec", WorkloadChecks::replicationController),
            Map.entry("batch/v1.JobSpec", WorkloadChecks::job),
            Map.entry("batch/v1.JobTemplateSpec", WorkloadChecks::jobTemplate),
            Map.entry("autoscaling/v2.HorizontalPodAutoscalerSpec", WorkloadChecks::autoscaler),
            Map.entry("policy/v1.PodDisruptionBudgetSpec", WorkloadChecks::disruptionBudget));

    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private static final int PERCENT_DIGITS_MAX = 9;

    private WorkloadChecks() {}

    private static void deployment(ObjectNode spec, FieldPath path, FieldErrors errors) {
        pods(spec, "ReplicaSet", path, errors);
        JsonNode deadline = spec.path("progressDeadlineSeconds");
        if (deadline.isNumber()
                && deadline.asLong(0) <= spec.path("minReadySeconds").asLong(0)) {
            errors.invalid(path.child("progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds");
        }
    }

    private static void statefulSet(ObjectNode spec, FieldPath path, FieldErrors errors) {
        pods(spec, "StatefulSet", path, errors);
        JsonNode policy = spec.path("podManagementPolicy");
        if (!List.of("", "OrderedReady", "Parallel").contains(policy.asString(""))) {
            errors.invalid(path.child("podManagementPolicy"), policy, "must be 'OrderedReady' or 'Parallel'");
        }
    }

    /** The template as the pods of a set have it: a claim is a volume of its name, and the set gives pods their names. */
    private static ObjectNode ofSet(ObjectNode spec, ObjectNode template) {
        ObjectNode completed = template.deepCopy();
        if (!(completed.get("spec") instanceof ObjectNode pod)) {
            return completed;
        }
        pod.remove(List.of("hostname", "subdomain"));
        Map<String, ObjectNode> claims = new LinkedHashMap<>();
        for (JsonNode claim : spec.path("volumeClaimTemplates")) {
            String name = claim.at("/metadata/name").asString("");
            ObjectNode volume = Json.nodes().objectNode().put("name", name);
            volume.putObject("persistentVolumeClaim").put("claimName", name);
            claims.put(name, volume);
        }
        if (!claims.isEmpty()) {
            ArrayNode volumes = Json.nodes().arrayNode().addAll(claims.values());
            for (JsonNode volume : pod.path("volumes")) {
                if (!claims.containsKey(volume.path("name").asString(""))) {
                    volumes.add(volume);
                }
            }
            pod.set("volumes", volumes);
        }
        return completed;
    }

    /** What has a selector and a template has pods that it selects, which always run. */
    private static void pods(ObjectNode spec, String kind, FieldPath path, FieldErrors errors) {
        JsonNode selector = spec.path("selector");
        boolean isEmpty = selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
        if (selector.isObject() && isEmpty) {
            String name = kind.equals("ReplicaSet") ? "deployment" : kind.toLowerCase(Locale.ROOT);
            errors.invalid(path.child("selector"), selector, "empty selector is invalid for " + name);
        }
        boolean isReadable = isReadable(selector);
        if (!isReadable) {
            wrongSelector(selector, kind, path.child("selector"), errors);
        } else if (isEmpty ? !selector.isObject() : !selects(selector, spec)) {
            notSelected(spec, path, errors);
        }
        if (isReadable && !kind.equals("DaemonSet") && spec.get("template") instanceof ObjectNode template) {
            ObjectNode judged = kind.equals("StatefulSet") ? ofSet(spec, template) : template;
            DataChecks.within("core/v1.PodTemplateSpec", judged, path.child("template"), errors);
        }
        if (isReadable || !kind.equals("ReplicaSet")) {
            running(spec, kind, path, errors);
        }
    }

    static boolean isReadable(JsonNode selector) {
        FieldErrors found = new FieldErrors();
        SelectorRules.labelSelector(selector, FieldPath.ROOT, found);
        return found.isEmpty();
    }

    /** A selector in the order of its fields in Go. */
    static JsonNode shown(JsonNode selector) {
        return GoText.ordered(selector, "matchLabels", "matchExpressions");
    }

    /** Each kind says in its own way that its selector cannot be read; why is said beside. */
    private static void wrongSelector(JsonNode selector, String kind, FieldPath path, FieldErrors errors) {
        switch (kind) {
            case "ReplicaSet" -> errors.invalid(path, shown(selector), "invalid label selector");
            case "StatefulSet" -> errors.invalid(path, shown(selector), "");
            default -> {}
        }
    }

    private static void replicationController(ObjectNode spec, FieldPath path, FieldErrors errors) {
        if (spec.path("template").isObject()) {
            if (!hasLabels(spec, spec.path("selector"))) {
                notSelected(spec, path, errors);
            }
            running(spec, "ReplicationController", path, errors);
        }
    }

    private static void notSelected(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode labels = spec.at("/template/metadata/labels");
        errors.invalid(
                path.child("template").child("metadata").child("labels"),
                labels,
                "`selector` does not match template `labels`");
    }

    private static boolean selects(JsonNode selector, ObjectNode spec) {
        JsonNode labels = spec.at("/template/metadata/labels");
        return hasLabels(spec, selector.path("matchLabels"))
                && selector.path("matchExpressions")
                        .valueStream()
                        .allMatch(requirement -> matches(
                                requirement, labels.get(requirement.path("key").asString(""))));
    }

    private static boolean hasLabels(ObjectNode spec, JsonNode wanted) {
        JsonNode labels = spec.at("/template/metadata/labels");
        return wanted.properties().stream().allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
    }

    private static boolean matches(JsonNode requirement, @Nullable JsonNode label) {
        boolean isListed =
                label != null && requirement.path("values").valueStream().anyMatch(label::equals);
        return switch (requirement.path("operator").asString("")) {
            case "In" -> isListed;
            case "NotIn" -> !isListed;
            case "Exists" -> label != null;
            case "DoesNotExist" -> label == null;
            default -> true;
        };
    }

    private static void running(ObjectNode spec, String kind, FieldPath path, FieldErrors errors) {
        FieldPath pod = path.child("template").child("spec");
        String policy = spec.at("/template/spec/restartPolicy").asString("");
        if (!policy.isEmpty() && !policy.equals("Always")) {
            errors.notSupported(pod.child("restartPolicy"), policy, List.of("Always"));
        }
        if (spec.at("/template/spec/activeDeadlineSeconds").isNumber()) {
            errors.forbidden(
                    pod.child("activeDeadlineSeconds"), "activeDeadlineSeconds in " + kind + " is not Supported");
        }
    }

    /** Of a new ControllerRevision, whose data never change. */
    static void revision(ObjectNode revision, FieldErrors errors) {
        FieldPath path = FieldPath.of("data");
        JsonNode data = revision.path("data");
        if (data.isMissingNode() || data.isNull()) {
            errors.required(path, "data is mandatory");
        } else if (!data.isObject()) {
            errors.required(path, "data must be a valid JSON object");
        }
    }

    private static void strategy(ObjectNode strategy, FieldPath path, FieldErrors errors) {
        JsonNode rolling = strategy.path("rollingUpdate");
        switch (strategy.path("type").asString("")) {
            case "Recreate" -> {
                if (rolling.isObject()) {
                    errors.forbidden(
                            path.child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'");
                }
            }
            case "RollingUpdate" -> {
                FieldPath at = path.child("rollingUpdate");
                amount(rolling.path("maxUnavailable"), false, at.child("maxUnavailable"), errors);
                amount(rolling.path("maxSurge"), false, at.child("maxSurge"), errors);
                if (isZero(rolling.path("maxUnavailable")) && isZero(rolling.path("maxSurge"))) {
                    errors.invalid(
                            at.child("maxUnavailable"),
                            rolling.path("maxUnavailable"),
                            "may not be 0 when `maxSurge` is 0");
                }
                notAboveAll(rolling.path("maxUnavailable"), at.child("maxUnavailable"), errors);
            }
            default -> errors.notSupported(path, inGo(strategy), List.of("Recreate", "RollingUpdate"));
        }
    }

    private static JsonNode inGo(ObjectNode strategy) {
        return GoText.struct(strategy, "Type", "RollingUpdate");
    }

    private static void notAboveAll(JsonNode amount, FieldPath path, FieldErrors errors) {
        FieldErrors found = new FieldErrors();
        amount(amount, false, path, found);
        if (found.isEmpty()) {
            amount(amount, true, path, errors);
        }
    }

    /** Either some pods may be missing at a time, or there may be more of them. */
    private static void daemonSetStrategy(ObjectNode strategy, FieldPath path, FieldErrors errors) {
        switch (strategy.path("type").asString("")) {
            case "OnDelete" -> {}
            case "RollingUpdate" -> {
                JsonNode missing = strategy.path("rollingUpdate").path("maxUnavailable");
                JsonNode more = strategy.path("rollingUpdate").path("maxSurge");
                FieldPath at = path.child("rollingUpdate");
                amount(missing, true, at.child("maxUnavailable"), errors);
                amount(more, true, at.child("maxSurge"), errors);
                if (!isZero(missing) && !isZero(more)) {
                    errors.invalid(at.child("maxSurge"), more, "may not be set when maxUnavailable is non-zero");
                } else if (isZero(missing) && isZero(more)) {
                    errors.required(at.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
                }
            }
            default -> errors.notSupported(path, inGo(strategy), List.of("RollingUpdate", "OnDelete"));
        }
    }

    private static void statefulSetStrategy(ObjectNode strategy, FieldPath path, FieldErrors errors) {
        JsonNode rolling = strategy.path("rollingUpdate");
        switch (strategy.path("type").asString("")) {
            case "" -> errors.required(path, "");
            case "OnDelete" -> {
                if (rolling.isObject()) {
                    errors.invalid(
                            path.child("rollingUpdate"),
                            GoText.struct(rolling, "Partition", "MaxUnavailable"),
                            "only allowed for updateStrategy 'RollingUpdate'");
                }
            }
            case "RollingUpdate" -> {}
            default -> errors.invalid(path, inGo(strategy), "must be 'RollingUpdate' or 'OnDelete'");
        }
    }

    private static boolean isZero(JsonNode amount) {
        String text = amount.asString("");
        return text.isEmpty()
                || text.replace("%", "").matches("0+")
                || (!amount.isNumber() && !PERCENT.matcher(text).matches());
    }

    /** A number or a percentage ({@code ValidatePositiveIntOrPercent}, {@code IsNotMoreThan100Percent}). */
    private static void amount(JsonNode amount, boolean isPart, FieldPath path, FieldErrors errors) {
        if (amount.isNumber() && amount.asLong(0) < 0) {
            errors.invalid(path, amount, "must be greater than or equal to 0");
        } else if (amount.isString()) {
            String text = amount.stringValue();
            if (!PERCENT.matcher(text).matches()) {
                errors.invalid(
                        path,
                        amount,
                        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
                                + " '93%', regex used for validation is '[0-9]+%')");
            } else if (isPart
                    && (text.length() > PERCENT_DIGITS_MAX || Integer.parseInt(text.replace("%", "")) > 100)) {
                errors.invalid(path, amount, "must not be greater than 100%");
            }
        }
    }

    /** A job's pods end. The selector of one that selects its own pods is made for it. */
    private static void job(ObjectNode spec, FieldPath path, FieldErrors errors) {
        FieldPath at = path.child("template").child("spec").child("restartPolicy");
        String policy = spec.at("/template/spec/restartPolicy").asString("");
        if (policy.equals("Always")) {
            errors.required(at, "valid values: \"OnFailure\", \"Never\"");
        } else if (!policy.isEmpty() && !policy.equals("OnFailure") && !policy.equals("Never")) {
            errors.notSupported(at, policy, List.of("OnFailure", "Never"));
        }
        JobChecks.job(spec, path, errors);
        if (path.isOfMember()) {
            selected(spec, path, errors);
        }
    }

    private static void selected(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode selector = spec.path("selector");
        if (selector instanceof ObjectNode given) {
            DataChecks.within("meta/v1.LabelSelector", given, path.child("selector"), errors);
        } else {
            errors.required(path.child("selector"), "");
        }
        if (!selector.isObject() || (isReadable(selector) && !selects(selector, spec))) {
            notSelected(spec, path, errors);
        }
    }

    private static void jobTemplate(ObjectNode template, FieldPath path, FieldErrors errors) {
        JsonNode spec = template.path("spec");
        if (spec.path("selector").isObject()) {
            errors.invalid(
                    path.child("spec").child("selector"),
                    shown(spec.path("selector")),
                    "`selector` will be auto-generated");
        }
        if (spec.path("manualSelector").asBoolean(false)) {
            errors.notSupported(
                    path.child("spec").child("manualSelector"), spec.path("manualSelector"), List.of("nil", "false"));
        }
    }

    private static void autoscaler(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode scaled = spec.path("scaleTargetRef");
        boolean mayBeCore = scaled.path("kind").asString("").equals("ReplicationController");
        MetricChecks.version(scaled, mayBeCore, path.child("scaleTargetRef"), errors);
        MetricChecks.ofNoReplicas(spec, path, errors);
        JsonNode most = spec.path("maxReplicas");
        if (most.asLong(0) < 0) {
            errors.invalid(path.child("maxReplicas"), most, "must be greater than or equal to 1");
        }
        if (most.asLong(0) < spec.path("minReplicas").asLong(0)) {
            errors.invalid(path.child("maxReplicas"), most, "must be greater than or equal to `minReplicas`");
        }
    }

    private static void disruptionBudget(ObjectNode spec, FieldPath path, FieldErrors errors) {
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            errors.invalid(
                    path,
                    GoText.struct(spec, "MinAvailable", "Selector", "MaxUnavailable", "UnhealthyPodEvictionPolicy"),
                    "minAvailable and maxUnavailable cannot be both set");
        }
        amount(spec.path("minAvailable"), true, path.child("minAvailable"), errors);
        amount(spec.path("maxUnavailable"), true, path.child("maxUnavailable"), errors);
    }
}
