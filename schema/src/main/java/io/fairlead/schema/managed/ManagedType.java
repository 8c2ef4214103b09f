package io.fairlead.schema.managed;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What values a place of an object may have, and whether such a value is managed as a whole or in parts (KEP-555, "Lists" and
 * "Maps"). A place may take a scalar, a list, an object, or several of them.
 */
public interface ManagedType {
    /** A kind of scalar. */
    enum Scalar {
        STRING,
        NUMBER,
        BOOLEAN,
        /** Any of them. */
        ANY
    }

    /** The scalars that it takes; null if none. */
    @Nullable
    Scalar scalar();

    /** The lists that it takes; null if none. */
    @Nullable
    Items items();

    /** The objects that it takes; null if none. */
    @Nullable
    Members members();

    /** The members of an object. */
    interface Members {
        /** The type of a member that the type names; null if it does not. */
        @Nullable
        ManagedType declared(String name);

        /** The type of all other members; null if there may be none. */
        @Nullable
        ManagedType others();

        /** Whether the object is managed as a whole. */
        boolean atomic();

        /** Whether nothing is known of any member. */
        default boolean deduced() {
            return false;
        }

        /** The type of a member; null if there may be none of that name. */
        default @Nullable ManagedType type(String name) {
            ManagedType declared = declared(name);
            return declared == null ? others() : declared;
        }
    }

    /** The items of a list. */
    interface Items {
        ManagedType type();

        /** Whether the list is a set or a map; any other is managed as a whole. */
        boolean associative();

        /** The members that identify an item of a map; empty for a set. */
        List<String> keys();

        /** The value of a key that an item leaves out; null if none. */
        default @Nullable JsonNode keyDefault(String key) {
            Members members = type().members();
            ManagedType member = members == null ? null : members.declared(key);
            return member == null ? null : member.defaultValue();
        }
    }

    /** The value of the place where it is left out, as far as it is declared; null if none. */
    default @Nullable JsonNode defaultValue() {
        return null;
    }
}
