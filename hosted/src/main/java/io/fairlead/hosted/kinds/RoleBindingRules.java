package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.NameRule;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** RoleBindings and ClusterRoleBindings (kubernetes {@code apis/rbac/validation}). */
record RoleBindingRules(boolean clusterWide) implements KindRules {
    private static final String GROUP = "rbac.authorization.k8s.io";

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
    public List<Status.Cause> validateCreate(ObjectNode binding) {
        FieldErrors errors = new FieldErrors();
        check(binding, errors);
        return Causes.of(errors);
    }

    @Override
    public List<Status.Cause> validateUpdate(ObjectNode binding, ObjectNode old) {
        FieldErrors errors = new FieldErrors();
        check(binding, errors);
        if (!binding.path("roleRef").equals(old.path("roleRef"))) {
            errors.invalid(FieldPath.of("roleRef"), inGo(binding.path("roleRef")), "cannot change roleRef");
        }
        return Causes.of(errors);
    }

    @Override
    public void complete(ObjectNode binding) {
        if (binding.get("roleRef") instanceof ObjectNode role
                && text(role, "apiGroup").isEmpty()) {
            role.put("apiGroup", GROUP);
        }
        for (JsonNode subject : binding.path("subjects").values()) {
            boolean person = text(subject, "kind").equals("User")
                    || text(subject, "kind").equals("Group");
            if (person && text(subject, "apiGroup").isEmpty() && subject instanceof ObjectNode object) {
                object.put("apiGroup", GROUP);
            }
        }
    }

    private void check(ObjectNode binding, FieldErrors errors) {
        JsonNode role = binding.path("roleRef");
        FieldPath path = FieldPath.of("roleRef");
        if (!text(role, "apiGroup").equals(GROUP)) {
            errors.notSupported(path.child("apiGroup"), text(role, "apiGroup"), List.of(GROUP));
        }
        List<String> kinds = clusterWide ? List.of("ClusterRole") : List.of("Role", "ClusterRole");
        if (!kinds.contains(text(role, "kind"))) {
            errors.notSupported(path.child("kind"), text(role, "kind"), kinds);
        }
        if (text(role, "name").isEmpty()) {
            errors.required(path.child("name"), "");
        } else {
            errors.invalid(
                    path.child("name"), text(role, "name"), NameRule.PATH_SEGMENT.problems(text(role, "name"), false));
        }
        int index = 0;
        for (JsonNode subject : binding.path("subjects").values()) {
            checkSubject(subject, FieldPath.of("subjects").index(index++), errors);
        }
    }

    private void checkSubject(JsonNode subject, FieldPath path, FieldErrors errors) {
        if (text(subject, "name").isEmpty()) {
            errors.required(path.child("name"), "");
        }
        switch (text(subject, "kind")) {
            case "ServiceAccount" -> {
                String name = text(subject, "name");
                if (!name.isEmpty()) {
                    errors.invalid(path.child("name"), name, NameRule.DNS_SUBDOMAIN.problems(name, false));
                }
                if (!text(subject, "apiGroup").isEmpty()) {
                    errors.notSupported(path.child("apiGroup"), text(subject, "apiGroup"), List.of(""));
                }
                if (clusterWide && text(subject, "namespace").isEmpty()) {
                    errors.required(path.child("namespace"), "");
                }
            }
            case "User", "Group" -> {
                if (!text(subject, "apiGroup").equals(GROUP)) {
                    errors.notSupported(path.child("apiGroup"), text(subject, "apiGroup"), List.of(GROUP));
                }
            }
            default ->
                errors.notSupported(
                        path.child("kind"), text(subject, "kind"), List.of("ServiceAccount", "User", "Group"));
        }
    }

    /** As upstream prints the internal type, whose fields have no JSON names. */
    private static JsonNode inGo(JsonNode role) {
        return Json.object()
                .put("APIGroup", text(role, "apiGroup"))
                .put("Kind", text(role, "kind"))
                .put("Name", text(role, "name"));
    }

    private static String text(JsonNode object, String member) {
        return object.path(member).asString("");
    }
}
