package io.fairlead.hosted.rbac;

import io.fairlead.hosted.ObjectReader;
import io.fairlead.model.GroupResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The policy of one cluster, compiled from its RBAC objects and compiled again when they have changed.
 *
 * <p>The revisions of the four resources are compared at each call, so a change takes effect with the first decision
 * after the reader includes it. Unchanged parts are reused. Threads: any; one of them compiles a change.
 */
public final class PolicyCache {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final GroupResource CLUSTER_ROLES = new GroupResource(GROUP, "clusterroles");
    private static final GroupResource ROLES = new GroupResource(GROUP, "roles");
    private static final GroupResource CLUSTER_ROLE_BINDINGS = new GroupResource(GROUP, "clusterrolebindings");
    private static final GroupResource ROLE_BINDINGS = new GroupResource(GROUP, "rolebindings");

    private final ObjectReader objects;
    private volatile Compiled compiled = Compiled.NOTHING;

    public PolicyCache(ObjectReader objects) {
        this.objects = objects;
    }

    /**
     * Decides a request of a user. Members of {@code system:masters} may do everything whatever is stored.
     *
     * @throws StatusException as {@link #policy} does
     */
    public Verdict decide(UserInfo user, RequestInfo request) {
        Policy policy = user.groups().contains(UserInfo.MASTERS) ? Policy.EMPTY : policy();
        return policy.decide(user, request);
    }

    /** Equal as long as the policy is; null while it is not known. Compiles nothing. */
    public @Nullable Object state() {
        try {
            return revisions();
        } catch (StatusException unknown) {
            return null;
        }
    }

    /**
     * The current policy.
     *
     * @throws StatusException with 503 while it is unknown
     */
    public Policy policy() {
        Revisions now = revisions();
        Compiled current = compiled;
        return now.equals(current.revisions) ? current.policy : compile(now);
    }

    private synchronized Policy compile(Revisions now) {
        if (!now.equals(compiled.revisions)) {
            compiled = compiled.at(now, objects);
        }
        return compiled.policy;
    }

    private Revisions revisions() {
        return new Revisions(
                objects.revision(CLUSTER_ROLES),
                objects.revision(ROLES),
                objects.revision(CLUSTER_ROLE_BINDINGS),
                objects.revision(ROLE_BINDINGS));
    }

    private record Revisions(long clusterRoles, long roles, long clusterRoleBindings, long roleBindings) {}

    /**
     * The compiled objects at some revisions. The objects may be newer than the recorded revision, which only causes
     * another compilation.
     */
    private record Compiled(
            Revisions revisions,
            Map<String, List<PolicyRule>> clusterRoles,
            Map<String, List<PolicyRule>> roles,
            List<RoleBinding> clusterRoleBindings,
            Map<String, List<RoleBinding>> roleBindings,
            Policy policy) {
        static final Compiled NOTHING =
                new Compiled(new Revisions(-1, -1, -1, -1), Map.of(), Map.of(), List.of(), Map.of(), Policy.EMPTY);

        Compiled at(Revisions now, ObjectReader objects) {
            var clusterRolesNow = now.clusterRoles == revisions.clusterRoles ? clusterRoles : readClusterRoles(objects);
            var rolesNow = now.roles == revisions.roles ? roles : readRoles(objects);
            var clusterBindingsNow = now.clusterRoleBindings == revisions.clusterRoleBindings
                    ? clusterRoleBindings
                    : readClusterRoleBindings(objects);
            var bindingsNow = now.roleBindings == revisions.roleBindings ? roleBindings : readRoleBindings(objects);
            Policy policy = new Policy(clusterRolesNow, rolesNow, clusterBindingsNow, bindingsNow);
            return new Compiled(now, clusterRolesNow, rolesNow, clusterBindingsNow, bindingsNow, policy);
        }

        /** Aggregated roles have rules of others, each of which is compiled once. */
        private static Map<String, List<PolicyRule>> readClusterRoles(ObjectReader objects) {
            Map<String, List<PolicyRule>> rules = new HashMap<>();
            IdentityHashMap<JsonNode, PolicyRule> known = new IdentityHashMap<>();
            for (ObjectNode role : Aggregation.settled(objects.list(CLUSTER_ROLES, ""))) {
                rules.put(
                        Policy.nameOf(role),
                        BasePolicy.rules(role.path("rules"))
                                .orElseGet(() -> role.path("rules")
                                        .valueStream()
                                        .map(rule -> known.computeIfAbsent(rule, PolicyRule::of))
                                        .toList()));
            }
            return rules;
        }

        private static Map<String, List<PolicyRule>> readRoles(ObjectReader objects) {
            Map<String, List<PolicyRule>> rules = new HashMap<>();
            for (ObjectNode role : objects.list(ROLES, "")) {
                String namespace = role.path("metadata").path("namespace").asString("");
                rules.put(namespace + "/" + Policy.nameOf(role), PolicyRule.listOf(role.path("rules")));
            }
            return rules;
        }

        private static List<RoleBinding> readClusterRoleBindings(ObjectReader objects) {
            return objects.list(CLUSTER_ROLE_BINDINGS, "").stream()
                    .map(RoleBinding::of)
                    .toList();
        }

        private static Map<String, List<RoleBinding>> readRoleBindings(ObjectReader objects) {
            Map<String, List<RoleBinding>> byNamespace = new HashMap<>();
            for (ObjectNode object : objects.list(ROLE_BINDINGS, "")) {
                RoleBinding binding = RoleBinding.of(object);
                byNamespace
                        .computeIfAbsent(binding.namespace(), ignored -> new ArrayList<>())
                        .add(binding);
            }
            return byNamespace;
        }
    }
}
