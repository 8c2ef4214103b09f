package io.fairlead.schema.managed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The type of values of which nothing is known. */
public enum UnknownType implements ManagedType, ManagedType.Members, ManagedType.Items {
    /** Objects are managed in parts, lists as a whole. */
    DEDUCED,
    /** All is managed as a whole. */
    ATOMIC;

    @Override
    public boolean atomic() {
        return this == ATOMIC;
    }

    @Override
    public Scalar scalar() {
        return Scalar.ANY;
    }

    @Override
    public Items items() {
        return this;
    }

    @Override
    public Members members() {
        return this;
    }

    @Override
    public @Nullable ManagedType declared(String name) {
        return null;
    }

    @Override
    public ManagedType others() {
        return this;
    }

    @Override
    public boolean deduced() {
        return this == DEDUCED;
    }

    @Override
    public ManagedType type() {
        return ATOMIC;
    }

    @Override
    public boolean associative() {
        return false;
    }

    @Override
    public List<String> keys() {
        return List.of();
    }
}
