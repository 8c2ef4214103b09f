package io.fairlead.schema.compare;

import java.util.regex.Pattern;

/**
 * Where two schemas stand, as far as it bears on what their differences mean.
 *
 * @param path of the values in objects
 * @param role what the values are there
 * @param isRuled whether a CEL rule that stays looks at the values, here or from above
 * @param keptBefore whether a list around them keeps undeclared members, in the old schema
 * @param keptAfter the same in the new one
 * @param givenBefore whether every valid object has the value as it was written, in the old schema
 * @param givenAfter the same in the new one
 */
record Place(
        String path,
        Role role,
        boolean isRuled,
        boolean keptBefore,
        boolean keptAfter,
        boolean givenBefore,
        boolean givenAfter) {
    private static final int STEP_LENGTH_MAX = 100;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$-]*");

    static final Place ROOT = new Place("", Role.ROOT, false, false, false, true, true);

    /** What values of a schema are to what they are in. */
    enum Role {
        ROOT,
        /** Declared members: a missing one is filled in with its default, a null that is not allowed is dropped. */
        MEMBER,
        /** Undeclared members that have a schema. */
        OTHER_MEMBER,
        ELEMENT
    }

    Place ruled(boolean isRuledHere) {
        return new Place(path, role, isRuled || isRuledHere, keptBefore, keptAfter, givenBefore, givenAfter);
    }

    Place member(String name, boolean isGivenBefore, boolean isGivenAfter) {
        return new Place(path + step(name), Role.MEMBER, isRuled, false, false, isGivenBefore, isGivenAfter);
    }

    /** Longer names are useless, and a path of many of them would grow with the square of the schema. */
    private static String step(String name) {
        if (PLAIN.matcher(name).matches() && name.length() <= STEP_LENGTH_MAX) {
            return "." + name;
        }
        int end = name.offsetByCodePoints(0, Math.min(STEP_LENGTH_MAX, name.codePointCount(0, name.length())));
        String told = end == name.length() ? name : name.substring(0, end) + "…";
        return "['" + told.replace("'", "\\'") + "']";
    }

    Place otherMember() {
        return new Place(path + ".*", Role.OTHER_MEMBER, isRuled, false, false, false, false);
    }

    Place element(boolean isKeptBefore, boolean isKeptAfter) {
        return new Place(path + "[*]", Role.ELEMENT, isRuled, isKeptBefore, isKeptAfter, false, false);
    }

    boolean isRoot() {
        return role == Role.ROOT;
    }

    /** The path as reported. */
    String told() {
        return path.isEmpty() ? "." : path;
    }
}
