package io.fairlead.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one object that a collection request can select because its field selector requires {@code metadata.name=x}.
 *
 * <p>Read as apimachinery's {@code fields} package reads a selector: terms between commas, sorted, operators
 * {@code !=}, {@code ==} and {@code =}, a backslash before {@code \}, {@code ,} and {@code =} in values. Options that
 * do not decode pin nothing, and neither does a name that could not be a path segment.
 */
final class PinnedName {
    private static final String FIELD = "metadata.name";

    private PinnedName() {}

    /** The name, empty if the options pin none. */
    static String of(QueryParameters query) {
        String selector = query.first("fieldSelector");
        if (selector == null || !isInteger(query.first("limit")) || !isInteger(query.first("timeoutSeconds"))) {
            return "";
        }
        String name = requiredName(selector);
        return name == null || !isPathSegmentName(name) ? "" : name;
    }

    private static @Nullable String requiredName(String selector) {
        String required = null;
        for (String term : terms(selector)) {
            int operator = operator(term);
            if (operator < 0) {
                return null;
            }
            String value = unescape(term.substring(operator + operatorLength(term, operator)));
            if (value == null) {
                return null;
            }
            boolean demandsName = term.charAt(operator) == '=' && operator == FIELD.length() && term.startsWith(FIELD);
            required = required == null && demandsName ? value : required;
        }
        return required;
    }

    private static List<String> terms(String selector) {
        List<String> terms = new ArrayList<>(1);
        int start = 0;
        for (int i = 0; i <= selector.length(); i++) {
            if (i == selector.length() || selector.charAt(i) == ',') {
                if (i > start) {
                    terms.add(selector.substring(start, i));
                }
                start = i + 1;
            } else if (selector.charAt(i) == '\\' && i + 1 < selector.length()) {
                i++;
            }
        }
        Collections.sort(terms);
        return terms;
    }

    /** The index of the first operator of a term, or -1. */
    private static int operator(String term) {
        for (int i = 0; i < term.length(); i++) {
            if (term.charAt(i) == '=' || term.startsWith("!=", i)) {
                return i;
            }
        }
        return -1;
    }

    private static int operatorLength(String term, int operator) {
        return term.startsWith("!=", operator) || term.startsWith("==", operator) ? 2 : 1;
    }

    /** The literal value, or null if it contains a bare special character or an unknown escape. */
    private static @Nullable String unescape(String value) {
        StringBuilder literal = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ',' || c == '=') {
                return null;
            }
            if (c == '\\') {
                i++;
                if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
                    return null;
                }
                c = value.charAt(i);
            }
            literal.append(c);
        }
        return literal.toString();
    }

    /** A 64-bit decimal integer with or without a sign, or absent. */
    private static boolean isInteger(@Nullable String value) {
        if (value == null) {
            return true;
        }
        if (!value.chars().allMatch(c -> c < 0x80)) {
            return false;
        }
        try {
            Long.parseLong(value);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** apimachinery's {@code IsPathSegmentName}. */
    private static boolean isPathSegmentName(String name) {
        return !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0 && name.indexOf('%') < 0;
    }
}
