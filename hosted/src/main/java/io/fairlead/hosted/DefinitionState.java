package io.fairlead.hosted;

/**
 * The state of a resource's definition by which a request was judged before its cluster was asked. A request judged by
 * one state is neither validated nor stored by another.
 */
public sealed interface DefinitionState {
    /** Any state: nothing was judged by it. */
    record Any() implements DefinitionState {}

    /** No CustomResourceDefinition defines the resource, as with built-in kinds. */
    record None() implements DefinitionState {}

    /** The definition as it was stored at a resource version, which also distinguishes its incarnations. */
    record At(String resourceVersion) implements DefinitionState {}

    /** Whether this is the state whose newest change has this revision. */
    default boolean isAt(long revision) {
        return switch (this) {
            case Any _ -> true;
            case None _ -> false;
            case At(String resourceVersion) -> resourceVersion.equals(Long.toString(revision));
        };
    }
}
