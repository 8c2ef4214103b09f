package io.fairlead.model;

import java.util.List;
import java.util.Map;

/**
 * The user of a request, as Kubernetes' {@code user.Info}.
 *
 * @param name the user name
 * @param uid the uid, empty if none
 * @param groups the groups, in the order of the credential
 * @param extra further attributes, keys in lower case
 */
public record UserInfo(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    /** The group of every caller that was authenticated. */
    public static final String AUTHENTICATED = "system:authenticated";

    /** The group of every anonymous caller. */
    public static final String UNAUTHENTICATED = "system:unauthenticated";

    /** The group that RBAC never refuses. */
    public static final String MASTERS = "system:masters";

    public UserInfo {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    /** A user with only a name and groups. */
    public static UserInfo of(String name, List<String> groups) {
        return new UserInfo(name, "", groups, Map.of());
    }

    /** The characters of all texts together, for limits of what is kept of users. */
    public int textLength() {
        long length = name.length() + (long) uid.length();
        for (String group : groups) {
            length += group.length();
        }
        for (Map.Entry<String, List<String>> entry : extra.entrySet()) {
            length += entry.getKey().length();
            for (String value : entry.getValue()) {
                length += value.length();
            }
        }
        return (int) Math.min(length, Integer.MAX_VALUE / 4);
    }
}
