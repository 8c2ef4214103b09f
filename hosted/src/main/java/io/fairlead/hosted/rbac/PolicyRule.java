package io.fairlead.hosted.rbac;

import io.fairlead.model.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * One rule of a Role or ClusterRole: verbs on resources, or on non-resource paths.
 *
 * <p>Matching is that of Kubernetes (rbac/v1 {@code evaluation_helpers.go}): {@code *} stands for everything,
 * {@code *}{@code /sub} for one subresource of every resource, and a path may end in {@code *}.
 *
 * @param verbs the allowed verbs
 * @param apiGroups the groups of {@code resources}
 * @param resources resources and {@code resource/subresource}
 * @param resourceNames the only names it holds for; empty for every name
 * @param nonResourceUrls paths
 */
public record PolicyRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls) {
    static final String ALL = "*";

    public PolicyRule {
        verbs = List.copyOf(verbs);
        apiGroups = List.copyOf(apiGroups);
        resources = List.copyOf(resources);
        resourceNames = List.copyOf(resourceNames);
        nonResourceUrls = List.copyOf(nonResourceUrls);
    }

    /** The rules of a Role or ClusterRole; none if the field is absent. */
    static List<PolicyRule> listOf(JsonNode rules) {
        List<PolicyRule> list = new ArrayList<>(rules.size());
        for (JsonNode rule : rules) {
            list.add(of(rule));
        }
        return List.copyOf(list);
    }

    static PolicyRule of(JsonNode rule) {
        return new PolicyRule(
                texts(rule.path("verbs")),
                texts(rule.path("apiGroups")),
                texts(rule.path("resources")),
                texts(rule.path("resourceNames")),
                texts(rule.path("nonResourceURLs")));
    }

    /** Whether it allows the request. */
    boolean allows(RequestInfo request) {
        if (!hasOrAll(verbs, request.verb())) {
            return false;
        }
        return request.resourceRequest()
                ? hasOrAll(apiGroups, request.group())
                        && allowsResource(request.resource(), request.subresource())
                        && (resourceNames.isEmpty() || resourceNames.contains(request.name()))
                : allowsPath(request.path());
    }

    private boolean allowsResource(String resource, String subresource) {
        if (subresource.isEmpty()) {
            return hasOrAll(resources, resource);
        }
        return hasOrAll(resources, resource + "/" + subresource) || resources.contains(ALL + "/" + subresource);
    }

    private boolean allowsPath(String path) {
        for (String allowed : nonResourceUrls) {
            if (pathCovers(allowed, path)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether it alone covers all of another rule (component-helpers {@code policy_comparator.go}). That is asked of rules with at
     * most one value in each field; of others a "no" does not say that several rules together do not.
     */
    boolean covers(PolicyRule single) {
        return hasAllOrAll(verbs, single.verbs)
                && hasAllOrAll(apiGroups, single.apiGroups)
                && coversResources(single.resources)
                && coversNames(single.resourceNames)
                && coversPaths(single.nonResourceUrls);
    }

    private boolean coversResources(List<String> wanted) {
        return wanted.stream().allMatch(this::coversResource);
    }

    private boolean coversResource(String wanted) {
        if (hasOrAll(resources, wanted)) {
            return true;
        }
        int slash = wanted.indexOf('/');
        return slash >= 0 && resources.contains(ALL + wanted.substring(slash));
    }

    private boolean coversNames(List<String> wanted) {
        return resourceNames.isEmpty() || (!wanted.isEmpty() && resourceNames.containsAll(wanted));
    }

    private boolean coversPaths(List<String> wanted) {
        return wanted.stream()
                .allMatch(path -> nonResourceUrls.stream().anyMatch(allowed -> pathCovers(allowed, path)));
    }

    /** How many values all lists have. */
    int values() {
        return verbs.size() + apiGroups.size() + resources.size() + resourceNames.size() + nonResourceUrls.size();
    }

    /** Whether it allows every request for a resource. */
    boolean isEverything() {
        return verbs.contains(ALL) && apiGroups.contains(ALL) && resources.contains(ALL) && resourceNames.isEmpty();
    }

    /**
     * Shows the same rights as rules with at most one verb, group, resource, name or path each, one after the other, until one
     * is not taken; there may be as many as the product of the lists.
     */
    boolean eachSingle(Predicate<PolicyRule> visitor) {
        for (String verb : verbs) {
            for (String group : apiGroups) {
                for (String resource : resources) {
                    PolicyRule unnamed =
                            new PolicyRule(List.of(verb), List.of(group), List.of(resource), List.of(), List.of());
                    if (!unnamed.eachNamed(resourceNames, visitor)) {
                        return false;
                    }
                }
            }
            for (String path : nonResourceUrls) {
                if (!visitor.test(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean eachNamed(List<String> names, Predicate<PolicyRule> visitor) {
        return names.isEmpty() ? visitor.test(this) : names.stream().allMatch(name -> visitor.test(withName(name)));
    }

    private PolicyRule withName(String name) {
        return new PolicyRule(verbs, apiGroups, resources, List.of(name), nonResourceUrls);
    }

    PolicyRule withVerbs(List<String> newVerbs) {
        return new PolicyRule(newVerbs, apiGroups, resources, resourceNames, nonResourceUrls);
    }

    /** The rule as Kubernetes prints it in refusals: {@code {APIGroups:[""], Resources:["pods"], Verbs:["get"]}}. */
    String describe() {
        List<String> parts = new ArrayList<>();
        describe(parts, "APIGroups", apiGroups);
        describe(parts, "Resources", resources);
        describe(parts, "NonResourceURLs", nonResourceUrls);
        describe(parts, "ResourceNames", resourceNames);
        describe(parts, "Verbs", verbs);
        return "{" + String.join(", ", parts) + "}";
    }

    private static void describe(List<String> parts, String field, List<String> values) {
        if (!values.isEmpty()) {
            parts.add(field + ":" + quoted(values));
        }
    }

    /** A list as Go prints it with {@code %q}: {@code ["a" "b"]}. */
    static String quoted(List<String> values) {
        return values.isEmpty() ? "[]" : "[\"" + String.join("\" \"", values) + "\"]";
    }

    private static boolean pathCovers(String allowed, String path) {
        return allowed.equals(ALL)
                || allowed.equals(path)
                || (allowed.endsWith(ALL) && path.startsWith(withoutTrailingStars(allowed)));
    }

    private static String withoutTrailingStars(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '*') {
            end--;
        }
        return path.substring(0, end);
    }

    private static boolean hasOrAll(List<String> values, String wanted) {
        return values.contains(wanted) || values.contains(ALL);
    }

    private static boolean hasAllOrAll(List<String> values, List<String> wanted) {
        return values.contains(ALL) || values.containsAll(wanted);
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>(array.size());
        for (JsonNode text : array) {
            texts.add(text.asString(""));
        }
        return texts;
    }
}
