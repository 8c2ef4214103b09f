package io.fairlead.config;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is wrong with the values of keys, each named by where it came from. */
final class Findings {
    private final Map<String, Given> given;
    private final List<Problem> problems;
    private final Set<String> refused = new HashSet<>();

    /**
     * Nothing found yet.
     *
     * @param given the values that somebody gave, by key
     * @param problems takes what is found
     */
    Findings(Map<String, Given> given, List<Problem> problems) {
        this.given = given;
        this.problems = problems;
    }

    /** A key's value is not one that it can have. */
    void refuse(String path, String message) {
        refused.add(path);
        Given value = given.get(path);
        problems.add(new Problem(where(path), message, value != null && value.isFlag()));
    }

    /** A key's value is well formed, but what it names cannot be used. */
    void refuseNamed(String path, String message) {
        problems.add(new Problem(where(path), message, false));
    }

    /** Whether a key's value was refused; what depends on it cannot be judged. */
    boolean isRefused(String path) {
        return refused.contains(path);
    }

    private String where(String path) {
        Given value = given.get(path);
        return value == null ? path : value.where();
    }
}
