package io.fairlead.gateway.impersonate;

import io.fairlead.model.UserInfo;
import io.fairlead.schema.meta.NameRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A way of constrained impersonation (KEP-5284): whom a caller may be depends on what is done as them. Each kind of user has one of
 * them. A node's agent that is its own node ({@code associated-node}) is not among them: it talks to its API server itself.
 */
enum ConstrainedMode {
    ARBITRARY_NODE("arbitrary-node"),
    SERVICE_ACCOUNT("serviceaccount"),
    USER_INFO("user-info");

    private static final String NODE_PREFIX = "system:node:";
    private static final List<String> NODES = List.of("system:nodes");
    /** A domain, a slash and a path, in lower case (apimachinery {@code IsDomainPrefixedPath}). */
    private static final Pattern EXTRA_KEY = Pattern.compile(
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[a-z0-9/\\-._~%!$&'()*+,;=:]+");

    private final String word;

    ConstrainedMode(String word) {
        this.word = word;
    }

    /** Its name in verbs. */
    String word() {
        return word;
    }

    /**
     * That of a user; empty if none may be who is wanted: nodes and ServiceAccounts are named and nothing else, and no caller
     * becomes a member of {@code system:masters}.
     */
    static Optional<ConstrainedMode> of(UserInfo wanted) {
        boolean isNode = isNode(wanted.name());
        if (isNode || ServiceAccountName.of(wanted.name()) != null) {
            boolean isOnlyNamed = wanted.uid().isEmpty()
                    && wanted.groups().isEmpty()
                    && wanted.extra().isEmpty();
            return isOnlyNamed ? Optional.of(isNode ? ARBITRARY_NODE : SERVICE_ACCOUNT) : Optional.empty();
        }
        boolean isAllowed = !wanted.groups().contains(UserInfo.MASTERS)
                && !wanted.groups().contains("")
                && wanted.extra().entrySet().stream().allMatch(ConstrainedMode::isExtra);
        return isAllowed ? Optional.of(USER_INFO) : Optional.empty();
    }

    /** The user as it acts then: a node has the group of nodes. */
    UserInfo acting(UserInfo wanted) {
        return this == ARBITRARY_NODE ? new UserInfo(wanted.name(), "", NODES, Map.of()) : wanted;
    }

    /** The node's name in that of its user. */
    static String node(String user) {
        return user.substring(NODE_PREFIX.length());
    }

    private static boolean isNode(String user) {
        return user.startsWith(NODE_PREFIX)
                && NameRule.DNS_SUBDOMAIN.problems(node(user), false).isEmpty();
    }

    private static boolean isExtra(Map.Entry<String, List<String>> extra) {
        return EXTRA_KEY.matcher(extra.getKey()).matches()
                && !extra.getValue().isEmpty()
                && !extra.getValue().contains("");
    }
}
