package io.fairlead.model;

import java.util.function.IntPredicate;

/**
 * Texts of others on their way to a terminal or a log, which would obey the control characters in them, and to people, who cannot
 * tell all letters apart. What is not shown becomes an escape of JSON, as the escape character itself does: a backslash, a u and
 * {@code 001B}.
 */
public final class Visible {
    private Visible() {}

    /** A text in which only printable ASCII is shown. */
    public static String ascii(String text) {
        return escaped(text, c -> c >= ' ' && c <= '~');
    }

    /** A text in which everything is shown but for what is invisible, ends a line or changes how others look. */
    public static String printable(String text) {
        return escaped(text, Visible::isPrintable);
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static String escaped(String text, IntPredicate isShown) {
        if (text.codePoints().allMatch(isShown)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (isShown.test(c)) {
                escaped.appendCodePoint(c);
            } else {
                Character.toString(c).chars().forEach(half -> escaped.append("\\u%04X".formatted(half)));
            }
        });
        return escaped.toString();
    }
}
