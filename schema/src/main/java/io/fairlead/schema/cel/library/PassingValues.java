package io.fairlead.schema.cel.library;

import java.util.Collection;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * What all requirements of a selector about one label let pass together: some values, or all but some, and maybe its absence. Each
 * set of these has one form, since no requirement can name all values.
 */
final class PassingValues {
    private final String key;
    private boolean mayBeAbsent = true;
    /** Whether the values are those that pass; else those that do not. */
    private boolean listed;

    private TreeSet<String> values = new TreeSet<>();

    /** All values, and absence. */
    PassingValues(String key) {
        this.key = key;
    }

    /** Keeps only these values. Takes time for these, not for those before, as there may be many requirements. */
    void in(Collection<String> some) {
        TreeSet<String> kept = new TreeSet<>();
        for (String value : some) {
            if (values.contains(value) == listed) {
                kept.add(value);
            }
        }
        values = kept;
        listed = true;
        mayBeAbsent = false;
    }

    /** Keeps all but these values. */
    void notIn(Collection<String> some) {
        if (listed) {
            some.forEach(values::remove);
        } else {
            values.addAll(some);
        }
    }

    /** Keeps no absence. */
    void exists() {
        mayBeAbsent = false;
    }

    /** Keeps nothing but absence. */
    void doesNotExist() {
        values = new TreeSet<>();
        listed = true;
    }

    boolean isNothing() {
        return listed && values.isEmpty() && !mayBeAbsent;
    }

    /** As {@code labels.Parse} reads it. Keys and values have none of the characters between them. */
    @Override
    public String toString() {
        if (listed) {
            return mayBeAbsent ? "!" + key : key + compared("=", " in ");
        }
        if (mayBeAbsent) {
            return key + compared("!=", " notin ");
        }
        return values.isEmpty() ? key : key + "," + key + compared("!=", " notin ");
    }

    private String compared(String one, String several) {
        if (values.size() == 1) {
            return one + values.getFirst();
        }
        StringJoiner joined = new StringJoiner(",", several + "(", ")");
        values.forEach(joined::add);
        return joined.toString();
    }
}
