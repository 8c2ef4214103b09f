package io.fairlead.hosted.rbac;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The RBAC of a cluster at one moment: which rules apply to which user, and what they allow.
 *
 * <p>The rules are those of Kubernetes' RBAC authorizer ({@code plugin/pkg/auth/authorizer/rbac}): all bindings add up,
 * ClusterRoleBindings everywhere, RoleBindings in their namespace; a binding whose role does not exist grants nothing.
 * Immutable, for any thread.
 */
public final class Policy {
    static final Policy EMPTY = new Policy(Map.of(), Map.of(), List.of(), Map.of());

    private final Map<String, List<PolicyRule>> clusterRoles;
    /** By namespace and name, joined by a slash. */
    private final Map<String, List<PolicyRule>> roles;

    private final List<RoleBinding> clusterRoleBindings;
    /** By namespace. */
    private final Map<String, List<RoleBinding>> roleBindings;

    Policy(
            Map<String, List<PolicyRule>> clusterRoles,
            Map<String, List<PolicyRule>> roles,
            List<RoleBinding> clusterRoleBindings,
            Map<String, List<RoleBinding>> roleBindings) {
        this.clusterRoles = clusterRoles;
        this.roles = roles;
        this.clusterRoleBindings = clusterRoleBindings;
        this.roleBindings = roleBindings;
    }

    /** Decides a request of a user. */
    public Verdict decide(UserInfo user, RequestInfo request) {
        if (user.groups().contains(UserInfo.MASTERS)) {
            return new Verdict.Allowed("");
        }
        Decider decider = new Decider(request);
        visit(user, request.namespace(), decider);
        return decider.verdict();
    }

    /** All rules that apply to a user in a namespace; with an empty namespace, those that apply everywhere. */
    public List<PolicyRule> rulesFor(UserInfo user, String namespace) {
        return grantsFor(user, namespace).rules();
    }

    Grants grantsFor(UserInfo user, String namespace) {
        Collector collector = new Collector();
        visit(user, namespace, collector);
        return new Grants(collector.rules, List.copyOf(collector.missing));
    }

    /** The rules of the role that a binding in the namespace refers to, or null if there is no such role. */
    @Nullable
    List<PolicyRule> rulesOf(RoleBinding.RoleRef role, String namespace) {
        return switch (role.kind()) {
            case "ClusterRole" -> clusterRoles.get(role.name());
            case "Role" -> roles.get(namespace + "/" + role.name());
            default -> null;
        };
    }

    private void visit(UserInfo user, String namespace, Visitor visitor) {
        if (visitBindings(user, clusterRoleBindings, visitor) && !namespace.isEmpty()) {
            visitBindings(user, roleBindings.getOrDefault(namespace, List.of()), visitor);
        }
    }

    /** Returns whether to continue. */
    private boolean visitBindings(UserInfo user, List<RoleBinding> bindings, Visitor visitor) {
        for (RoleBinding binding : bindings) {
            RoleBinding.Subject subject = binding.subjectFor(user);
            if (subject != null && !visitBinding(binding, subject, visitor)) {
                return false;
            }
        }
        return true;
    }

    private boolean visitBinding(RoleBinding binding, RoleBinding.Subject subject, Visitor visitor) {
        List<PolicyRule> rules = rulesOf(binding.role(), binding.namespace());
        if (rules == null) {
            visitor.missing(binding.role());
            return true;
        }
        for (PolicyRule rule : rules) {
            if (!visitor.rule(binding, subject, rule)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The rules of a user.
     *
     * @param rules the rules
     * @param missing a text for each role that a binding names and that does not exist
     */
    record Grants(List<PolicyRule> rules, List<String> missing) {}

    private interface Visitor {
        /** Returns whether to continue. */
        boolean rule(RoleBinding binding, RoleBinding.Subject subject, PolicyRule rule);

        void missing(RoleBinding.RoleRef role);
    }

    private static final class Decider implements Visitor {
        private final RequestInfo request;
        private final Set<String> missing = new LinkedHashSet<>();
        private @Nullable String allowedBy;

        Decider(RequestInfo request) {
            this.request = request;
        }

        @Override
        public boolean rule(RoleBinding binding, RoleBinding.Subject subject, PolicyRule rule) {
            if (rule.allows(request)) {
                allowedBy = binding.describe(subject);
                return false;
            }
            return true;
        }

        @Override
        public void missing(RoleBinding.RoleRef role) {
            missing.add(missingText(role));
        }

        Verdict verdict() {
            if (allowedBy != null) {
                return new Verdict.Allowed("RBAC: allowed by " + allowedBy);
            }
            return new Verdict.NoOpinion(missing.isEmpty() ? "" : "RBAC: " + aggregate(missing));
        }
    }

    private static final class Collector implements Visitor {
        final List<PolicyRule> rules = new ArrayList<>();
        final Set<String> missing = new LinkedHashSet<>();

        @Override
        public boolean rule(RoleBinding binding, RoleBinding.Subject subject, PolicyRule rule) {
            return rules.add(rule);
        }

        @Override
        public void missing(RoleBinding.RoleRef role) {
            missing.add(missingText(role));
        }
    }

    private static String missingText(RoleBinding.RoleRef role) {
        return switch (role.kind()) {
            case "ClusterRole" -> "clusterrole.rbac.authorization.k8s.io \"" + role.name() + "\" not found";
            case "Role" -> "role.rbac.authorization.k8s.io \"" + role.name() + "\" not found";
            default -> "unsupported role reference kind: \"" + role.kind() + "\"";
        };
    }

    static String nameOf(JsonNode object) {
        return object.path("metadata").path("name").asString("");
    }

    /** Several errors as Kubernetes prints them: a single one bare, more in brackets. */
    static String aggregate(Collection<String> errors) {
        String joined = String.join(", ", errors);
        return errors.size() == 1 ? joined : "[" + joined + "]";
    }
}
