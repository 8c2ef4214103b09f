package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of devices and claims of them that compare fields (kubernetes {@code pkg/apis/resource/validation}), by Go type. */
final class DeviceChecks {
    static final Map<String, Comparison> ALL = Map.ofEntries(
            Map.entry("resource/v1.DeviceClaim", (claim, path, errors) -> unique(claim, "requests", path, errors)),
            Map.entry("resource/v1.DeviceRequest", DeviceChecks::request),
            Map.entry("resource/v1.DeviceSelector", DeviceChecks::selector),
            Map.entry("resource/v1.ExactDeviceRequest", DeviceChecks::exactRequest),
            Map.entry("resource/v1.ResourcePool", DeviceChecks::pool),
            Map.entry("resource/v1.ResourceSliceSpec", DeviceChecks::slice));

    private DeviceChecks() {}

    private static void unique(ObjectNode object, String list, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode item : object.path(list)) {
            String name = item.path("name").asString("");
            if (!names.add(name)) {
                errors.duplicate(path.child(list).index(index), name);
            }
            index++;
        }
    }

    private static void request(ObjectNode request, FieldPath path, FieldErrors errors) {
        boolean isExact = request.path("exactly").isObject();
        boolean hasAlternatives = !request.path("firstAvailable").isEmpty();
        if (isExact && hasAlternatives) {
            errors.invalid(
                    path,
                    Json.nodes().nullNode(),
                    "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
        } else if (!isExact && !hasAlternatives) {
            errors.required(path, "exactly one of `exactly` or `firstAvailable` is required");
        }
    }

    private static void selector(ObjectNode selector, FieldPath path, FieldErrors errors) {
        if (!selector.path("cel").isObject()) {
            errors.required(path.child("cel"), "");
        }
    }

    private static void exactRequest(ObjectNode request, FieldPath path, FieldErrors errors) {
        JsonNode count = request.path("count");
        switch (request.path("allocationMode").asString("")) {
            case "ExactCount" -> {
                if (count.asLong(0) <= 0) {
                    errors.invalid(
                            path.child("count"), Json.nodes().numberNode(count.asLong(0)), "must be greater than zero");
                }
            }
            case "All" -> {
                if (count.asLong(0) != 0) {
                    errors.invalid(path.child("count"), count, "must not be specified when allocationMode is 'All'");
                }
            }
            default -> {}
        }
    }

    private static void pool(ObjectNode pool, FieldPath path, FieldErrors errors) {
        String name = pool.path("name").asString("");
        if (!name.isEmpty()) {
            for (String part : name.split("/", -1)) {
                errors.invalid(path.child("name"), part, TextForm.SUBDOMAIN.problems(part));
            }
        }
        JsonNode count = pool.path("resourceSliceCount");
        if (count.asLong(0) <= 0) {
            errors.invalid(
                    path.child("resourceSliceCount"),
                    Json.nodes().numberNode(count.asLong(0)),
                    "must be greater than zero");
        }
    }

    private static void slice(ObjectNode spec, FieldPath path, FieldErrors errors) {
        unique(spec, "devices", path, errors);
        List<String> set = new ArrayList<>();
        JsonNode node = spec.path("nodeName");
        if (node.isString() && node.stringValue().isEmpty()) {
            errors.invalid(path.child("nodeName"), node, "must be either unset or set to a non-empty string");
        } else if (node.isString()) {
            set.add("`nodeName`");
        }
        if (spec.path("nodeSelector").isObject()) {
            set.add("`nodeSelector`");
        }
        for (String flag : List.of("allNodes", "perDeviceNodeSelection")) {
            JsonNode value = spec.path(flag);
            if (value.asBoolean(false)) {
                set.add("`" + flag + "`");
            } else if (value.isBoolean()) {
                errors.invalid(path.child(flag), value, "must be either unset or set to true");
            }
        }
        String rule = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
        if (set.isEmpty()) {
            errors.required(path, rule);
        } else if (set.size() > 1) {
            errors.invalid(path, "{" + String.join(", ", set) + "}", rule + ", but multiple fields are set");
        }
    }
}
