package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What containers and pods request and what limits them (kubernetes {@code validateResourceRequirements}): requests are not above their limits. */
final class ResourceAmounts {
    private ResourceAmounts() {}

    /** Which names resources may have where they stand. */
    @FunctionalInterface
    interface NameCheck {
        void check(String name, FieldPath path, FieldErrors errors);
    }

    static void check(ObjectNode requirements, NameCheck names, FieldPath path, FieldErrors errors) {
        JsonNode limits = requirements.path("limits");
        limits.forEachEntry((name, amount) ->
                amount(name, amount, names, path.child("limits").key(name), errors));
        requirements.path("requests").forEachEntry((name, amount) -> {
            amount(name, amount, names, path.child("requests").key(name), errors);
            request(name, amount, limits.path(name), path, errors);
        });
        Set<String> found = new HashSet<>(limits.propertyNames());
        found.addAll(requirements.path("requests").propertyNames());
        if (found.stream().anyMatch(Resources::isHugePage) && !found.contains("cpu") && !found.contains("memory")) {
            errors.forbidden(path, "HugePages require cpu or memory");
        }
    }

    private static void amount(String name, JsonNode amount, NameCheck names, FieldPath path, FieldErrors errors) {
        names.check(name, path, errors);
        Resources.amount(name, amount, path, errors);
        Resources.pages(name, amount, path, errors);
    }

    private static void request(String name, JsonNode amount, JsonNode limit, FieldPath path, FieldErrors errors) {
        boolean isFlexible = Resources.mayBeOvercommitted(name);
        if (limit.isMissingNode()) {
            if (!isFlexible) {
                errors.required(path.child("limits"), "Limit must be set for non overcommitable resources");
            }
            return;
        }
        int order = Resources.value(amount).compareTo(Resources.value(limit));
        if (isFlexible ? order > 0 : order != 0) {
            String rule = isFlexible ? "must be less than or equal to " : "must be equal to ";
            errors.invalid(path.child("requests"), amount, rule + name + " limit of " + limit.asString(""));
        }
    }
}
