package io.fairlead.schema.structural;

import io.fairlead.schema.cel.CompiledExpression;
import io.fairlead.schema.cel.DeclaredType;
import io.fairlead.schema.cel.Identifiers;
import io.fairlead.schema.cel.cost.Estimate;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the rules of a definition compile, and what they may cost (apiextensions {@code validation.go}, KEP-2876). */
final class RuleChecks {
    static final long COST_MAX = 10_000_000;
    static final long COST_OF_DEFINITION_MAX = 100_000_000;

    private static final long UNBOUNDED = -1;
    private static final int MOST_EXPENSIVE_MAX = 4;
    /** For all rules of a definition, about five seconds. */
    static final long STEPS_MAX = 5 * Effort.STEPS_MAX;

    private record RuleCost(FieldPath path, long cost) {}

    /**
     * Where a schema stands.
     *
     * @param resource whether it is the root of a resource
     * @param type of its values, null if rules cannot see them
     * @param count how many of them an object may have, {@link #UNBOUNDED} if there is no bound
     * @param uncorrelatable the list or map within which no value has an old one, null if there is none
     */
    private record Context(
            boolean resource,
            @Nullable DeclaredType type,
            long count,
            @Nullable FieldPath uncorrelatable) {}

    private final FieldErrors errors;
    private final Effort effort = new Effort(STEPS_MAX);
    private final List<RuleCost> mostExpensive = new ArrayList<>();
    private long total;

    /** Of rules that do not compile: a definition with more is not described better by all of them. */
    private long problemChars;

    private RuleChecks(FieldErrors errors) {
        this.errors = errors;
    }

    static void check(JsonSchema root, FieldPath path, FieldErrors errors) {
        RuleChecks checks = new RuleChecks(errors);
        try {
            checks.check(root, path, new Context(true, RuleTypes.of(root, true).orElse(null), 1, null));
        } catch (Effort.ExceededException tooMuch) {
            errors.forbidden(
                    path,
                    "takes, with its rules, more than " + STEPS_MAX
                            + " steps to compile (expected fewer or shorter rules)");
            return;
        }
        checks.total(path);
    }

    private void check(JsonSchema schema, FieldPath path, Context context) {
        long count = countOfChildren(schema, context.count);
        JsonSchema values = schema.additionalProperties.schema();
        if (values != null) {
            check(values, path.child("additionalProperties"), element(values, context, count, context.uncorrelatable));
        }
        for (Map.Entry<String, JsonSchema> property : schema.properties.entrySet()) {
            check(
                    property.getValue(),
                    path.child("properties").key(property.getKey()),
                    member(property.getKey(), property.getValue(), context, count));
        }
        if (schema.items != null) {
            FieldPath within = schema.listType.equals("map") ? context.uncorrelatable : path;
            check(schema.items, path.child("items"), element(schema.items, context, count, within));
        }
        rules(schema, path, context);
    }

    private static Context element(JsonSchema schema, Context parent, long count, @Nullable FieldPath uncorrelatable) {
        DeclaredType type = parent.type == null ? null : parent.type.element();
        return new Context(
                schema.embeddedResource,
                type == null ? RuleTypes.of(schema, schema.embeddedResource).orElse(null) : type,
                count,
                uncorrelatable);
    }

    private static Context member(String name, JsonSchema schema, Context parent, long count) {
        Optional<String> identifier = Identifiers.escape(name);
        DeclaredType type = parent.type == null || identifier.isEmpty()
                ? null
                : parent.type.fields().get(identifier.get());
        return new Context(
                schema.embeddedResource,
                type == null ? RuleTypes.of(schema, schema.embeddedResource).orElse(null) : type,
                count,
                parent.uncorrelatable);
    }

    private static long countOfChildren(JsonSchema schema, long count) {
        String bound = switch (schema.type) {
            case "object" -> schema.additionalProperties.given() ? "maxProperties" : "";
            case "array" -> "maxItems";
            default -> "";
        };
        if (bound.isEmpty() || count == UNBOUNDED) {
            return count;
        }
        Long max = RuleTypes.count(schema, bound);
        return max == null ? UNBOUNDED : Estimate.multiply(count, max);
    }

    private void rules(JsonSchema schema, FieldPath path, Context context) {
        List<ValidationRule> rules = ValidationRule.of(schema);
        if (rules.isEmpty()) {
            return;
        }
        FieldPath at = path.child(ValidationRule.KEYWORD);
        if (context.type == null) {
            errors.internal(
                    at,
                    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to"
                            + " convert structural schema to CEL declarations");
            return;
        }
        effort.spend(CompiledRule.steps(rules, context.type));
        Iterator<CompiledRule> compiled =
                CompiledRule.compile(rules, context.type).iterator();
        for (int i = 0; compiled.hasNext() && problemChars < Findings.KEPT_CHARS_MAX; i++) {
            rule(compiled.next(), at.index(i), context);
        }
    }

    private void rule(CompiledRule compiled, FieldPath path, Context context) {
        CompiledExpression expression = compiled.expression();
        if (expression == null) {
            problem(path.child("rule"), compiled.rule(), compiled.problem());
            return;
        }
        cost(path.child("rule"), "estimated rule cost", costOfAll(expression, context));
        if (!compiled.messageProblem().isEmpty()) {
            problem(path.child("messageExpression"), compiled.rule(), compiled.messageProblem());
        } else if (compiled.messageExpression() != null) {
            long cost = compiled.messageExpression().costMax();
            cost(path.child("messageExpression"), "estimated messageExpression cost", cost);
        }
        if (compiled.usesOldSelf()) {
            if (context.uncorrelatable != null) {
                errors.invalid(
                        path.child("rule"),
                        compiled.rule().rule(),
                        "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                                + context.uncorrelatable);
            }
        } else if (compiled.rule().namesOptionalOldSelf()) {
            errors.invalid(
                    path.child("optionalOldSelf"),
                    Json.nodes().booleanNode(compiled.rule().optionalOldSelf()),
                    "may not be set if oldSelf is not used in rule");
        }
    }

    /** The value that is shown is the whole rule, with its fields in their order. */
    private void problem(FieldPath path, ValidationRule rule, String problem) {
        String detail = rule.asGoStruct() + ": " + problem;
        problemChars += detail.length();
        errors.add(new FieldError(FieldError.Type.INVALID, path.toString(), null, detail));
    }

    /** An object has as many values as its lists and maps allow, or as fit into a request. */
    private static long costOfAll(CompiledExpression expression, Context context) {
        long fitting = context.type == null ? 1 : DeclaredType.REQUEST_BYTES_MAX / (context.type.bytesMin() + 1);
        return Estimate.multiply(expression.costMax(), context.count == UNBOUNDED ? fitting : context.count);
    }

    private void cost(FieldPath path, String what, long cost) {
        if (cost > COST_MAX) {
            errors.forbidden(path, exceeded(what, cost, COST_MAX));
        }
        total = Math.addExact(Math.min(total, Long.MAX_VALUE / 2), Math.min(cost, Long.MAX_VALUE / 2));
        if (cost >= COST_OF_DEFINITION_MAX / 100) {
            mostExpensive.add(new RuleCost(path, cost));
        }
    }

    private void total(FieldPath path) {
        if (total <= COST_OF_DEFINITION_MAX) {
            return;
        }
        mostExpensive.sort(Comparator.comparingLong(RuleCost::cost).reversed());
        for (RuleCost rule : mostExpensive.subList(0, Math.min(MOST_EXPENSIVE_MAX, mostExpensive.size()))) {
            errors.forbidden(
                    rule.path,
                    "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema");
        }
        errors.forbidden(
                path,
                exceeded(
                        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                        total,
                        COST_OF_DEFINITION_MAX));
    }

    private static String exceeded(String what, long cost, long max) {
        double factor = (double) cost / max;
        String shown =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + shown
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and"
                + " strings are declared)";
    }
}
