package io.fairlead.schema.meta;

import java.util.ArrayList;
import java.util.List;

/** What the names of a kind's objects may be. */
@FunctionalInterface
public interface NameRule {
    /** Dot-separated lower-case labels, 253 characters in all: most kinds, all custom resources. */
    NameRule DNS_SUBDOMAIN = (name, prefix) -> Names.dns1123Subdomain(prefix ? maskTrailingDash(name) : name);

    /** One lower-case label of at most 63 characters: namespaces. */
    NameRule DNS_LABEL = (name, prefix) -> Names.dns1123Label(prefix ? maskTrailingDash(name) : name);

    /** A label that begins with a letter: services. */
    NameRule DNS_1035_LABEL = (name, prefix) -> Names.dns1035Label(prefix ? maskTrailingDash(name) : name);

    /** Anything that can be one segment of a URL's path: RBAC kinds. */
    NameRule PATH_SEGMENT = NameRule::pathSegment;

    /**
     * What is wrong with a name; empty if nothing.
     *
     * @param prefix whether more will be appended to it ({@code generateName})
     */
    List<String> problems(String name, boolean prefix);

    private static List<String> pathSegment(String name, boolean prefix) {
        if (!prefix && (name.equals(".") || name.equals(".."))) {
            return List.of("may not be '" + name + "'");
        }
        List<String> problems = new ArrayList<>();
        for (String illegal : List.of("/", "%")) {
            if (name.contains(illegal)) {
                problems.add("may not contain '" + illegal + "'");
            }
        }
        return problems;
    }

    /** A prefix may end with a dash, since something follows. */
    private static String maskTrailingDash(String name) {
        return name.length() > 1 && name.endsWith("-") ? name.substring(0, name.length() - 2) + "a" : name;
    }
}
