package io.fairlead.schema.digest;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The one text of a JSON value: that of RFC 8785 (no white space, members sorted by the UTF-16 units of their names,
 * the shortest escapes), except for numbers, which are exact decimals: an integer without trailing zeros and, if it is
 * not 0, the power of ten as {@code e} and an integer ({@code 1500} is {@code 15e2}, {@code 0.5} is {@code 5e-1}).
 */
final class CanonicalJson {
    private final StringBuilder text = new StringBuilder(1024);

    private CanonicalJson() {}

    static String text(JsonNode value) {
        CanonicalJson canonical = new CanonicalJson();
        canonical.value(value);
        return canonical.text.toString();
    }

    private void value(JsonNode value) {
        switch (value.getNodeType()) {
            case OBJECT -> object(value);
            case ARRAY -> array(value);
            case STRING -> string(value.stringValue());
            case NUMBER -> number(value.decimalValue());
            case BOOLEAN -> text.append(value.booleanValue());
            case NULL -> text.append("null");
            case MISSING, BINARY, POJO -> throw new IllegalArgumentException("no JSON value: " + value.getNodeType());
        }
    }

    private void object(JsonNode object) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        object.properties().forEach(member -> sorted.put(member.getKey(), member.getValue()));
        text.append('{');
        for (Iterator<Map.Entry<String, JsonNode>> members = sorted.entrySet().iterator(); members.hasNext(); ) {
            Map.Entry<String, JsonNode> member = members.next();
            string(member.getKey());
            text.append(':');
            value(member.getValue());
            text.append(members.hasNext() ? "," : "");
        }
        text.append('}');
    }

    private void array(JsonNode array) {
        text.append('[');
        for (Iterator<JsonNode> elements = array.values().iterator(); elements.hasNext(); ) {
            value(elements.next());
            text.append(elements.hasNext() ? "," : "");
        }
        text.append(']');
    }

    private void number(BigDecimal number) {
        BigDecimal shortest = number.stripTrailingZeros();
        text.append(shortest.unscaledValue());
        if (shortest.signum() != 0 && shortest.scale() != 0) {
            text.append('e').append(-(long) shortest.scale());
        }
    }

    private void string(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            character(string.charAt(i));
        }
        text.append('"');
    }

    /** RFC 8785 section 3.2.2.2. */
    private void character(char c) {
        switch (c) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\b' -> text.append("\\b");
            case '\t' -> text.append("\\t");
            case '\n' -> text.append("\\n");
            case '\f' -> text.append("\\f");
            case '\r' -> text.append("\\r");
            default -> {
                if (c < ' ') {
                    text.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
                } else {
                    text.append(c);
                }
            }
        }
    }
}
