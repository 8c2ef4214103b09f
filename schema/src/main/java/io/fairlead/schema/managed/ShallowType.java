package io.fairlead.schema.managed;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A type whose values are managed as a whole from some depth on, so that {@code fieldsV1}, which repeats their nesting some levels
 * further in, can be read like any other JSON.
 *
 * @param deep the type
 * @param levels how many levels below are managed in parts
 */
record ShallowType(ManagedType deep, int levels) implements ManagedType, ManagedType.Members, ManagedType.Items {
    /** How many levels of an object are managed in parts. */
    static final int LEVELS = 200;

    private ManagedType inner(ManagedType inner) {
        return levels == 0 ? UnknownType.ATOMIC : new ShallowType(inner, levels - 1);
    }

    private Members typeMembers() {
        return Objects.requireNonNull(deep.members());
    }

    private Items typeItems() {
        return Objects.requireNonNull(deep.items());
    }

    @Override
    public @Nullable Scalar scalar() {
        return deep.scalar();
    }

    @Override
    public @Nullable Items items() {
        return deep.items() == null ? null : this;
    }

    @Override
    public @Nullable Members members() {
        return deep.members() == null ? null : this;
    }

    @Override
    public @Nullable JsonNode defaultValue() {
        return deep.defaultValue();
    }

    @Override
    public @Nullable ManagedType declared(String name) {
        ManagedType declared = typeMembers().declared(name);
        return declared == null ? null : inner(declared);
    }

    @Override
    public @Nullable ManagedType others() {
        ManagedType others = typeMembers().others();
        return others == null ? null : inner(others);
    }

    @Override
    public boolean atomic() {
        return typeMembers().atomic();
    }

    @Override
    public boolean deduced() {
        return typeMembers().deduced();
    }

    @Override
    public ManagedType type() {
        return inner(typeItems().type());
    }

    @Override
    public boolean associative() {
        return typeItems().associative();
    }

    @Override
    public List<String> keys() {
        return typeItems().keys();
    }

    @Override
    public @Nullable JsonNode keyDefault(String key) {
        return typeItems().keyDefault(key);
    }
}
