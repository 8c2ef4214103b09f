package io.fairlead.hosted.representation;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A tree as YAML in block style. Texts that some version of YAML could read as another type are quoted as in JSON. */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/][A-Za-z0-9_./-]*");
    private static final Set<String> WORDS_WITH_MEANING =
            Set.of("null", "true", "false", "yes", "no", "on", "off", "y", "n");

    private final StringBuilder out = new StringBuilder();

    private YamlText() {}

    static String of(JsonNode tree) {
        YamlText text = new YamlText();
        text.append(tree, 0);
        return text.out.toString();
    }

    /** A tree as an element of a sequence that begins at the start of a line. */
    static String element(JsonNode tree) {
        YamlText text = new YamlText();
        text.out.append("- ");
        text.append(tree, 2);
        return text.out.toString();
    }

    /** Appends a value that begins at the start of a line or behind {@code "- "}. */
    private void append(JsonNode node, int indent) {
        if (node.isObject() && !node.isEmpty()) {
            appendMembers(node, indent);
        } else if (node.isArray() && !node.isEmpty()) {
            appendElements(node, indent);
        } else {
            out.append(scalar(node)).append('\n');
        }
    }

    private void appendMembers(JsonNode object, int indent) {
        boolean first = true;
        for (String name : sorted(object)) {
            startLine(first, indent);
            first = false;
            out.append(text(name)).append(':');
            appendBehindColon(object.path(name), indent);
        }
    }

    private void appendBehindColon(JsonNode value, int indent) {
        if (value.isContainer() && !value.isEmpty()) {
            out.append('\n');
            int below = value.isObject() ? indent + 2 : indent;
            out.repeat(' ', below);
            append(value, below);
        } else {
            out.append(' ').append(scalar(value)).append('\n');
        }
    }

    private void appendElements(JsonNode array, int indent) {
        boolean first = true;
        for (JsonNode element : array) {
            startLine(first, indent);
            first = false;
            out.append("- ");
            append(element, indent + 2);
        }
    }

    private void startLine(boolean first, int indent) {
        if (!first) {
            out.repeat(' ', indent);
        }
    }

    private static List<String> sorted(JsonNode object) {
        return object.propertyStream().map(Map.Entry::getKey).sorted().toList();
    }

    private static String scalar(JsonNode node) {
        return node.isString() ? text(node.asString()) : Json.text(node);
    }

    private static String text(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !WORDS_WITH_MEANING.contains(text.toLowerCase(Locale.ROOT));
        return plain ? text : Json.text(Json.nodes().stringNode(text));
    }
}
