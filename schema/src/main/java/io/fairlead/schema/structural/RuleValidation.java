package io.fairlead.schema.structural;

import io.fairlead.schema.cel.CompiledExpression;
import io.fairlead.schema.cel.EvaluationBudget;
import io.fairlead.schema.cel.evaluation.Program.Outcome;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Judges the values of one object by rules, within its budget (apiextensions {@code schema/cel/validation.go}). What a rule without
 * {@code oldSelf} says about a value that equals the one it replaces is forgiven (KEP-4008). One thread.
 */
final class RuleValidation {
    private static final int MESSAGE_BYTES_MAX = 5 * 1024;
    private static final String OUT_OF_BUDGET =
            "validation failed due to running out of cost budget, no further validation rules will be run";
    private static final String CANCELLED = "operation cancelled: actual cost limit exceeded";

    private final EvaluationBudget budget;
    private final Effort effort = new Effort();
    private final RuleValues values = new RuleValues();
    private final FieldErrors errors;
    private int findings;
    private long chars;

    private RuleValidation(EvaluationBudget budget, FieldErrors errors) {
        this.budget = budget;
        this.errors = errors;
    }

    static void validate(RuleTree tree, ObjectNode object, @Nullable ObjectNode old, FieldErrors errors) {
        RuleValidation validation = new RuleValidation(new EvaluationBudget(), errors);
        try {
            Correlation correlation = old == null ? null : new Correlation(old, tree.schema());
            validation.validate(
                    tree,
                    FieldPath.ROOT,
                    object,
                    old,
                    new Ratchet(correlation == null ? null : new Pair(correlation, object), null));
        } catch (Effort.ExceededException tooMuch) {
            errors.invalid(FieldPath.ROOT, tree.schema().type, OUT_OF_BUDGET);
        }
    }

    /**
     * Judges a default, as if it did not change and, if that is allowed, as if it were new: some rules are about one of these only.
     *
     * @param budget of all defaults of a definition, from which the dearer of both is taken
     */
    static void validateDefault(
            RuleTree tree, FieldPath path, JsonNode value, EvaluationBudget budget, FieldErrors errors) {
        long before = budget.left();
        judge(tree, path, value, value, budget, errors);
        long leftUnchanged = budget.left();
        if (errors.isEmpty()) {
            budget.spend(leftUnchanged - before);
            judge(tree, path, value, null, budget, errors);
            budget.spend(Math.max(0, budget.left() - leftUnchanged));
        }
    }

    private static void judge(
            RuleTree tree,
            FieldPath path,
            JsonNode value,
            @Nullable JsonNode old,
            EvaluationBudget budget,
            FieldErrors errors) {
        try {
            new RuleValidation(budget, errors).validate(tree, path, value, old, new Ratchet(null, null));
        } catch (Effort.ExceededException tooMuch) {
            errors.invalid(path, tree.schema().type, OUT_OF_BUDGET);
            budget.exhaust();
        }
    }

    /** A value and the one it replaces. */
    private record Pair(Correlation correlation, JsonNode value) {
        static @Nullable Pair of(@Nullable Correlation correlation, JsonNode value) {
            return correlation == null ? null : new Pair(correlation, value);
        }
    }

    /** The old value that a value replaces, or the nearest around it that has one. */
    private record Ratchet(@Nullable Pair current, @Nullable Pair around) {
        /** The type of a root cannot be ratcheted: it is converted before. */
        Ratchet member(String name, JsonNode value) {
            if (current == null) {
                return this;
            }
            boolean typeMeta = around == null && (name.equals("apiVersion") || name.equals("kind"));
            return typeMeta
                    ? new Ratchet(null, null)
                    : new Ratchet(Pair.of(current.correlation.member(name), value), current);
        }

        Ratchet element(JsonNode element) {
            return current == null
                    ? this
                    : new Ratchet(Pair.of(current.correlation.element(element), element), current);
        }
    }

    /** A value, what it replaces, and whether what is said about it is forgiven. */
    private record Place(
            RuleTree tree,
            FieldPath path,
            JsonNode value,
            @Nullable JsonNode old,
            Ratchet ratchet) {
        String type() {
            return tree.schema().type;
        }
    }

    private void validate(RuleTree tree, FieldPath path, JsonNode value, @Nullable JsonNode old, Ratchet ratchet) {
        if (value.isNull()) {
            return;
        }
        JsonNode replaced = old == null || old.isNull() ? null : old;
        expressions(new Place(tree, path, value, replaced, ratchet));
        for (RuleTree part : tree.allOf()) {
            if (budget.left() >= 0) {
                validate(part, path, value, replaced, new Ratchet(null, ratchet.around));
            }
        }
        switch (value) {
            case ArrayNode array
            when tree.items() != null -> elements(tree, tree.items(), path, array, replaced, ratchet);
            case ObjectNode object -> members(tree, path, object, replaced, ratchet);
            default -> {}
        }
    }

    private void elements(
            RuleTree tree, RuleTree items, FieldPath path, ArrayNode array, @Nullable JsonNode old, Ratchet ratchet) {
        Correlation correlation = old instanceof ArrayNode ? new Correlation(old, tree.schema()) : null;
        for (int i = 0; i < array.size() && budget.left() >= 0; i++) {
            effort.spend(1);
            JsonNode element = array.get(i);
            JsonNode replaced = correlation == null ? null : correlation.oldElement(element);
            validate(items, path.index(i), element, replaced, ratchet.element(element));
        }
    }

    private void members(RuleTree tree, FieldPath path, ObjectNode object, @Nullable JsonNode old, Ratchet ratchet) {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            String name = member.getKey();
            effort.spend(1);
            RuleTree property = tree.properties().get(name);
            RuleTree rules = property == null ? tree.additional() : property;
            if (rules != null && budget.left() >= 0) {
                FieldPath at = property == null ? path.key(name) : path.child(name);
                validate(
                        rules,
                        at,
                        member.getValue(),
                        old == null ? null : old.get(name),
                        ratchet.member(name, member.getValue()));
            }
        }
    }

    private void expressions(Place place) {
        if (place.tree.rules().isEmpty() || budget.left() < 0) {
            return;
        }
        if (budget.left() == 0) {
            end(place, OUT_OF_BUDGET);
            return;
        }
        Object self = values.of(place.value, place.tree.schema(), place.tree.resource());
        Object oldSelf = place.old == null ? null : values.of(place.old, place.tree.schema(), place.tree.resource());
        for (CompiledRule rule : place.tree.rules()) {
            if (budget.left() >= 0
                    && (oldSelf != null || !rule.usesOldSelf() || rule.rule().optionalOldSelf())) {
                expression(rule, place, variables(rule.rule(), self, oldSelf));
            }
        }
    }

    private static Map<String, Object> variables(ValidationRule rule, Object self, @Nullable Object oldSelf) {
        Map<String, Object> variables = new HashMap<>();
        variables.put(CompiledRule.SELF, self);
        if (rule.optionalOldSelf()) {
            variables.put(CompiledRule.OLD_SELF, Optional.ofNullable(oldSelf));
        } else if (oldSelf != null) {
            variables.put(CompiledRule.OLD_SELF, oldSelf);
        }
        return variables;
    }

    private void expression(CompiledRule rule, Place place, Map<String, Object> variables) {
        CompiledExpression expression = rule.expression();
        if (expression == null) {
            invalid(place.path, place, "rule compile error: " + rule.problem());
            return;
        }
        Outcome outcome = expression.evaluate(variables, budget);
        if (outcome.cost() > budget.left()) {
            end(place, OUT_OF_BUDGET);
            return;
        }
        budget.spend(outcome.cost());
        String shown = rule.rule().shown();
        if (outcome.cancelled()) {
            end(
                    place,
                    "'" + CANCELLED
                            + "': no further validation rules will be run due to call cost exceeds limit for rule: "
                            + shown);
        } else if (outcome.value() instanceof CelError(String message)) {
            boolean overload = message.startsWith("no such overload");
            invalid(
                    place.path,
                    place,
                    overload
                            ? "'" + message + "': call arguments did not match a supported operator, function or macro"
                                    + " signature for rule: " + shown
                            : message + " evaluating rule: " + shown);
        } else if (!outcome.value().equals(true)) {
            failed(rule, place, variables);
        }
    }

    /** Nothing more is evaluated for this object. */
    private void end(Place place, String message) {
        invalid(place.path, place, message);
        budget.exhaust();
    }

    private void invalid(FieldPath path, Place place, String detail) {
        JsonNode type = Json.nodes().stringNode(place.type());
        add(new FieldError(FieldError.Type.INVALID, path.toString(), type, detail));
    }

    /** As many as of a schema: an object with more is not described better by all of them. */
    private void add(FieldError error) {
        errors.add(error);
        findings++;
        JsonNode value = error.value();
        chars += error.field().length() + error.detail().length();
        chars += value != null && value.isString() ? value.stringValue().length() : 0;
        if (findings >= Findings.KEPT_MAX || chars >= Findings.KEPT_CHARS_MAX) {
            budget.exhaust();
        }
    }

    private void failed(CompiledRule rule, Place place, Map<String, Object> variables) {
        ValidationRule text = rule.rule();
        FieldPath at = text.fieldPath().isEmpty()
                ? place.path
                : RuleFieldPath.normalized(text.fieldPath(), place.tree.schema())
                        .filter(path -> !path.isEmpty())
                        .map(place.path::child)
                        .orElse(place.path);
        if (!rule.usesOldSelf() && isUnchanged(place)) {
            return;
        }
        Optional<String> message = rule.messageExpression() == null
                ? Optional.empty()
                : message(rule.messageExpression(), text, at, place, variables);
        if (budget.left() < 0) {
            return;
        }
        String detail = message.orElseGet(() -> text.message().isEmpty()
                ? "failed rule: " + text.shown()
                : text.message().strip());
        boolean omitted = place.type().equals("object") || place.type().equals("array");
        FieldError.Type type = switch (text.reason()) {
            case "FieldValueForbidden" -> FieldError.Type.FORBIDDEN;
            case "FieldValueRequired" -> FieldError.Type.REQUIRED;
            case "FieldValueDuplicate" -> FieldError.Type.DUPLICATE;
            default -> FieldError.Type.INVALID;
        };
        String shownDetail = type == FieldError.Type.DUPLICATE ? "" : detail;
        add(new FieldError(type, at.toString(), omitted ? null : place.value, shownDetail));
    }

    private boolean isUnchanged(Place place) {
        Pair nearest = place.ratchet.current == null ? place.ratchet.around : place.ratchet.current;
        return nearest != null && nearest.correlation.isUnchanged(nearest.value, effort);
    }

    /** The message that an expression makes; empty if it makes none that can be shown. */
    private Optional<String> message(
            CompiledExpression expression,
            ValidationRule rule,
            FieldPath at,
            Place place,
            Map<String, Object> variables) {
        Outcome outcome = expression.evaluate(variables, budget);
        boolean tooMuch = outcome.cost() > budget.left();
        if (tooMuch || outcome.cancelled()) {
            invalid(
                    at,
                    place,
                    tooMuch
                            ? "messageExpression evaluation failed due to running out of cost budget, no further"
                                    + " validation rules will be run"
                            : "no further validation rules will be run due to call cost exceeds limit for"
                                    + " messageExpression: " + GoText.quote(rule.messageExpression()));
            budget.exhaust();
            return Optional.empty();
        }
        budget.spend(outcome.cost());
        return Optional.of(outcome.value())
                .filter(String.class::isInstance)
                .map(value -> ((String) value).strip())
                .filter(text -> !text.isEmpty()
                        && !text.contains("\n")
                        && text.getBytes(StandardCharsets.UTF_8).length <= MESSAGE_BYTES_MAX);
    }
}
