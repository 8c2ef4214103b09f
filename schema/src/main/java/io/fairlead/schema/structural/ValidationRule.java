package io.fairlead.schema.structural;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A rule of a schema ({@code x-kubernetes-validations}), as it is written. */
record ValidationRule(ObjectNode tree) {
    static final String KEYWORD = "x-kubernetes-validations";

    /** The reasons that may be given, in the order in which messages name them. */
    static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

    static List<ValidationRule> of(JsonSchema schema) {
        return schema.tree
                .path(KEYWORD)
                .valueStream()
                .filter(ObjectNode.class::isInstance)
                .map(rule -> new ValidationRule((ObjectNode) rule))
                .toList();
    }

    String rule() {
        return text("rule");
    }

    String message() {
        return text("message");
    }

    String messageExpression() {
        return text("messageExpression");
    }

    String fieldPath() {
        return text("fieldPath");
    }

    /** Empty if none is given. */
    String reason() {
        return text("reason");
    }

    /** Whether it is evaluated where there is no old value, with an empty one. */
    boolean optionalOldSelf() {
        return tree.path("optionalOldSelf").asBoolean(false);
    }

    boolean namesOptionalOldSelf() {
        return tree.has("optionalOldSelf");
    }

    /** How messages about its evaluation name it. */
    String shown() {
        return (message().isEmpty() ? rule() : message()).strip();
    }

    /** As a message about its definition shows it: with the names of Go's fields. */
    String asGoStruct() {
        ObjectNode shown = Json.object();
        for (String name : List.of("rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf")) {
            @Nullable JsonNode value = tree.get(name);
            boolean pointer = Set.of("reason", "optionalOldSelf").contains(name);
            String goName = Character.toUpperCase(name.charAt(0)) + name.substring(1);
            shown.set(
                    goName,
                    value != null
                            ? value
                            : pointer ? Json.nodes().nullNode() : Json.nodes().stringNode(""));
        }
        return Json.text(shown).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    private String text(String name) {
        return tree.path(name).asString("");
    }
}
