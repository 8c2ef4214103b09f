package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.SelectorRules;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.NameRule;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Roles and ClusterRoles (kubernetes {@code apis/rbac/validation}). */
record RoleRules(boolean clusterWide) implements KindRules {
    @Override
    public NameRule nameRule() {
        return NameRule.PATH_SEGMENT;
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return true;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean qualifiesFinalizers() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    @Override
    public void prepareForCreate(ObjectNode role) {
        emptyRulesAreNone(role);
    }

    @Override
    public void prepareForUpdate(ObjectNode role, ObjectNode old) {
        emptyRulesAreNone(role);
    }

    /** As kube-apiserver reads them, which stores protobuf. */
    private static void emptyRulesAreNone(ObjectNode role) {
        if (role.path("rules").isEmpty()) {
            role.putNull("rules");
        }
    }

    @Override
    public List<Status.Cause> validateCreate(ObjectNode role) {
        FieldErrors errors = new FieldErrors();
        int index = 0;
        for (JsonNode rule : role.path("rules").values()) {
            check(rule, FieldPath.of("rules").index(index++), errors);
        }
        if (clusterWide && role.path("aggregationRule").isObject()) {
            checkSelectors(role.path("aggregationRule").path("clusterRoleSelectors"), errors);
        }
        return Causes.of(errors);
    }

    private static void checkSelectors(JsonNode selectors, FieldErrors errors) {
        FieldPath path = FieldPath.of("aggregationRule", "clusterRoleSelectors");
        if (selectors.isEmpty()) {
            errors.required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
        int index = 0;
        for (JsonNode selector : selectors.values()) {
            FieldPath at = path.index(index++);
            FieldErrors problems = new FieldErrors();
            SelectorRules.labelSelector(selector, at, problems);
            if (!problems.isEmpty()) {
                problems.invalid(at, Json.nodes().nullNode(), "invalid label selector.");
            }
            errors.addAll(problems);
        }
    }

    @Override
    public List<Status.Cause> validateUpdate(ObjectNode role, ObjectNode old) {
        return validateCreate(role);
    }

    private void check(JsonNode rule, FieldPath path, FieldErrors errors) {
        if (rule.path("verbs").isEmpty()) {
            errors.required(path.child("verbs"), "verbs must contain at least one value");
        }
        JsonNode urls = rule.path("nonResourceURLs");
        if (urls.isEmpty()) {
            checkResources(rule, path, errors);
            return;
        }
        if (!clusterWide) {
            errors.invalid(path.child("nonResourceURLs"), urls, "namespaced rules cannot apply to non-resource URLs");
        }
        if (!rule.path("apiGroups").isEmpty()
                || !rule.path("resources").isEmpty()
                || !rule.path("resourceNames").isEmpty()) {
            errors.invalid(
                    path.child("nonResourceURLs"),
                    urls,
                    "rules cannot apply to both regular resources and non-resource URLs");
        }
    }

    private static void checkResources(JsonNode rule, FieldPath path, FieldErrors errors) {
        if (rule.path("apiGroups").isEmpty()) {
            errors.required(path.child("apiGroups"), "resource rules must supply at least one api group");
        }
        if (rule.path("resources").isEmpty()) {
            errors.required(path.child("resources"), "resource rules must supply at least one resource");
        }
    }
}
