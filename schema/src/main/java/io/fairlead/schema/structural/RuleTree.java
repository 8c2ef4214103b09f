package io.fairlead.schema.structural;

import io.fairlead.schema.cel.DeclaredType;
import io.fairlead.schema.cel.Identifiers;
import io.fairlead.schema.text.Effort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The compiled rules of a schema, where there are any (apiextensions {@code schema/cel/validation.go}, {@code Validator}). Immutable.
 *
 * @param schema of the values, also of rules inside {@code allOf}
 * @param resource whether it is the root of a resource
 */
record RuleTree(
        JsonSchema schema,
        boolean resource,
        List<CompiledRule> rules,
        Map<String, RuleTree> properties,
        @Nullable RuleTree items,
        @Nullable RuleTree additional,
        List<RuleTree> allOf) {

    /** The rules of a resource's schema, empty if it has none. */
    static Optional<RuleTree> of(JsonSchema root) {
        return of(root, new Effort(Long.MAX_VALUE));
    }

    /**
     * As {@link #of(JsonSchema)}, within bounds.
     *
     * @throws Effort.ExceededException if it takes too much to compile them
     */
    static Optional<RuleTree> of(JsonSchema root, Effort effort) {
        DeclaredType type = RuleTypes.of(root, true).orElse(null);
        return Optional.ofNullable(hasRules(root) && type != null ? tree(root, root, true, type, effort) : null);
    }

    private static boolean hasRules(JsonSchema schema) {
        return schema.has(ValidationRule.KEYWORD)
                || schema.properties.values().stream().anyMatch(RuleTree::hasRules)
                || (schema.items != null && hasRules(schema.items))
                || (schema.additionalProperties.schema() != null && hasRules(schema.additionalProperties.schema()));
    }

    /** The rules of a schema, or of a part of {@code allOf} about the values of another. */
    private static @Nullable RuleTree tree(
            JsonSchema rules, JsonSchema schema, boolean resource, @Nullable DeclaredType type, Effort effort) {
        if (type == null) {
            return null;
        }
        List<ValidationRule> own = ValidationRule.of(rules);
        List<CompiledRule> compiled = List.of();
        if (!own.isEmpty()) {
            effort.spend(CompiledRule.steps(own, type));
            compiled = CompiledRule.compile(own, type).toList();
        }
        RuleTree items = rules.items == null || schema.items == null
                ? null
                : tree(rules.items, schema.items, schema.items.embeddedResource, type.element(), effort);
        JsonSchema values = schema.additionalProperties.schema();
        JsonSchema rulesOfValues = rules.additionalProperties.schema();
        RuleTree additional = values == null || rulesOfValues == null
                ? null
                : tree(rulesOfValues, values, values.embeddedResource, type.element(), effort);
        Map<String, RuleTree> properties = properties(rules, schema, type, effort);
        List<RuleTree> allOf = new ArrayList<>();
        for (JsonSchema part : rules.allOf) {
            RuleTree tree = tree(part, schema, resource, type, effort);
            if (tree != null) {
                allOf.add(tree);
            }
        }
        boolean none = compiled.isEmpty() && items == null && additional == null;
        return none && properties.isEmpty() && allOf.isEmpty()
                ? null
                : new RuleTree(schema, resource, compiled, properties, items, additional, allOf);
    }

    private static Map<String, RuleTree> properties(
            JsonSchema rules, JsonSchema schema, DeclaredType type, Effort effort) {
        Map<String, RuleTree> trees = new LinkedHashMap<>();
        rules.properties.forEach((name, property) -> {
            JsonSchema declared = schema.properties.get(name);
            if (declared != null) {
                RuleTree tree =
                        tree(property, declared, declared.embeddedResource, typeOf(name, declared, type), effort);
                if (tree != null) {
                    trees.put(name, tree);
                }
            }
        });
        return trees;
    }

    /** Of a property that no identifier can name, rules see the value by itself. */
    private static @Nullable DeclaredType typeOf(String name, JsonSchema property, DeclaredType type) {
        Optional<String> identifier = Identifiers.escape(name);
        return identifier.isPresent()
                ? type.fields().get(identifier.get())
                : RuleTypes.of(property, property.embeddedResource).orElse(null);
    }
}
