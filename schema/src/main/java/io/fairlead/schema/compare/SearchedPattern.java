package io.fairlead.schema.compare;

/*
 * Patterns are searched for in a text, not matched with all of it. So what may match nothing at either end says nothing:
 * ^a.* finds the texts that ^a finds. And an anchor only takes texts away: whatever ^a$ finds, ^a finds too. Nothing else
 * is known here of expressions, as what two of them have in common is hard to say.
 */
/** A regular expression as API servers use it: a text is valid if some part of it matches. */
record SearchedPattern(String expression) {
    /** Begins a text in which nothing is special. */
    private static final String QUOTE = "\\Q";

    /** Whether every text in which another is found is certainly one in which this is found. */
    boolean findsAllOf(SearchedPattern other) {
        if (expression.contains(QUOTE) || other.expression.contains(QUOTE)) {
            return false;
        }
        String core = core(expression);
        String others = core(other.expression);
        return core.equals(others)
                || core.equals(core(withoutEnd(others)))
                || core.equals(core(withoutBeginning(others)))
                || core.equals(core(withoutBeginning(withoutEnd(others))));
    }

    /** Without what matches anything, nothing included, at its ends. */
    private static String core(String expression) {
        String core = expression;
        while (core.startsWith(".*") && !isQuantified(core.substring(2))) {
            core = core.substring(2);
        }
        while (core.endsWith(".*") && !isEscaped(core, core.length() - 2)) {
            core = core.substring(0, core.length() - 2);
        }
        return core;
    }

    private static boolean isQuantified(String rest) {
        return !rest.isEmpty() && "?*+{".indexOf(rest.charAt(0)) >= 0;
    }

    private static String withoutEnd(String expression) {
        int end = expression.length() - 1;
        return expression.endsWith("$") && !isEscaped(expression, end) ? expression.substring(0, end) : expression;
    }

    private static String withoutBeginning(String expression) {
        return expression.startsWith("^") && !isQuantified(expression.substring(1))
                ? expression.substring(1)
                : expression;
    }

    private static boolean isEscaped(String expression, int at) {
        int backslashes = 0;
        while (backslashes < at && expression.charAt(at - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
