package io.fairlead.config;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects problems of keys' values, each with its origin. */
final class Findings {
    private final Map<String, Given> given;
    private final List<Problem> problems;
    private final Set<String> refused = new HashSet<>();

    /**
     * No problems yet.
     *
     * @param given the given values, by key
     * @param problems receives the problems
     */
    Findings(Map<String, Given> given, List<Problem> problems) {
        this.given = given;
        this.problems = problems;
    }

    /** A key's value is invalid. */
    void refuse(String path, String message) {
        refused.add(path);
        Given value = given.get(path);
        problems.add(new Problem(where(path), message, value != null && value.isFlag()));
    }

    /** A key's value is well formed, but the named file or address cannot be used. */
    void refuseNamed(String path, String message) {
        problems.add(new Problem(where(path), message, false));
    }

    /** Whether a key's value was refused, so that dependent checks are skipped. */
    boolean isRefused(String path) {
        return refused.contains(path);
    }

    private String where(String path) {
        Given value = given.get(path);
        return value == null ? path : value.where();
    }
}
