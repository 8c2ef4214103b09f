package io.fairlead.hosted.scaling;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The annotations of a HorizontalPodAutoscaler of {@code autoscaling/v1} that stand for fields which only the newer version has
 * (kubernetes {@code pkg/apis/autoscaling/annotations.go}). What cannot be read counts as absent.
 */
final class AutoscalerAnnotations {
    private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
    private static final String METRICS = PREFIX + "metrics";
    private static final String CURRENT_METRICS = PREFIX + "current-metrics";
    private static final String CONDITIONS = PREFIX + "conditions";
    private static final String BEHAVIOR = PREFIX + "behavior";

    /** Those that no version keeps. */
    private static final List<String> ALL = List.of(
            METRICS,
            CURRENT_METRICS,
            CONDITIONS,
            BEHAVIOR,
            PREFIX + "scale-down-tolerance",
            PREFIX + "scale-up-tolerance");

    private final Map<String, String> texts = new HashMap<>();

    private AutoscalerAnnotations() {}

    /** Those of an object, which loses them. */
    static AutoscalerAnnotations takenFrom(ObjectNode object) {
        AutoscalerAnnotations taken = new AutoscalerAnnotations();
        if (object.path("metadata").get("annotations") instanceof ObjectNode annotations) {
            for (String name : ALL) {
                JsonNode text = annotations.remove(name);
                if (text != null && text.isString()) {
                    taken.texts.put(name, text.stringValue());
                }
            }
            if (annotations.isEmpty()) {
                Meta.of(object).remove("annotations");
            }
        }
        return taken;
    }

    static AutoscalerAnnotations none() {
        return new AutoscalerAnnotations();
    }

    /** Adds them to an object. */
    void putInto(ObjectNode object) {
        if (!texts.isEmpty()) {
            ObjectNode annotations = Meta.of(object).withObjectProperty("annotations");
            texts.forEach(annotations::put);
        }
    }

    /** The metrics beside the utilization of processors, as the older version has them. */
    ArrayNode metrics() {
        return list(METRICS, "MetricSpec").orElseGet(Json::array);
    }

    Optional<ArrayNode> currentMetrics() {
        return list(CURRENT_METRICS, "MetricStatus");
    }

    Optional<ArrayNode> conditions() {
        return list(CONDITIONS, "HorizontalPodAutoscalerCondition");
    }

    private Optional<ArrayNode> list(String name, String type) {
        return Optional.ofNullable(texts.get(name))
                .map(text -> GoJson.readList(ApiTypes.named("autoscaling/v1." + type), text));
    }

    /** What says nothing of either direction is none. */
    Optional<ObjectNode> behavior() {
        return Optional.ofNullable(texts.get(BEHAVIOR))
                .map(text -> GoJson.readStruct(ApiTypes.named("autoscaling/v2.HorizontalPodAutoscalerBehavior"), text))
                .filter(behavior -> !behavior.isEmpty());
    }

    void putMetrics(ArrayNode metrics) {
        put(METRICS, "MetricSpec", metrics);
    }

    void putCurrentMetrics(ArrayNode metrics) {
        put(CURRENT_METRICS, "MetricStatus", metrics);
    }

    void putConditions(ArrayNode conditions) {
        put(CONDITIONS, "HorizontalPodAutoscalerCondition", conditions);
    }

    private void put(String name, String type, ArrayNode list) {
        if (!list.isEmpty()) {
            ArrayNode ordered = GoJson.ordered(ApiTypes.named("autoscaling/v1." + type), list);
            texts.put(name, GoText.jsonAsIs(Objects.requireNonNull(ordered)));
        }
    }

    /** By the names that the fields have in Go, whose internal type has none for JSON. */
    void putBehavior(ObjectNode behavior) {
        ObjectNode text = Json.object();
        text.set("ScaleUp", rules(behavior.path("scaleUp")));
        text.set("ScaleDown", rules(behavior.path("scaleDown")));
        texts.put(BEHAVIOR, GoText.jsonAsIs(text));
    }

    private static JsonNode rules(JsonNode rules) {
        if (!rules.isObject()) {
            return Json.nodes().nullNode();
        }
        ObjectNode text = Json.object();
        text.set("StabilizationWindowSeconds", orNull(rules.get("stabilizationWindowSeconds")));
        text.set("SelectPolicy", orNull(rules.get("selectPolicy")));
        text.set("Policies", policies(rules.path("policies")));
        text.set("Tolerance", orNull(rules.get("tolerance")));
        return text;
    }

    private static JsonNode policies(JsonNode policies) {
        if (!policies.isArray()) {
            return Json.nodes().nullNode();
        }
        ArrayNode text = Json.array();
        for (JsonNode policy : policies) {
            ObjectNode item = text.addObject();
            item.set("Type", policy.path("type"));
            item.set("Value", policy.path("value"));
            item.set("PeriodSeconds", policy.path("periodSeconds"));
        }
        return text;
    }

    private static JsonNode orNull(@Nullable JsonNode value) {
        return value == null ? Json.nodes().nullNode() : value;
    }
}
