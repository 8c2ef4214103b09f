package io.fairlead.config;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A problem of the configuration.
 *
 * @param where the file with line and column, the flag or the variable
 * @param message the problem and what was expected
 * @param isWrongUsage whether it is on the command line, rather than in a file or the environment
 */
public record Problem(String where, String message, boolean isWrongUsage) {
    private static final Pattern PLACE = Pattern.compile(".*:(\\d{1,9}):(\\d{1,9})");

    /** Those of a file by position; flags and variables, which have no lines, come first. */
    static final Comparator<Problem> BY_LINE = Comparator.comparingInt((Problem problem) -> problem.place(1))
            .thenComparingInt(problem -> problem.place(2));

    Problem(String where, String message) {
        this(where, message, false);
    }

    private int place(int group) {
        Matcher place = PLACE.matcher(where);
        return place.matches() ? Integer.parseInt(place.group(group)) : 0;
    }

    @Override
    public String toString() {
        return where + ": " + message;
    }
}
