package io.fairlead.schema.cel.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map, or an object whose fields are its keys. Values may be errors. */
public interface MapValue {
    /** How many entries it has. */
    int size();

    /** The value of a key, null if there is none. */
    @Nullable
    Object find(Object key);

    /** The keys that a loop goes over. */
    List<Object> keys();

    /** Whether what no expression can see of both is the same. */
    default boolean sameUnseen(MapValue other, Work work) {
        return true;
    }

    /** A map of these entries. */
    static MapValue of(Map<Object, Object> entries) {
        return new Entries(entries);
    }

    /** A map that holds its entries; numbers that are equal are one key. */
    record Entries(Map<Object, Object> entries) implements MapValue {
        @Override
        public int size() {
            return entries.size();
        }

        @Override
        public @Nullable Object find(Object key) {
            return Values.isScalar(key) ? entries.get(normalized(key)) : null;
        }

        @Override
        public List<Object> keys() {
            return new ArrayList<>(entries.keySet());
        }

        /** The key as it is stored: an integer if it is a number without a fraction. */
        public static Object normalized(Object key) {
            return switch (key) {
                case Uint uint when uint.bits() >= 0 -> uint.bits();
                case Double number when number == Math.rint(number) && Math.abs(number) < 0x1p63 -> number.longValue();
                default -> key;
            };
        }
    }
}
