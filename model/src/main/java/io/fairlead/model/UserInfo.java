package io.fairlead.model;

import java.util.Collections;
import java.util.HashMap;
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

    /** What a text takes beside its characters, which may be of two bytes. */
    private static final int TEXT_BYTES = 56;

    /** The group that RBAC never refuses. */
    public static final String MASTERS = "system:masters";

    public UserInfo {
        groups = List.copyOf(groups);
        Map<String, List<String>> copy = HashMap.newHashMap(extra.size());
        extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
        extra = Collections.unmodifiableMap(copy); // Map.copyOf is slow where keys hash alike.
    }

    /** A user with only a name and groups. */
    public static UserInfo of(String name, List<String> groups) {
        return new UserInfo(name, "", groups, Map.of());
    }

    /** About how many bytes of memory all texts take together, for limits of what is kept of users. */
    public int bytes() {
        long bytes = bytes(name) + bytes(uid);
        for (String group : groups) {
            bytes += bytes(group);
        }
        for (Map.Entry<String, List<String>> entry : extra.entrySet()) {
            bytes += bytes(entry.getKey());
            for (String value : entry.getValue()) {
                bytes += bytes(value);
            }
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE / 4);
    }

    private static long bytes(String text) {
        return TEXT_BYTES + 2L * text.length();
    }
}
