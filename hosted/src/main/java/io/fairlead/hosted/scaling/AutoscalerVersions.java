package io.fairlead.hosted.scaling;

import io.fairlead.hosted.meta.Refusals;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The two versions of a HorizontalPodAutoscaler, which is stored in the newer one; what the older one has no fields for stands in its
 * annotations (kubernetes {@code pkg/apis/autoscaling/v1/conversion.go} and {@code v2/conversion.go}).
 */
public final class AutoscalerVersions {
    /** The version that is stored. */
    public static final String NEWER = "autoscaling/v2";

    /** The other one. */
    public static final String OLDER = "autoscaling/v1";

    private static final String KIND = "HorizontalPodAutoscaler";
    private static final String TARGET = "targetCPUUtilizationPercentage";
    private static final String CURRENT = "currentCPUUtilizationPercentage";
    /** In percent, where nothing else is measured (kubernetes {@code DefaultCPUUtilization}). */
    private static final int UTILIZATION = 80;

    private AutoscalerVersions() {}

    /** An autoscaler of any version in the newer one; a new tree. */
    public static ObjectNode newer(ObjectNode object) {
        ObjectNode newer = object.deepCopy();
        AutoscalerAnnotations annotations = AutoscalerAnnotations.takenFrom(newer);
        if (isNewer(object)) {
            return newer;
        }
        readSpec(newer.withObjectProperty("spec"), annotations);
        readStatus(newer.withObjectProperty("status"), annotations);
        return decoded(newer, NEWER);
    }

    /** Whether an object is of the newer version. */
    public static boolean isNewer(ObjectNode object) {
        return object.path("apiVersion").asString("").equals(NEWER);
    }

    /** An autoscaler of any version in the older one; a new tree. */
    public static ObjectNode older(ObjectNode object) {
        ObjectNode older = newer(object);
        AutoscalerAnnotations annotations = AutoscalerAnnotations.none();
        writeSpec(older.withObjectProperty("spec"), annotations);
        writeStatus(older.withObjectProperty("status"), annotations);
        annotations.putInto(older);
        return decoded(older, OLDER);
    }

    private static void readSpec(ObjectNode spec, AutoscalerAnnotations annotations) {
        JsonNode utilization = spec.remove(TARGET);
        ArrayNode metrics = Json.array();
        annotations.metrics().forEach(metric -> metrics.add(MetricForms.SPEC.newer(metric)));
        if (utilization != null || metrics.isEmpty()) {
            metrics.add(ofProcessors(
                    Json.object().put("type", "Utilization"),
                    "target",
                    utilization == null ? Json.nodes().numberNode(UTILIZATION) : utilization));
        }
        spec.set("metrics", metrics);
        annotations.behavior().ifPresent(behavior -> spec.set("behavior", behavior));
    }

    private static void readStatus(ObjectNode status, AutoscalerAnnotations annotations) {
        JsonNode utilization = status.remove(CURRENT);
        ArrayNode metrics = Json.array();
        annotations
                .currentMetrics()
                .ifPresentOrElse(all -> all.forEach(metric -> metrics.add(MetricForms.STATUS.newer(metric))), () -> {
                    if (utilization != null) {
                        metrics.add(ofProcessors(Json.object(), "current", utilization));
                    }
                });
        if (!metrics.isEmpty()) {
            status.set("currentMetrics", metrics);
        }
        annotations.conditions().ifPresent(conditions -> status.set("conditions", conditions));
    }

    private static ObjectNode ofProcessors(ObjectNode value, String member, JsonNode utilization) {
        ObjectNode metric = Json.object().put("type", "Resource");
        metric.putObject("resource").put("name", "cpu").set(member, value.set("averageUtilization", utilization));
        return metric;
    }

    private static void writeSpec(ObjectNode spec, AutoscalerAnnotations annotations) {
        ArrayNode others = Json.array();
        JsonNode metrics = spec.remove("metrics");
        for (JsonNode metric : metrics == null ? Json.array() : metrics) {
            JsonNode utilization = metric.at("/resource/target/averageUtilization");
            if (!isOfProcessors(metric) || !utilization.isNumber()) {
                others.add(MetricForms.SPEC.older(metric));
            } else if (!spec.has(TARGET)) {
                spec.set(TARGET, utilization);
            }
        }
        annotations.putMetrics(others);
        if (spec.remove("behavior") instanceof ObjectNode behavior) {
            annotations.putBehavior(behavior);
        }
    }

    private static void writeStatus(ObjectNode status, AutoscalerAnnotations annotations) {
        ArrayNode all = Json.array();
        JsonNode metrics = status.remove("currentMetrics");
        for (JsonNode metric : metrics == null ? Json.array() : metrics) {
            JsonNode utilization = metric.at("/resource/current/averageUtilization");
            if (isOfProcessors(metric) && utilization.isNumber()) {
                status.set(CURRENT, utilization);
            }
            all.add(MetricForms.STATUS.older(metric));
        }
        annotations.putCurrentMetrics(all);
        if (status.remove("conditions") instanceof ArrayNode conditions) {
            annotations.putConditions(conditions);
        }
    }

    private static boolean isOfProcessors(JsonNode metric) {
        return metric.path("type").asString("").equals("Resource")
                && metric.at("/resource/name").asString("").equals("cpu");
    }

    /** The object as an object of a version is decoded: with what Go writes even when empty, without what it does not. */
    private static ObjectNode decoded(ObjectNode object, String apiVersion) {
        TypedDecoder.Decoded decoded =
                TypedDecoder.decode(type(apiVersion), object.put("apiVersion", apiVersion), "", false);
        if (decoded.problem() != null) {
            throw Refusals.undecodable(KIND, apiVersion.substring(apiVersion.indexOf('/') + 1), decoded.problem());
        }
        return decoded.tree();
    }

    /** The Go type of autoscalers of a version. */
    public static Struct type(String apiVersion) {
        return Objects.requireNonNull(ApiTypes.ofKind(apiVersion, KIND));
    }
}
