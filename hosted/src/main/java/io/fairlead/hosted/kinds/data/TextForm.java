package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.meta.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a text must look like. */
enum TextForm {
    /** Anything. */
    ANY,
    /** A DNS label (RFC 1123). */
    LABEL,
    /** The name of a port (RFC 6335, {@code IsValidPortName}). */
    PORT,
    /** A schedule of cron, or one of its names ({@code @daily}). */
    CRON;

    private static final Pattern PORT_TEXT = Pattern.compile("[-a-z0-9]+");
    private static final int PORT_CHARS_MAX = 15;
    private static final int CRON_FIELDS = 5;

    static TextForm of(String name) {
        return switch (name) {
            case "" -> ANY;
            case "label" -> LABEL;
            case "port" -> PORT;
            case "cron" -> CRON;
            default -> throw new IllegalArgumentException("\"" + name + "\" (expected a form of texts)");
        };
    }

    /** What is wrong with a text; empty if nothing. */
    List<String> problems(String text) {
        return switch (this) {
            case ANY -> List.of();
            case LABEL -> Names.dns1123Label(text);
            case PORT -> port(text);
            case CRON -> cron(text);
        };
    }

    private static List<String> port(String text) {
        List<String> problems = new ArrayList<>();
        if (text.length() > PORT_CHARS_MAX) {
            problems.add("must be no more than 15 characters");
        }
        if (!PORT_TEXT.matcher(text).matches()) {
            problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (text.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            problems.add("must contain at least one letter (a-z)");
        }
        if (text.contains("--")) {
            problems.add("must not contain consecutive hyphens");
        }
        if (text.startsWith("-") || text.endsWith("-")) {
            problems.add("must not begin or end with a hyphen");
        }
        return problems;
    }

    private static List<String> cron(String text) {
        if (text.startsWith("@")) {
            return List.of();
        }
        List<String> fields = List.of(text.strip().split("\\s+", -1));
        return fields.size() == CRON_FIELDS
                ? List.of()
                : List.of("expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]");
    }
}
