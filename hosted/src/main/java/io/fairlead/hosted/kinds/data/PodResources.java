package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Quantities;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a pod takes as a whole, beside what its containers take (KEP-2837). */
final class PodResources {
    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";

    private PodResources() {}

    /**
     * A pod with limits requests what its containers do, and else its limits (kubernetes {@code pkg/apis/core/v1/defaults.go},
     * {@code defaultHugePagePodLimits} and {@code defaultPodRequests}).
     */
    static void complete(ObjectNode spec) {
        if (!(spec.get("resources") instanceof ObjectNode resources)) {
            return;
        }
        if (!resources.path(LIMITS).isEmpty() || !resources.path(REQUESTS).isEmpty()) {
            ofContainers(spec, LIMITS).forEach((name, amount) -> {
                if (Resources.isHugePage(name) && !resources.path(REQUESTS).has(name)) {
                    complete(resources, LIMITS, name, amount);
                }
            });
        }
        if (resources.path(LIMITS).isEmpty()) {
            return;
        }
        ofContainers(spec, REQUESTS).forEach((name, amount) -> {
            if (Resources.mayBeOvercommitted(name)) {
                complete(resources, REQUESTS, name, amount);
            }
        });
        resources.path(LIMITS).forEachEntry((name, amount) -> complete(resources, REQUESTS, name, amount.asString("")));
    }

    private static void complete(ObjectNode resources, String member, String name, String amount) {
        if (ResourceNames.isOfPods(name) && !resources.path(member).has(name)) {
            resources.withObjectProperty(member).put(name, amount);
        }
    }

    /**
     * It takes no less than its containers together (kubernetes {@code validatePodResources}); what it takes more is judged as
     * limits ({@code validateOverhead}).
     */
    static void check(ObjectNode spec, FieldPath path, FieldErrors errors) {
        if (spec.get("overhead") instanceof ObjectNode overhead) {
            ObjectNode limited = Json.object();
            limited.set(LIMITS, overhead);
            ResourceAmounts.check(limited, ResourceNames::ofContainer, path.child("overhead"), errors);
        }
        if (!(spec.get("resources") instanceof ObjectNode resources)) {
            return;
        }
        FieldPath at = path.child("resources");
        if (spec.path("os").path("name").asString("").equals("windows")) {
            errors.forbidden(at, "may not be set for a windows pod");
            return;
        }
        if (resources.path("claims").isArray()) {
            errors.forbidden(at.child("claims"), "claims may not be set for Resources at pod-level");
        }
        ResourceAmounts.check(resources, ResourceNames::ofPod, at, errors);
        ContainerChecks.claims(resources, spec, at.child("claims"), errors);
        ofContainers(spec, REQUESTS)
                .forEach((name, sum) -> notBelow(resources, REQUESTS, name, sum, at.child(REQUESTS), errors));
        ofContainers(spec, LIMITS).forEach((name, sum) -> {
            if (Resources.isHugePage(name)) {
                notBelow(resources, LIMITS, name, sum, at.child(LIMITS), errors);
            }
        });
        eachContainer(spec, resources.path(LIMITS), at.child("containers"), errors);
    }

    private static void notBelow(
            ObjectNode resources, String member, String name, String sum, FieldPath path, FieldErrors errors) {
        JsonNode amount = resources.path(member).path(name);
        if (isAbove(Json.nodes().stringNode(sum), amount)) {
            errors.invalid(
                    path.key(name),
                    amount,
                    "must be greater than or equal to aggregate container " + member + " of " + sum);
        }
    }

    private static void eachContainer(JsonNode spec, JsonNode limits, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode container : spec.path("containers")) {
            FieldPath at = path.index(index++);
            container.path("resources").path(LIMITS).forEachEntry((name, limit) -> {
                if (isAbove(limit, limits.path(name))) {
                    errors.invalid(
                            at.key(name).child(LIMITS),
                            limit,
                            "must be less than or equal to pod limits of "
                                    + limits.path(name).asString(""));
                }
            });
        }
    }

    private static boolean isAbove(JsonNode amount, JsonNode bound) {
        return !bound.isMissingNode() && Resources.value(amount).compareTo(Resources.value(bound)) > 0;
    }

    /**
     * What the containers of a pod take together at most ({@code AggregateContainerRequests} of component-helpers): those that
     * begin first take it one at a time, beside those of them that go on.
     */
    private static Map<String, String> ofContainers(JsonNode spec, String member) {
        Map<String, String> together = new TreeMap<>();
        for (JsonNode container : spec.path("containers")) {
            add(together, container, member);
        }
        Map<String, String> goingOn = new TreeMap<>();
        Map<String, String> first = new TreeMap<>();
        for (JsonNode container : spec.path("initContainers")) {
            if (container.path("restartPolicy").asString("").equals("Always")) {
                add(together, container, member);
                add(goingOn, container, member);
                resources(container, member)
                        .forEachEntry((name, amount) -> raise(first, name, goingOn.getOrDefault(name, "0")));
            } else {
                resources(container, member)
                        .forEachEntry((name, amount) -> raise(
                                first, name, Quantities.sum(amount.asString(""), goingOn.getOrDefault(name, "0"))));
            }
        }
        first.forEach((name, amount) -> raise(together, name, amount));
        return together;
    }

    private static JsonNode resources(JsonNode container, String member) {
        return container.path("resources").path(member);
    }

    private static void add(Map<String, String> sums, JsonNode container, String member) {
        resources(container, member)
                .forEachEntry((name, amount) -> sums.merge(name, amount.asString(""), Quantities::sum));
    }

    private static void raise(Map<String, String> amounts, String name, String amount) {
        amounts.merge(name, amount, (before, now) -> Quantities.isAbove(now, before) ? now : before);
    }
}
