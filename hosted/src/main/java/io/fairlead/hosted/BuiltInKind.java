package io.fairlead.hosted;

import java.util.List;

/**
 * A kind that the cluster's base handler serves, not a CRD; its objects are stored, unless its rules answer who creates one ({@link
 * KindRules#review}).
 *
 * @param type the resource, with the OpenAPI v3 schema that its objects follow unless a Go type says it; {@code type.custom()} is
 *     false
 * @param decoding how bodies are read
 * @param rules rules beyond the schema
 * @param admission called before each write, in order
 */
public record BuiltInKind(ResourceType type, Decoding decoding, KindRules rules, List<AdmissionHook> admission) {
    public BuiltInKind {
        admission = List.copyOf(admission);
        if (type.custom()) {
            throw new IllegalArgumentException("kind " + type.kind() + " is custom (expected a built-in kind)");
        }
    }

    /** A kind whose schema is structural, read and validated exactly as a custom resource is. */
    public static BuiltInKind structural(ResourceType type, KindRules rules, AdmissionHook... admission) {
        return new BuiltInKind(type, Decoding.STRUCTURAL, rules, List.of(admission));
    }

    /** How bodies are read. */
    public enum Decoding {
        /** As Go's typed decoder does: a value of a wrong type is a 400, nulls and empty optional values vanish. */
        TYPED,
        /** As custom resources: pruned, defaulted, then validated with 422. */
        STRUCTURAL
    }
}
