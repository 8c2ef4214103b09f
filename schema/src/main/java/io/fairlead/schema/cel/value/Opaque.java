package io.fairlead.schema.cel.value;

/** A value of a type that only functions see into, as Kubernetes adds them. Equality is that of {@code equals}. */
public interface Opaque {
    /** The name of its type ({@code kubernetes.Quantity}). */
    String typeName();

    /** How many units a traversal of it costs; most cost one. */
    default long size() {
        return 1;
    }
}
