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
            "autoscaling/v2.MetricTarget", MetricChecks::target,
            "autoscaling/v2.MetricIdentifier", MetricChecks::identifier,
            "autoscaling/v2.ResourceMetricSource", MetricChecks::resource,
            "autoscaling/v2.ContainerResourceMetricSource", MetricChecks::containerResource,
            "autoscaling/v2.PodsMetricSource", MetricChecks::pods,
            "autoscaling/v2.ObjectMetricSource", MetricChecks::object,
            "autoscaling/v2.ExternalMetricSource", MetricChecks::external,
            "autoscaling/v2.HPAScalingRules", MetricChecks::rules,
            "autoscaling/v2.HPAScalingPolicy", MetricChecks::policy);

    private static final List<String> TYPES = List.of("ContainerResource", "External", "Object", "Pods", "Resource");
    private static final List<String> TARGETS = List.of("Utilization", "Value", "AverageValue");
    private static final int WINDOW_SECONDS_MAX = 3600;
    private static final int PERIOD_SECONDS_MAX = 1800;

    private MetricChecks() {}

    private static void metric(ObjectNode metric, FieldPath path, FieldErrors errors) {
        String type = metric.path("type").asString("");
        if (type.isEmpty()) {
            errors.required(path.child("type"), "must specify a metric source type");
        }
        if (!TYPES.contains(type)) {
            errors.notSupported(path.child("type"), type, TYPES);
            errors.notSupported(path.child("type"), type, TYPES);
            return;
        }
        for (String of : TYPES) {
            String member = of.substring(0, 1).toLowerCase(Locale.ROOT) + of.substring(1);
            boolean isThere = metric.path(member).isObject();
            if (of.equals(type) && !isThere) {
                errors.required(path.child(member), "must populate information for the given metric source");
            } else if (!of.equals(type) && isThere) {
                errors.forbidden(path.child(member), "must populate the given metric source only");
            }
        }
    }

    private static void target(ObjectNode target, FieldPath path, FieldErrors errors) {
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

    private static void identifier(ObjectNode metric, FieldPath path, FieldErrors errors) {
        String name = metric.path("name").asString("");
        if (name.isEmpty()) {
            errors.required(path.child("name"), "must specify a metric name");
        } else {
            errors.invalid(path.child("name"), name, TextForm.PATH_SEGMENT.problems(name));
        }
    }

    private static void resource(ObjectNode source, FieldPath path, FieldErrors errors) {
        if (source.path("name").asString("").isEmpty()) {
            errors.required(path.child("name"), "must specify a resource name");
        }
        JsonNode target = source.path("target");
        FieldPath at = path.child("target");
        boolean isShare = target.path("averageUtilization").isNumber();
        boolean isAmount = target.path("averageValue").isString();
        if (!isShare && !isAmount) {
            errors.required(
                    at.child("averageUtilization"), "must set either a target raw value or a target utilization");
        } else if (isShare && isAmount) {
            errors.forbidden(at.child("averageValue"), "may not set both a target raw value and a target utilization");
        }
    }

    private static void containerResource(ObjectNode source, FieldPath path, FieldErrors errors) {
        resource(source, path, errors);
        if (source.path("container").asString("").isEmpty()) {
            errors.required(path.child("container"), "must specify a container");
        }
    }

    private static void pods(ObjectNode source, FieldPath path, FieldErrors errors) {
        JsonNode average = source.path("target").path("averageValue");
        if (!average.isString() || Resources.value(average).signum() != 1) {
            errors.required(path.child("target").child("averageValue"), "must specify a positive target averageValue");
        }
    }

    private static void object(ObjectNode source, FieldPath path, FieldErrors errors) {
        JsonNode target = source.path("target");
        if (!target.path("value").isString() && !target.path("averageValue").isString()) {
            errors.required(
                    path.child("target").child("averageValue"), "must set either a target value or averageValue");
        }
    }

    private static void external(ObjectNode source, FieldPath path, FieldErrors errors) {
        boolean isWhole = source.path("target").path("value").isString();
        boolean isAverage = source.path("target").path("averageValue").isString();
        if (!isWhole && !isAverage) {
            errors.required(
                    path.child("target").child("averageValue"),
                    "must set either a target value for metric or a per-pod target");
        } else if (isWhole && isAverage) {
            errors.forbidden(
                    path.child("target").child("value"),
                    "may not set both a target value for metric and a per-pod target");
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
