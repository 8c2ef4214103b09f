package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;

/** What the texts of a rule may be, before they are compiled. */
final class RuleTexts {
    private RuleTexts() {}

    static void check(JsonSchema schema, FieldPath path, FieldErrors errors) {
        List<ValidationRule> rules = ValidationRule.of(schema);
        for (int i = 0; i < rules.size(); i++) {
            check(rules.get(i), schema, path.index(i), errors);
        }
    }

    private static void check(ValidationRule rule, JsonSchema schema, FieldPath path, FieldErrors errors) {
        String message = rule.message().strip();
        if (rule.rule().isBlank()) {
            errors.required(path.child("rule"), "rule is not specified");
        } else if (!rule.message().isEmpty() && message.isEmpty()) {
            errors.invalid(path.child("message"), rule.message(), "must be non-empty if specified");
        } else if (hasLines(message)) {
            errors.invalid(path.child("message"), rule.message(), "must not contain line breaks");
        } else if (hasLines(rule.rule().strip()) && message.isEmpty()) {
            errors.required(path.child("message"), "message must be specified if rule contains line breaks");
        }
        if (!rule.messageExpression().isEmpty() && rule.messageExpression().isBlank()) {
            errors.required(path.child("messageExpression"), "messageExpression must be non-empty if specified");
        }
        if (rule.tree().has("reason") && !ValidationRule.REASONS.contains(rule.reason())) {
            errors.notSupported(path.child("reason"), rule.reason(), ValidationRule.REASONS);
        }
        fieldPath(rule.fieldPath(), schema, path.child("fieldPath"), errors);
    }

    private static void fieldPath(String fieldPath, JsonSchema schema, FieldPath path, FieldErrors errors) {
        if (fieldPath.isEmpty()) {
            return;
        }
        if (fieldPath.isBlank()) {
            errors.invalid(path, fieldPath, "must be non-empty if specified");
        }
        if (hasLines(fieldPath)) {
            errors.invalid(path, fieldPath, "must not contain line breaks");
        }
        if (RuleFieldPath.normalized(fieldPath, schema).isEmpty()) {
            errors.invalid(path, fieldPath, "must be a valid path");
        }
    }

    private static boolean hasLines(String text) {
        return text.contains("\n") || text.contains("\r");
    }
}
