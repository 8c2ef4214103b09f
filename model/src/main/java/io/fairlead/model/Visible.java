package io.fairlead.model;

import java.util.function.IntPredicate;

/**
 * Escapes foreign text for terminals and logs, which would execute its control characters, and for people, who cannot
 * distinguish all letters. Hidden characters become JSON escapes, as does the escape character itself: a backslash, a u
 * and {@code 001B}.
 */
public final class Visible {
    private Visible() {}

    /** A text in which only printable ASCII is unescaped. */
    public static String ascii(String text) {
        return escaped(text, c -> c >= ' ' && c <= '~');
    }

    /**
     * A text in which everything is unescaped except characters that are invisible, end a line or change how others
     * look.
     */
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
