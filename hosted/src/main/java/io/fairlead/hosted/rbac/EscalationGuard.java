package io.fairlead.hosted.rbac;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps writers of RBAC objects from granting rights that they do not hold (registry/rbac {@code policybased}).
 *
 * <p>A writer needs the rules of a role in the role's scope, or the verb {@code escalate} on it; and the rules that a
 * binding grants, or the verb {@code bind} on the role. {@code system:masters} may do everything; writes that change
 * only the fields of garbage collection are allowed.
 */
public final class EscalationGuard implements AdmissionHook {
    private static final String RBAC_GROUP = "rbac.authorization.k8s.io";
    private static final List<PolicyRule> FULL_AUTHORITY = List.of(
            new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
            new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

    private final Supplier<Policy> policies;

    /** Reads the policy at each write. */
    public EscalationGuard(Supplier<Policy> policies) {
        this.policies = policies;
    }

    @Override
    public void admit(Review review) {
        ObjectNode object = review.object();
        if (!review.type().group().equals(RBAC_GROUP)
                || object == null
                || review.user().groups().contains(UserInfo.MASTERS)
                || changesOnlyGarbageCollection(object, review.old())) {
            return;
        }
        switch (review.type().plural()) {
            case "roles", "clusterroles" -> checkRole(review, object);
            case "rolebindings", "clusterrolebindings" -> checkBinding(review, object);
            default -> {}
        }
    }

    private void checkRole(Review review, ObjectNode role) {
        Policy policy = policies.get();
        String addressedName = review.operation() == Operation.CREATE ? "" : review.name();
        if (may(policy, review, "escalate", review.type().plural(), addressedName)) {
            return;
        }
        requireHeld(policy, review, PolicyRule.listOf(role.path("rules")));
        if ((aggregates(role) || aggregates(review.old()))
                && !missing(review, policy.rulesFor(review.user(), review.namespace()), FULL_AUTHORITY)
                        .rules()
                        .isEmpty()) {
            throw forbidden(review, "must have cluster-admin privileges to use the aggregationRule");
        }
    }

    private void checkBinding(Review review, ObjectNode binding) {
        Policy policy = policies.get();
        RoleBinding.RoleRef role = RoleBinding.RoleRef.of(binding.path("roleRef"));
        String resource = role.kind().equals("Role") ? "roles" : "clusterroles";
        if (may(policy, review, "bind", resource, role.name())) {
            return;
        }
        List<PolicyRule> rules = policy.rulesOf(role, review.namespace());
        if (rules == null) {
            throw new StatusException(Status.notFound(review.type().groupResource(), role.name()));
        }
        requireHeld(policy, review, rules);
    }

    private static boolean may(Policy policy, Review review, String verb, String resource, String name) {
        RequestInfo asked =
                new RequestInfo(true, "", verb, "apis", RBAC_GROUP, "*", review.namespace(), resource, "", name, "");
        return policy.decide(review.user(), asked) instanceof Verdict.Allowed;
    }

    private static void requireHeld(Policy policy, Review review, List<PolicyRule> granted) {
        Policy.Grants held = policy.grantsFor(review.user(), review.namespace());
        Coverage.Missing missing = missing(review, held.rules(), granted);
        if (!missing.rules().isEmpty()) {
            throw forbidden(review, refusal(review.user(), missing, held.missing()));
        }
    }

    private static String refusal(UserInfo user, Coverage.Missing missing, List<String> resolutionErrors) {
        TreeSet<String> lines = new TreeSet<>();
        joinVerbs(missing.rules()).forEach(rule -> lines.add(rule.describe()));
        String message = "user \"" + user.name() + "\" (groups=" + PolicyRule.quoted(user.groups())
                + ") is attempting to grant RBAC permissions not currently held:\n" + String.join("\n", lines)
                + (missing.isCut() ? "\nand others" : "");
        return resolutionErrors.isEmpty()
                ? message
                : message + "; resolution errors: [" + Policy.aggregate(resolutionErrors) + "]";
    }

    private static Coverage.Missing missing(Review review, List<PolicyRule> held, List<PolicyRule> granted) {
        try {
            return Coverage.missing(held, granted);
        } catch (Coverage.TooManyException e) {
            throw forbidden(
                    review,
                    "its rules are too many combinations of verbs, API groups, resources and names to compare with"
                            + " those of user \""
                            + review.user().name() + "\" (expected fewer, in several roles)");
        }
    }

    /** Merges rules that differ only in the verb. */
    private static Iterable<PolicyRule> joinVerbs(List<PolicyRule> singles) {
        Map<PolicyRule, PolicyRule> joined = new LinkedHashMap<>();
        for (PolicyRule single : singles) {
            PolicyRule key = single.nonResourceUrls().isEmpty() ? single.withVerbs(List.of()) : single;
            joined.merge(key, single, EscalationGuard::withVerbsOf);
        }
        return joined.values();
    }

    private static PolicyRule withVerbsOf(PolicyRule first, PolicyRule second) {
        List<String> verbs = new ArrayList<>(first.verbs());
        verbs.addAll(second.verbs());
        return first.withVerbs(verbs);
    }

    private static boolean aggregates(@Nullable JsonNode role) {
        return role != null
                && !role.path("aggregationRule").path("clusterRoleSelectors").isEmpty();
    }

    private static boolean changesOnlyGarbageCollection(ObjectNode object, @Nullable ObjectNode old) {
        return old != null && withoutGarbageCollection(object).equals(withoutGarbageCollection(old));
    }

    private static ObjectNode withoutGarbageCollection(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("ownerReferences", "finalizers", "selfLink", "managedFields"));
        }
        return copy;
    }

    private static StatusException forbidden(Review review, String why) {
        return new StatusException(Status.forbidden(review.type().groupResource(), review.name(), why));
    }
}
