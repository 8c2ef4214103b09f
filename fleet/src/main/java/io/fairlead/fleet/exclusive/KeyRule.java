package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.exclusive.KeyExpression.InvalidExpressionException;
import io.fairlead.fleet.exclusive.KeyExpression.NotRenderedException;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.schema.cel.EvaluationBudget;
import io.fairlead.schema.cel.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The expressions of a rule: which keys an object claims. Immutable; any thread. */
final class KeyRule {
    private static final int NAME_CHARS_MAX = 253;

    private final RuleSpec spec;
    private final KeySecret secret;
    private final KeyExpression key;
    private final List<LookupExpressions> lookups;
    private final Projection ofObject;
    private final List<Projection> ofLookups;

    /** Those of a look-up. */
    private record LookupExpressions(
            RuleSpec.Lookup lookup, @Nullable KeyExpression namespace, KeyExpression name) {}

    /** The objects that are looked up. */
    @FunctionalInterface
    interface LookedUp {
        /** The object of a look-up; null if there is none. */
        @Nullable
        JsonNode find(int lookup, ObjectKey key);
    }

    private KeyRule(RuleSpec spec, KeySecret secret, KeyExpression key, List<LookupExpressions> lookups) {
        this.spec = spec;
        this.secret = secret;
        this.key = key;
        this.lookups = lookups;
        Set<List<String>> ofObject = new HashSet<>(key.reads(KeyExpression.OBJECT));
        for (LookupExpressions each : lookups) {
            ofObject.addAll(each.name().reads(KeyExpression.OBJECT));
            if (each.namespace() != null) {
                ofObject.addAll(each.namespace().reads(KeyExpression.OBJECT));
            }
        }
        this.ofObject = new Projection(ofObject);
        this.ofLookups = lookups.stream()
                .map(each -> new Projection(key.reads(each.lookup().name())))
                .toList();
    }

    /** Those of a rule; a stored one may have been written when more was allowed. */
    static KeyRule compile(RuleSpec spec, KeySecret secret) throws InvalidExpressionException {
        List<LookupExpressions> lookups = new ArrayList<>();
        for (RuleSpec.Lookup lookup : spec.lookups()) {
            lookups.add(new LookupExpressions(
                    lookup,
                    lookup.namespace().isEmpty() ? null : KeyExpression.compile(lookup.namespace(), List.of()),
                    KeyExpression.compile(lookup.objectName(), List.of())));
        }
        List<String> names = spec.lookups().stream().map(RuleSpec.Lookup::name).toList();
        return new KeyRule(spec, secret, KeyExpression.compile(spec.key(), names), List.copyOf(lookups));
    }

    /** What must be kept of an object to render it again. */
    JsonNode projected(JsonNode object) {
        return ofObject.of(object);
    }

    /** What must be kept of an object that is looked up. */
    JsonNode projected(int lookup, JsonNode object) {
        return ofLookups.get(lookup).of(object);
    }

    /** The objects to which an object refers, one for each look-up. */
    List<ObjectKey> references(ObjectKey claimant, JsonNode object) throws NotRenderedException {
        Map<String, Object> variables = variables(claimant, object);
        EvaluationBudget budget = new EvaluationBudget();
        List<ObjectKey> references = new ArrayList<>(lookups.size());
        for (LookupExpressions each : lookups) {
            String namespace = each.namespace() == null
                    ? claimant.namespace()
                    : text(each.namespace().value(variables, budget), each, "namespace");
            String name = text(each.name().value(variables, budget), each, "name");
            references.add(new ObjectKey(claimant.cluster(), namespace, name));
        }
        return references;
    }

    /** The keys that an object claims. */
    Set<KeyHash> render(ObjectKey claimant, JsonNode object, List<ObjectKey> references, LookedUp found)
            throws NotRenderedException {
        Map<String, Object> variables = variables(claimant, object);
        for (int i = 0; i < lookups.size(); i++) {
            String name = lookups.get(i).lookup().name();
            JsonNode there = found.find(i, references.get(i));
            if (there == null) {
                throw new NotRenderedException("look-up " + name + ": there is no "
                        + spec.lookups().get(i).resource().groupResource() + " \""
                        + references.get(i).path() + "\"");
            }
            variables.put(name, Values.ofJson(there));
        }
        Set<KeyHash> hashes = new HashSet<>();
        Object value = key.value(variables, new EvaluationBudget());
        for (byte[] text : KeyText.of(value, key.isListLiteral())) {
            hashes.add(secret.hash(spec, claimant, text));
        }
        return hashes;
    }

    private static String text(Object value, LookupExpressions of, String what) throws NotRenderedException {
        if (value instanceof String text && !text.isEmpty() && text.length() <= NAME_CHARS_MAX) {
            return text;
        }
        throw new NotRenderedException("look-up " + of.lookup().name() + ": its " + what + " is "
                + (value instanceof String text ? Values.quoted(text) : "of type " + Values.typeName(value))
                + " (expected the " + what + " of an object)");
    }

    private static Map<String, Object> variables(ObjectKey claimant, JsonNode object) {
        Map<String, Object> variables = new HashMap<>();
        variables.put(KeyExpression.OBJECT, Values.ofJson(object));
        variables.put(KeyExpression.CLUSTER, claimant.cluster().value());
        variables.put(KeyExpression.NAMESPACE, claimant.namespace());
        return variables;
    }
}
