package io.fairlead.hosted;

/**
 * The state of a resource's definition by which a request was judged before its cluster was asked. What is judged by one state
 * is neither checked nor stored by another.
 */
public sealed interface DefinitionState {
    /** Whichever it is, since nothing was judged by it. */
    record Any() implements DefinitionState {}

    /** No CustomResourceDefinition defines the resource, as with built-in kinds. */
    record None() implements DefinitionState {}

    /** The definition as it was stored at a resource version, which tells its incarnations apart too. */
    record At(String resourceVersion) implements DefinitionState {}

    /** Whether it is the state of the definition whose newest change has this revision. */
    default boolean isAt(long revision) {
        return switch (this) {
            case Any _ -> true;
            case None _ -> false;
            case At(String resourceVersion) -> resourceVersion.equals(Long.toString(revision));
        };
    }
}
