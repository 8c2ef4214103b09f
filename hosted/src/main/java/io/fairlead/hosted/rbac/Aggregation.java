package io.fairlead.hosted.rbac;

import io.fairlead.schema.json.JsonKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code aggregationRule} of ClusterRoles: such a role's rules are the union of the rules of the roles that its
 * selectors match, in the order of the selectors and then of the names.
 *
 * <p>As in Kubernetes' controller ({@code clusterroleaggregation_controller.go}) they are written to the stored role,
 * so that readers see the effective rules; decisions use them even before that. Aggregated roles may feed each other
 * ({@code view} into {@code edit}).
 */
public final class Aggregation {
    /** What a few roles of a megabyte may ask for; each change of any role asks for it again. */
    private static final long WORK_MAX = 500_000;

    private Aggregation() {}

    /** Whether a ClusterRole's rules are computed. */
    static boolean isAggregated(JsonNode clusterRole) {
        return clusterRole.path("aggregationRule").isObject();
    }

    /** The rules that an aggregated role should have: those of the others themselves, which must not be changed. */
    private static ArrayNode rulesOf(JsonNode aggregated, Collection<? extends JsonNode> clusterRoles, Work work) {
        List<? extends JsonNode> byName = clusterRoles.stream()
                .sorted(Comparator.comparing(Policy::nameOf))
                .toList();
        Set<JsonKey> rules = new LinkedHashSet<>();
        for (JsonNode selector : aggregated.path("aggregationRule").path("clusterRoleSelectors")) {
            work.left -= byName.size();
            for (JsonNode role : byName) {
                boolean isMeant = !Policy.nameOf(role).equals(Policy.nameOf(aggregated))
                        && matches(selector, role.path("metadata").path("labels"));
                if (isMeant) {
                    work.left -= role.path("rules").size();
                    role.path("rules").forEach(rule -> rules.add(new JsonKey(rule)));
                }
                if (work.left < 0) {
                    return JsonNodeFactory.instance.arrayNode();
                }
            }
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        rules.forEach(rule -> array.add(rule.value()));
        return array;
    }

    /**
     * The roles with current rules in every aggregated role; unchanged roles are returned as they are. Ends after as
     * many rounds as there are aggregated roles, the longest possible chain, or when more is selected than {@link #WORK_MAX}:
     * the roles that are not computed by then have the rules that are stored.
     */
    public static List<ObjectNode> settled(List<ObjectNode> clusterRoles) {
        List<ObjectNode> settled = clusterRoles;
        Work work = new Work();
        long rounds = clusterRoles.stream().filter(Aggregation::isAggregated).count();
        for (long round = 0; round < rounds; round++) {
            List<ObjectNode> current = settled;
            settled =
                    current.stream().map(role -> upToDate(role, current, work)).toList();
            if (settled.equals(current)) {
                break;
            }
        }
        return settled;
    }

    private static ObjectNode upToDate(ObjectNode role, List<ObjectNode> clusterRoles, Work work) {
        if (!isAggregated(role) || work.left < 0) {
            return role;
        }
        ArrayNode rules = rulesOf(role, clusterRoles, work);
        if (work.left < 0 || rules.equals(role.path("rules"))) {
            return role;
        }
        ObjectNode settled = role.objectNode();
        settled.setAll(role);
        return settled.set("rules", rules);
    }

    /** How many roles may still be compared with selectors, and rules taken; negative once there was too much to do. */
    private static final class Work {
        private long left = WORK_MAX;
    }

    /** A label selector of the API conventions: all labels and expressions must match. */
    private static boolean matches(JsonNode selector, JsonNode labels) {
        for (var label : selector.path("matchLabels").properties()) {
            if (!label.getValue().equals(labels.path(label.getKey()))) {
                return false;
            }
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            if (!holds(expression, labels)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(JsonNode expression, JsonNode labels) {
        JsonNode value = labels.path(expression.path("key").asString(""));
        return switch (expression.path("operator").asString("")) {
            case "In" -> contains(expression.path("values"), value);
            case "NotIn" -> !contains(expression.path("values"), value);
            case "Exists" -> !value.isMissingNode();
            case "DoesNotExist" -> value.isMissingNode();
            default -> false;
        };
    }

    private static boolean contains(JsonNode values, JsonNode wanted) {
        for (JsonNode value : values) {
            if (value.equals(wanted)) {
                return true;
            }
        }
        return false;
    }
}
