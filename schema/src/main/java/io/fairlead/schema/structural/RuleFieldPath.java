package io.fairlead.schema.structural;

import java.util.Optional;

/** The {@code fieldPath} of a rule: {@code .a['b-c'].d}, by which its errors say where they are. */
final class RuleFieldPath {
    private final String text;
    private final StringBuilder path = new StringBuilder();
    private JsonSchema schema;
    private int at;

    private RuleFieldPath(String text, JsonSchema schema) {
        this.text = text;
        this.schema = schema;
    }

    /** As field errors write it, empty if it leads to no field of the schema. */
    static Optional<String> normalized(String text, JsonSchema schema) {
        RuleFieldPath path = new RuleFieldPath(text, schema);
        while (path.at < text.length()) {
            if (!path.step()) {
                return Optional.empty();
            }
        }
        return Optional.of(path.path.toString());
    }

    private boolean step() {
        return switch (text.charAt(at)) {
            case '.' -> {
                int end = at + 1;
                while (end < text.length() && ".[]".indexOf(text.charAt(end)) < 0) {
                    end++;
                }
                String name = text.substring(at + 1, end);
                at = end;
                yield !name.isEmpty() && enter(name);
            }
            case '[' -> {
                int close = closingQuote();
                boolean complete = close > 0 && text.startsWith("]", close + 1);
                String name = complete ? text.substring(at + 2, close).replaceAll("\\\\(['\\\\])", "$1") : "";
                at = close + 2;
                yield complete && enter(name);
            }
            default -> false;
        };
    }

    private int closingQuote() {
        if (!text.startsWith("'", at + 1)) {
            return -1;
        }
        int close = text.indexOf('\'', at + 2);
        while (close > 0 && text.charAt(close - 1) == '\\') {
            close = text.indexOf('\'', close + 1);
        }
        return close;
    }

    private boolean enter(String name) {
        JsonSchema member =
                schema.properties.isEmpty() ? schema.additionalProperties.schema() : schema.properties.get(name);
        if (member == null) {
            return false;
        }
        if (schema.properties.isEmpty()) {
            path.append('[').append(name).append(']');
        } else {
            path.append(path.isEmpty() ? "" : ".").append(name);
        }
        schema = member;
        return true;
    }
}
