package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.crd.WebhookClientRules;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of webhooks, admission policies and flow control that compare fields (kubernetes {@code pkg/apis/*}{@code /validation}), by Go type. */
final class PolicyChecks {
    static final Map<String, Comparison> ALL = Map.ofEntries(
            Map.entry("admissionregistration/v1.WebhookClientConfig", WebhookClientRules::check),
            Map.entry("admissionregistration/v1.ValidatingWebhook", PolicyChecks::webhook),
            Map.entry("admissionregistration/v1.MutatingWebhook", PolicyChecks::webhook),
            Map.entry("admissionregistration/v1.RuleWithOperations", PolicyChecks::rule),
            Map.entry("admissionregistration/v1.NamedRuleWithOperations", PolicyChecks::rule),
            Map.entry("flowcontrol/v1.FlowSchemaSpec", PolicyChecks::flowSchema),
            Map.entry("flowcontrol/v1.PolicyRulesWithSubjects", PolicyChecks::flowRules),
            Map.entry("flowcontrol/v1.Subject", PolicyChecks::flowSubject),
            Map.entry("flowcontrol/v1.ResourcePolicyRule", PolicyChecks::flowRule),
            Map.entry("flowcontrol/v1.PriorityLevelConfigurationSpec", PolicyChecks::priorityLevel));

    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final List<String> FLOW_SUBJECTS = List.of("Group", "ServiceAccount", "User");
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch");
    private static final int PRECEDENCE_MAX = 10_000;

    private PolicyChecks() {}

    private static void webhook(ObjectNode webhook, FieldPath path, FieldErrors errors) {
        JsonNode versions = webhook.path("admissionReviewVersions");
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode version : versions) {
            FieldPath at = path.child("admissionReviewVersions").index(index++);
            if (seen.add(version.asString(""))) {
                errors.invalid(at, version, TextForm.LABEL_1035.problems(version.asString("")));
            } else {
                errors.invalid(at, version, "duplicate version");
            }
        }
        if (!versions.isEmpty() && !seen.contains("v1") && !seen.contains("v1beta1")) {
            errors.invalid(path.child("admissionReviewVersions"), versions, "must include at least one of v1, v1beta1");
        }
    }

    private static void rule(ObjectNode rule, FieldPath path, FieldErrors errors) {
        if (rule.path("operations").isEmpty()) {
            errors.required(path.child("operations"), "");
        }
        alone(rule, "operations", "if '*' is present, must not specify other operations", path, errors);
        int index = 0;
        for (JsonNode operation : rule.path("operations")) {
            FieldPath at = path.child("operations").index(index++);
            if (!OPERATIONS.contains(operation.asString(""))) {
                errors.notSupported(at, operation, OPERATIONS);
            }
        }
        for (String member : List.of("apiGroups", "apiVersions", "resources")) {
            if (rule.path(member).isEmpty()) {
                errors.required(path.child(member), "");
            }
        }
        alone(rule, "apiGroups", "if '*' is present, must not specify other API groups", path, errors);
        alone(rule, "apiVersions", "if '*' is present, must not specify other API versions", path, errors);
        index = 0;
        for (JsonNode version : rule.path("apiVersions")) {
            if (version.asString("").isEmpty()) {
                errors.required(path.child("apiVersions").index(index), "");
            }
            index++;
        }
        resources(rule.path("resources"), path.child("resources"), errors);
    }

    /** What is meant by another resource beside it is not said again ({@code validateResources}). */
    private static void resources(JsonNode resources, FieldPath path, FieldErrors errors) {
        Set<String> withEverySubresource = new HashSet<>();
        Set<String> ofEveryResource = new HashSet<>();
        boolean endsWhole = false;
        int index = 0;
        for (JsonNode item : resources) {
            FieldPath at = path.index(index++);
            String text = item.asString("");
            int slash = text.indexOf('/');
            if (text.isEmpty()) {
                errors.required(at, "");
            } else if (slash < 0) {
                endsWhole = !text.equals("*");
            } else {
                String resource = text.substring(0, slash);
                String subresource = text.substring(slash + 1);
                if (withEverySubresource.contains(resource)) {
                    errors.invalid(at, text, "if '" + resource + "/*' is present, must not specify " + text);
                }
                if (ofEveryResource.contains(subresource)) {
                    errors.invalid(at, text, "if '*/" + subresource + "' is present, must not specify " + text);
                }
                if (subresource.equals("*")) {
                    withEverySubresource.add(resource);
                }
                if (resource.equals("*")) {
                    ofEveryResource.add(subresource);
                }
            }
        }
        List<String> all = Meta.strings(resources);
        if (all.size() > 1 && all.contains("*/*")) {
            errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
        }
        if (endsWhole && all.contains("*")) {
            errors.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
        }
    }

    /** Webhooks have names of their own. */
    static void names(ObjectNode configuration, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode webhook : configuration.path("webhooks")) {
            String name = webhook.path("name").asString("");
            if (!name.isEmpty() && !names.add(name)) {
                errors.duplicate(FieldPath.of("webhooks").index(index).child("name"), name);
            }
            index++;
        }
    }

    /** The same of a configuration that is changed, unless its webhooks shared names before. */
    static void names(ObjectNode configuration, ObjectNode old, FieldErrors errors) {
        FieldErrors before = new FieldErrors();
        names(old, before);
        if (before.isEmpty()) {
            names(configuration, errors);
        }
    }

    /** What means all stands alone. */
    private static void alone(ObjectNode object, String member, String detail, FieldPath path, FieldErrors errors) {
        JsonNode items = object.path(member);
        if (items.size() > 1 && Meta.strings(items).contains("*")) {
            errors.invalid(path.child(member), items, detail);
        }
    }

    private static void flowSchema(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode precedence = spec.path("matchingPrecedence");
        FieldPath at = path.child("matchingPrecedence");
        long value = precedence.asLong(0);
        if (value <= 0) {
            errors.invalid(at, precedence, "must be a positive value");
        } else if (value > PRECEDENCE_MAX) {
            errors.invalid(at, precedence, "must not be greater than " + PRECEDENCE_MAX);
        } else if (value == 1) {
            errors.invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
        }
    }

    private static void flowRules(ObjectNode rules, FieldPath path, FieldErrors errors) {
        if (rules.path("subjects").isEmpty()) {
            errors.required(path.child("subjects"), "subjects must contain at least one value");
        }
        if (rules.path("resourceRules").isEmpty()
                && rules.path("nonResourceRules").isEmpty()) {
            errors.required(path, "at least one of resourceRules and nonResourceRules has to be non-empty");
        }
    }

    private static void flowSubject(ObjectNode subject, FieldPath path, FieldErrors errors) {
        String kind = subject.path("kind").asString("");
        if (!FLOW_SUBJECTS.contains(kind)) {
            errors.notSupported(path.child("kind"), kind, FLOW_SUBJECTS);
            return;
        }
        for (String of : FLOW_SUBJECTS) {
            String member = of.substring(0, 1).toLowerCase(Locale.ROOT) + of.substring(1);
            boolean isThere = subject.path(member).isObject();
            if (of.equals(kind) && !isThere) {
                errors.required(path.child(member), member + " is required when subject kind is '" + of + "'");
            } else if (!of.equals(kind) && isThere) {
                errors.forbidden(path.child(member), member + " is forbidden when subject kind is not '" + of + "'");
            }
        }
    }

    private static void flowRule(ObjectNode rule, FieldPath path, FieldErrors errors) {
        List<String> verbs = Meta.strings(rule.path("verbs"));
        if (verbs.isEmpty()) {
            errors.required(path.child("verbs"), "verbs must contain at least one value");
        } else if (!verbs.contains("*") && !VERBS.containsAll(verbs)) {
            errors.notSupported(path.child("verbs"), rule.path("verbs"), VERBS);
        }
        alone(rule, "verbs", "if '*' is present, must not specify other verbs", path, errors);
        if (rule.path("apiGroups").isEmpty()) {
            errors.required(path.child("apiGroups"), "resource rules must supply at least one api group");
        }
        alone(rule, "apiGroups", "if '*' is present, must not specify other api groups", path, errors);
        if (rule.path("resources").isEmpty()) {
            errors.required(path.child("resources"), "resource rules must supply at least one resource");
        }
        alone(rule, "resources", "if '*' is present, must not specify other resources", path, errors);
        List<String> namespaces = Meta.strings(rule.path("namespaces"));
        if (namespaces.isEmpty() && !rule.path("clusterScope").asBoolean(false)) {
            errors.required(
                    path.child("namespaces"),
                    "resource rules that are not cluster scoped must supply at least one namespace");
        }
        alone(rule, "namespaces", "if '*' is present, must not specify other namespaces", path, errors);
        if (!namespaces.contains("*")) {
            for (int i = 0; i < namespaces.size(); i++) {
                String namespace = namespaces.get(i);
                FieldPath at = path.child("namespaces").index(i);
                TextForm.LABEL
                        .problems(namespace)
                        .forEach(problem -> errors.invalid(
                                at, namespace, "each member of this list must be '*' or a DNS-1123 label; " + problem));
            }
        }
    }

    private static void priorityLevel(ObjectNode spec, FieldPath path, FieldErrors errors) {
        boolean isLimited = spec.path("type").asString("").equals("Limited");
        if (isLimited && !spec.path("limited").isObject()) {
            errors.required(path.child("limited"), "must not be empty when type is Limited");
        }
        JsonNode response = spec.path("limited").path("limitResponse");
        if (isLimited
                && response.path("type").asString("").equals("Queue")
                && !response.path("queuing").isObject()) {
            errors.required(
                    path.child("limited").child("limitResponse").child("queuing"),
                    "must not be empty if limited.limitResponse.type is Limited");
        }
        if (isLimited && spec.path("exempt").isObject()) {
            errors.forbidden(path.child("exempt"), "must be nil if the type is Limited");
        }
        if (spec.path("type").asString("").equals("Exempt")) {
            errors.invalid(path.child("type"), "Exempt", "must be 'Exempt' if and only if `name` is 'exempt'");
        }
    }
}
