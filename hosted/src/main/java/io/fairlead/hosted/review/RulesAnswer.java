package io.fairlead.hosted.review;

import io.fairlead.hosted.rbac.Policy;
import io.fairlead.hosted.rbac.PolicyRule;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code status} of a SelfSubjectRulesReview: all rules that apply to the caller in a namespace. */
final class RulesAnswer {
    private static final PolicyRule EVERYTHING =
            new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of());
    private static final PolicyRule EVERY_PATH =
            new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*"));

    private RulesAnswer() {}

    static ObjectNode status(Policy policy, UserInfo user, JsonNode review) {
        String namespace = review.path("spec").path("namespace").asString("");
        if (namespace.isEmpty()) {
            throw new StatusException(Status.badRequest("no namespace on request"));
        }
        List<PolicyRule> bound = policy.rulesFor(user, namespace);
        List<PolicyRule> rules = new ArrayList<>();
        if (user.groups().contains(UserInfo.MASTERS)) {
            Stream.of(EVERYTHING, EVERY_PATH)
                    .filter(each -> !bound.contains(each))
                    .forEach(rules::add);
        }
        rules.addAll(bound);
        ObjectNode status = Json.object();
        ArrayNode resourceRules = status.putArray("resourceRules");
        ArrayNode nonResourceRules = status.putArray("nonResourceRules");
        rules.forEach(rule -> add(resourceRules, nonResourceRules, rule));
        return status.put("incomplete", false);
    }

    private static void add(ArrayNode resourceRules, ArrayNode nonResourceRules, PolicyRule rule) {
        if (!rule.resources().isEmpty()) {
            ObjectNode node = resourceRules.addObject();
            put(node, "verbs", rule.verbs());
            put(node, "apiGroups", rule.apiGroups());
            put(node, "resources", rule.resources());
            if (!rule.resourceNames().isEmpty()) {
                put(node, "resourceNames", rule.resourceNames());
            }
        }
        if (!rule.nonResourceUrls().isEmpty()) {
            ObjectNode node = nonResourceRules.addObject();
            put(node, "verbs", rule.verbs());
            put(node, "nonResourceURLs", rule.nonResourceUrls());
        }
    }

    private static void put(ObjectNode node, String field, List<String> values) {
        values.forEach(node.putArray(field)::add);
    }
}
