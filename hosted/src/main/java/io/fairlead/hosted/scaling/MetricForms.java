package io.fairlead.hosted.scaling;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What autoscalers measure, as {@code autoscaling/v2} says it and as annotations of {@code autoscaling/v1} do (kubernetes
 * {@code pkg/apis/autoscaling/v1/conversion.go}): the newer form has the values of a source in one member of it.
 */
final class MetricForms {
    /** What is wanted. */
    static final MetricForms SPEC = new MetricForms(
            "target",
            Map.of(
                    "object", new Names("targetValue", "averageValue", "", "selector"),
                    "pods", new Names("", "targetAverageValue", "", "selector"),
                    "resource", new Names("", "targetAverageValue", "targetAverageUtilization", ""),
                    "containerResource", new Names("", "targetAverageValue", "targetAverageUtilization", ""),
                    "external", new Names("targetValue", "targetAverageValue", "", "metricSelector")));

    /** What was measured. */
    static final MetricForms STATUS = new MetricForms(
            "current",
            Map.of(
                    "object", new Names("currentValue", "averageValue", "", "selector"),
                    "pods", new Names("", "currentAverageValue", "", "selector"),
                    "resource", new Names("", "currentAverageValue", "currentAverageUtilization", ""),
                    "containerResource", new Names("", "currentAverageValue", "currentAverageUtilization", ""),
                    "external", new Names("currentValue", "currentAverageValue", "", "metricSelector")));

    private static final List<String> SAME = List.of("name", "container");

    private final String values;
    private final Map<String, Names> sources;

    /** What the members of a source are called in the older form; empty if it has no such member. */
    private record Names(String value, String averageValue, String averageUtilization, String selector) {}

    private MetricForms(String values, Map<String, Names> sources) {
        this.values = values;
        this.sources = sources;
    }

    /** A metric of the newer form in the older one. */
    ObjectNode older(JsonNode metric) {
        ObjectNode older = Json.object();
        copy(metric, "type", older, "type");
        sources.forEach((source, names) -> {
            if (metric.get(source) instanceof ObjectNode newer) {
                older.set(source, older(newer, names));
            }
        });
        return older;
    }

    private ObjectNode older(ObjectNode newer, Names names) {
        ObjectNode older = Json.object();
        SAME.forEach(name -> copy(newer, name, older, name));
        copy(newer, "describedObject", older, "target");
        copy(newer.path("metric"), "name", older, "metricName");
        copy(newer.path("metric"), "selector", older, names.selector());
        JsonNode in = newer.path(values);
        copy(in, "value", older, names.value());
        copy(in, "averageValue", older, names.averageValue());
        copy(in, "averageUtilization", older, names.averageUtilization());
        return older;
    }

    /** A metric of the older form in the newer one. */
    ObjectNode newer(JsonNode metric) {
        ObjectNode newer = Json.object();
        copy(metric, "type", newer, "type");
        sources.forEach((source, names) -> {
            if (metric.get(source) instanceof ObjectNode older) {
                newer.set(source, newer(source, older, names));
            }
        });
        return newer;
    }

    private ObjectNode newer(String source, ObjectNode older, Names names) {
        ObjectNode newer = Json.object();
        SAME.forEach(name -> copy(older, name, newer, name));
        copy(older, "target", newer, "describedObject");
        if (older.has("metricName")) {
            ObjectNode metric = newer.putObject("metric");
            copy(older, "metricName", metric, "name");
            copy(older, names.selector(), metric, "selector");
        }
        ObjectNode in = newer.putObject(values);
        copy(older, names.value(), in, "value");
        copy(older, names.averageValue(), in, "averageValue");
        copy(older, names.averageUtilization(), in, "averageUtilization");
        if (values.equals("target")) {
            putType(source, in);
        }
        return newer;
    }

    /** The older form has no types of targets, and always a value of an object, which is zero where it has an average. */
    private static void putType(String source, ObjectNode target) {
        switch (source) {
            case "object" -> {
                boolean isAverage = target.has("averageValue");
                if (isAverage && target.path("value").asString("0").equals("0")) {
                    target.remove("value");
                }
                target.put("type", isAverage ? "AverageValue" : "Value");
            }
            case "external" -> target.put("type", target.has("value") ? "Value" : "AverageValue");
            default -> target.put("type", target.has("averageUtilization") ? "Utilization" : "AverageValue");
        }
    }

    private static void copy(JsonNode from, String name, ObjectNode to, String other) {
        JsonNode value = from.get(name);
        if (value != null && !other.isEmpty()) {
            to.set(other, value);
        }
    }
}
