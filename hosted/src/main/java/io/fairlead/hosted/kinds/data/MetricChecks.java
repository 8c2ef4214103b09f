package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of what autoscalers measure and how fast they scale (kubernetes {@code pkg/apis/autoscaling/validation}). */
final class MetricChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "autoscaling/v2.MetricSpec", MetricChecks::metric,
            "autoscaling/v2.HPAScalingRules", MetricChecks::rules,
            "autoscaling/v2.HPAScalingPolicy", MetricChecks::policy);
    private static final List<String> TYPES = List.of("ContainerResource", "External", "Object", "Pods", "Resource");
    /** The fields of a metric in the order in which they are judged, of which there should be one. */
    static final List<String> SOURCES = List.of("object", "external", "pods", "resource", "containerResource");

    private static final List<String> TARGETS = List.of("Utilization", "Value", "AverageValue");
    private static final List<String> POLICIES = List.of("Percent", "Pods");
    private static final int WINDOW_SECONDS_MAX = 3600;
    private static final int PERIOD_SECONDS_MAX = 1800;

    private MetricChecks() {}

    /** The first source alone is judged. */
    private static void metric(ObjectNode metric, FieldPath path, FieldErrors errors) {
        String type = metric.path("type").asString("");
        boolean isKnown = TYPES.contains(type);
        if (type.isEmpty()) {
            errors.required(path.child("type"), "must specify a metric source type");
        }
        if (!isKnown) {
            errors.notSupported(path.child("type"), type, TYPES);
        }
        List<String> present = SOURCES.stream()
                .filter(source -> metric.path(source).isObject())
                .toList();
        if (!present.isEmpty() && metric.get(present.getFirst()) instanceof ObjectNode source) {
            source(present.getFirst(), source, path.child(present.getFirst()), errors);
        }
        String expected = isKnown ? type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1) : "";
        if (!isKnown) {
            errors.notSupported(path.child("type"), type, TYPES);
        } else if (!present.contains(expected)) {
            errors.required(path.child(expected), "must populate information for the given metric source");
        }
        if (present.size() > 1) {
            present.stream()
                    .filter(source -> !source.equals(expected))
                    .forEach(source ->
                            errors.forbidden(path.child(source), "must populate the given metric source only"));
        }
    }

    private static void source(String name, ObjectNode source, FieldPath path, FieldErrors errors) {
        JsonNode target = source.path("target");
        FieldPath at = path.child("target");
        switch (name) {
            case "object" -> {
                described(source.path("describedObject"), path.child("describedObject"), errors);
                identifier(source.path("metric"), path.child("metric"), errors);
                target(target, at, errors);
                object(target, at, errors);
            }
            case "external" -> {
                identifier(source.path("metric"), path.child("metric"), errors);
                target(target, at, errors);
                external(target, at, errors);
            }
            case "pods" -> {
                identifier(source.path("metric"), path.child("metric"), errors);
                target(target, at, errors);
                pods(target, at, errors);
            }
            case "resource" -> {
                if (source.path("name").asString("").isEmpty()) {
                    errors.required(path.child("name"), "must specify a resource name");
                }
                target(target, at, errors);
                resource(target, at, errors);
            }
            default -> {
                container(source, path, errors);
                target(target, at, errors);
                resource(target, at, errors);
            }
        }
    }

    private static void described(JsonNode reference, FieldPath path, FieldErrors errors) {
        if (reference instanceof ObjectNode object) {
            DataChecks.within("autoscaling/v2.CrossVersionObjectReference", object, path, errors);
        }
        version(reference, true, path, errors);
    }

    /** An API version of a group, or of the core group if it may be ({@code ValidateAPIVersion}). */
    static void version(JsonNode reference, boolean mayBeCore, FieldPath path, FieldErrors errors) {
        String version = reference.path("apiVersion").asString("");
        int slash = version.indexOf('/');
        if (slash != version.lastIndexOf('/')) {
            errors.invalid(path.child("apiVersion"), version, "unexpected GroupVersion string: " + version);
        } else if (slash <= 0 && !mayBeCore) {
            errors.invalid(path.child("apiVersion"), version, "apiVersion must specify API group");
        }
    }

    /** What scales to nothing is told by others than its pods when to come back. */
    static void ofNoReplicas(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode least = spec.path("minReplicas");
        boolean isToldByOthers = spec.path("metrics")
                .valueStream()
                .map(metric -> metric.path("type").asString(""))
                .anyMatch(type -> type.equals("Object") || type.equals("External"));
        if (least.isNumber() && least.asLong(1) == 0 && !isToldByOthers) {
            errors.forbidden(
                    path.child("metrics"),
                    "must specify at least one Object or External metric to support scaling to zero replicas");
        }
    }

    private static void target(JsonNode target, FieldPath path, FieldErrors errors) {
        String type = target.path("type").asString("");
        if (type.isEmpty()) {
            errors.required(path.child("type"), "must specify a metric target type");
        }
        if (!TARGETS.contains(type)) {
            errors.invalid(path.child("type"), type, "must be either Utilization, Value, or AverageValue");
        }
        for (String member : List.of("value", "averageValue")) {
            JsonNode value = target.path(member);
            if (value.isString() && Resources.value(value).signum() != 1) {
                errors.invalid(path.child(member), value, "must be positive");
            }
        }
        JsonNode share = target.path("averageUtilization");
        if (share.isNumber() && share.asLong(0) < 1) {
            errors.invalid(path.child("averageUtilization"), share, "must be greater than 0");
        }
    }

    private static void identifier(JsonNode metric, FieldPath path, FieldErrors errors) {
        String name = metric.path("name").asString("");
        if (name.isEmpty()) {
            errors.required(path.child("name"), "must specify a metric name");
        } else {
            errors.invalid(path.child("name"), name, TextForm.PATH_SEGMENT.problems(name));
        }
    }

    private static void resource(JsonNode target, FieldPath path, FieldErrors errors) {
        boolean isShare = target.path("averageUtilization").isNumber();
        boolean isAmount = target.path("averageValue").isString();
        if (!isShare && !isAmount) {
            errors.required(
                    path.child("averageUtilization"), "must set either a target raw value or a target utilization");
        } else if (isShare && isAmount) {
            errors.forbidden(
                    path.child("averageValue"), "may not set both a target raw value and a target utilization");
        }
    }

    private static void container(JsonNode source, FieldPath path, FieldErrors errors) {
        String resource = source.path("name").asString("");
        if (resource.isEmpty()) {
            errors.required(path.child("name"), "must specify a resource name");
        } else {
            ResourceNames.ofContainer(resource, path.child("name"), errors);
        }
        String name = source.path("container").asString("");
        if (name.isEmpty()) {
            errors.required(path.child("container"), "must specify a container");
        } else {
            errors.invalid(path.child("container"), name, TextForm.LABEL.problems(name));
        }
    }

    private static void pods(JsonNode target, FieldPath path, FieldErrors errors) {
        if (!target.path("averageValue").isString()) {
            errors.required(path.child("averageValue"), "must specify a positive target averageValue");
        }
    }

    private static void object(JsonNode target, FieldPath path, FieldErrors errors) {
        if (!target.path("value").isString() && !target.path("averageValue").isString()) {
            errors.required(path.child("averageValue"), "must set either a target value or averageValue");
        }
    }

    private static void external(JsonNode target, FieldPath path, FieldErrors errors) {
        boolean isWhole = target.path("value").isString();
        boolean isAverage = target.path("averageValue").isString();
        if (!isWhole && !isAverage) {
            errors.required(
                    path.child("averageValue"), "must set either a target value for metric or a per-pod target");
        } else if (isWhole && isAverage) {
            errors.forbidden(path.child("value"), "may not set both a target value for metric and a per-pod target");
        }
    }

    private static void rules(ObjectNode rules, FieldPath path, FieldErrors errors) {
        JsonNode window = rules.path("stabilizationWindowSeconds");
        if (window.asLong(0) > WINDOW_SECONDS_MAX) {
            errors.invalid(
                    path.child("stabilizationWindowSeconds"),
                    window,
                    "must be less than or equal to " + WINDOW_SECONDS_MAX);
        }
    }

    private static void policy(ObjectNode policy, FieldPath path, FieldErrors errors) {
        String type = policy.path("type").asString("");
        if (!POLICIES.contains(type)) {
            errors.notSupported(path.child("type"), type, POLICIES);
        }
        JsonNode value = policy.path("value");
        if (value.asLong(0) <= 0) {
            errors.invalid(path.child("value"), value, "must be greater than zero");
        }
        JsonNode period = policy.path("periodSeconds");
        if (period.asLong(0) <= 0) {
            errors.invalid(path.child("periodSeconds"), period, "must be greater than zero");
        } else if (period.asLong(0) > PERIOD_SECONDS_MAX) {
            errors.invalid(path.child("periodSeconds"), period, "must be less than or equal to " + PERIOD_SECONDS_MAX);
        }
    }
}
