package io.fairlead.hosted.representation;

import io.fairlead.hosted.scaling.AutoscalerVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What autoscalers measure, as a cell (kubernetes {@code pkg/printers/internalversion}, {@code formatHPAMetrics}). */
final class ScaleCells {
    private static final int SHOWN_MAX = 2;
    private static final String UNKNOWN = "<unknown>";
    /** What Go prints for a quantity that is not there. */
    private static final String NOTHING = "<nil>";

    private ScaleCells() {}

    /** What is measured and what is aimed at, of the first metrics. */
    static String targets(ObjectNode scaler) {
        ObjectNode newer = AutoscalerVersions.newer(scaler);
        JsonNode metrics = newer.at("/spec/metrics");
        if (metrics.isEmpty()) {
            return "<none>";
        }
        JsonNode measured = newer.at("/status/currentMetrics");
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < Math.min(metrics.size(), SHOWN_MAX); i++) {
            shown.add(metric(metrics.get(i), measured.path(i)));
        }
        int more = metrics.size() - shown.size();
        return shown.stream().collect(Collectors.joining(", ")) + (more > 0 ? " + " + more + " more..." : "");
    }

    private static String metric(JsonNode metric, JsonNode measured) {
        return switch (metric.path("type").asString("")) {
            case "External" -> outside(metric.path("external"), measured.path("external"));
            case "Object" -> outside(metric.path("object"), measured.path("object"));
            case "Pods" ->
                amount(measured.path("pods"), "averageValue") + "/" + target(metric.path("pods"), "averageValue");
            case "Resource" -> resource(metric.path("resource"), measured.path("resource"));
            case "ContainerResource" -> resource(metric.path("containerResource"), measured.path("containerResource"));
            default -> "<unknown type>";
        };
    }

    private static String outside(JsonNode source, JsonNode measured) {
        if (source.path("target").has("averageValue")) {
            return measured.path("current").path("averageValue").asString(UNKNOWN) + "/"
                    + target(source, "averageValue") + " (avg)";
        }
        return amount(measured, "value") + "/" + target(source, "value");
    }

    private static String resource(JsonNode source, JsonNode measured) {
        String name = source.path("name").asString("") + ": ";
        if (source.path("target").has("averageValue")) {
            return name + amount(measured, "averageValue") + "/" + target(source, "averageValue");
        }
        return name + share(measured.path("current"), UNKNOWN) + "/" + share(source.path("target"), "<auto>");
    }

    private static String target(JsonNode source, String member) {
        return source.path("target").path(member).asString(NOTHING);
    }

    private static String amount(JsonNode measured, String member) {
        return measured.isObject() ? measured.path("current").path(member).asString(NOTHING) : UNKNOWN;
    }

    private static String share(JsonNode values, String otherwise) {
        JsonNode utilization = values.path("averageUtilization");
        return utilization.isNumber() ? utilization.asLong(0) + "%" : otherwise;
    }
}
