package io.fairlead.gateway.audit;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a policy; a request matches if it matches each part that is not empty (apiserver {@code
 * pkg/audit/policy/checker.go}).
 *
 * @param users names of authenticated users
 * @param groups of which the user has at least one
 * @param verbs resource verbs, or methods in lower case
 * @param resources of which the request concerns at least one
 * @param namespaces with the empty one for what has none
 * @param paths of requests for no resource: {@code *}, a path, or what it begins with and a {@code *}
 * @param ruling what holds for requests that match
 */
record AuditRule(
        Set<String> users,
        Set<String> groups,
        Set<String> verbs,
        List<Resources> resources,
        Set<String> namespaces,
        List<String> paths,
        Ruling ruling) {
    private static final String ALL = "*";

    AuditRule {
        users = Set.copyOf(users);
        groups = Set.copyOf(groups);
        verbs = Set.copyOf(verbs);
        resources = List.copyOf(resources);
        namespaces = Set.copyOf(namespaces);
        paths = List.copyOf(paths);
    }

    /** Whether it is about a request; of a caller who is not known, only rules without users and groups are. */
    boolean matches(RequestInfo request, @Nullable UserInfo user) {
        return (users.isEmpty() || (user != null && users.contains(user.name())))
                && (groups.isEmpty() || (user != null && hasGroupOf(user)))
                && (verbs.isEmpty() || verbs.contains(request.verb()))
                && matchesTarget(request);
    }

    private boolean hasGroupOf(UserInfo user) {
        for (String group : user.groups()) {
            if (groups.contains(group)) {
                return true;
            }
        }
        return false;
    }

    private boolean matchesTarget(RequestInfo request) {
        if (!namespaces.isEmpty() || !resources.isEmpty()) {
            return request.resourceRequest() && matchesResource(request);
        }
        return paths.isEmpty() || (!request.resourceRequest() && matchesPath(request.path()));
    }

    private boolean matchesResource(RequestInfo request) {
        if (!namespaces.isEmpty() && !namespaces.contains(request.namespace())) {
            return false;
        }
        for (Resources some : resources) {
            if (some.have(request)) {
                return true;
            }
        }
        return resources.isEmpty();
    }

    private boolean matchesPath(String path) {
        for (String pattern : paths) {
            boolean matches = pattern.endsWith(ALL)
                    ? path.startsWith(pattern.substring(0, pattern.length() - ALL.length()))
                    : path.equals(pattern);
            if (matches) {
                return true;
            }
        }
        return false;
    }

    /**
     * Resources of one group, or of all.
     *
     * @param group {@code *} for all; empty for the core group
     * @param patterns {@code *}, {@code pods}, {@code pods/log}, {@code pods/*}, {@code *}{@code /log}; all if there is none
     * @param names of objects; all if there is none
     */
    record Resources(String group, List<String> patterns, Set<String> names) {
        private static final String ANY_SUBRESOURCE = "/*";
        private static final String OF_ANY = "*/";

        Resources {
            patterns = List.copyOf(patterns);
            names = Set.copyOf(names);
        }

        boolean have(RequestInfo request) {
            if (!group.equals(ALL) && !group.equals(request.group())) {
                return false;
            }
            if (patterns.isEmpty()) {
                return true;
            }
            if (!names.isEmpty() && !names.contains(request.name())) {
                return false;
            }
            for (String pattern : patterns) {
                if (matches(pattern, request.resource(), request.subresource())) {
                    return true;
                }
            }
            return false;
        }

        /** Upstream takes {@code pods/*} for {@code pods} itself as well. */
        private static boolean matches(String pattern, String resource, String subresource) {
            if (pattern.equals(ALL)) {
                return true;
            }
            if (pattern.endsWith(ANY_SUBRESOURCE)) {
                int end = pattern.length() - ANY_SUBRESOURCE.length();
                if (resource.length() == end && pattern.startsWith(resource)) {
                    return true;
                }
            }
            if (subresource.isEmpty()) {
                return pattern.equals(resource);
            }
            boolean isOfAny = pattern.startsWith(OF_ANY)
                    && pattern.length() == OF_ANY.length() + subresource.length()
                    && pattern.endsWith(subresource);
            return isOfAny || isBoth(pattern, resource, subresource);
        }

        private static boolean isBoth(String pattern, String resource, String subresource) {
            return pattern.length() == resource.length() + 1 + subresource.length()
                    && pattern.charAt(resource.length()) == '/'
                    && pattern.startsWith(resource)
                    && pattern.endsWith(subresource);
        }
    }
}
