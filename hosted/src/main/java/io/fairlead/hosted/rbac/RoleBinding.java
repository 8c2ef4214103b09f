package io.fairlead.hosted.rbac;

import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A RoleBinding, or a ClusterRoleBinding if its namespace is empty.
 *
 * @param namespace where it grants, empty for everywhere
 * @param name its name
 * @param role what it grants
 * @param subjects to whom
 */
record RoleBinding(String namespace, String name, RoleRef role, List<Subject> subjects) {
    RoleBinding {
        subjects = List.copyOf(subjects);
    }

    static RoleBinding of(JsonNode binding) {
        JsonNode metadata = binding.path("metadata");
        List<Subject> subjects = new ArrayList<>();
        for (JsonNode subject : binding.path("subjects")) {
            subjects.add(Subject.of(subject));
        }
        return new RoleBinding(
                metadata.path("namespace").asString(""),
                metadata.path("name").asString(""),
                RoleRef.of(binding.path("roleRef")),
                subjects);
    }

    /** The first of its subjects that is the user, or null if none is. */
    @Nullable
    Subject subjectFor(UserInfo user) {
        for (Subject subject : subjects) {
            if (subject.matches(user, namespace)) {
                return subject;
            }
        }
        return null;
    }

    /** How Kubernetes names the source of a right (registry/rbac {@code validation/rule.go}). */
    String describe(Subject subject) {
        String self = namespace.isEmpty()
                ? "ClusterRoleBinding \"" + name + "\""
                : "RoleBinding \"" + name + "/" + namespace + "\"";
        return self + " of " + role.kind() + " \"" + role.name() + "\" to " + subject.describe(namespace);
    }

    /**
     * What a binding grants.
     *
     * @param apiGroup the group of the role
     * @param kind {@code Role} or {@code ClusterRole}
     * @param name the role's name
     */
    record RoleRef(String apiGroup, String kind, String name) {
        static RoleRef of(JsonNode ref) {
            return new RoleRef(
                    ref.path("apiGroup").asString(""),
                    ref.path("kind").asString(""),
                    ref.path("name").asString(""));
        }
    }

    /**
     * To whom a binding grants.
     *
     * @param kind {@code User}, {@code Group} or {@code ServiceAccount}
     * @param namespace a service account's namespace; empty for the binding's own
     * @param name the name
     */
    record Subject(String kind, String namespace, String name) {
        static Subject of(JsonNode subject) {
            return new Subject(
                    subject.path("kind").asString(""),
                    subject.path("namespace").asString(""),
                    subject.path("name").asString(""));
        }

        boolean matches(UserInfo user, String bindingNamespace) {
            return switch (kind) {
                case "User" -> user.name().equals(name);
                case "Group" -> user.groups().contains(name);
                case "ServiceAccount" -> isServiceAccount(user, namespaceWithin(bindingNamespace));
                default -> false;
            };
        }

        private boolean isServiceAccount(UserInfo user, String accountNamespace) {
            return !accountNamespace.isEmpty()
                    && user.name().equals("system:serviceaccount:" + accountNamespace + ":" + name);
        }

        private String namespaceWithin(String bindingNamespace) {
            return namespace.isEmpty() ? bindingNamespace : namespace;
        }

        String describe(String bindingNamespace) {
            return kind.equals("ServiceAccount")
                    ? kind + " \"" + name + "/" + namespaceWithin(bindingNamespace) + "\""
                    : kind + " \"" + name + "\"";
        }
    }
}
