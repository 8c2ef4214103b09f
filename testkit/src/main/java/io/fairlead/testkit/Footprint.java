package io.fairlead.testkit;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an object takes in memory, with all that it leads to: an upper bound of 16 bytes for a head and 8 for every field. */
public final class Footprint {
    private static final int HEAD = 16;
    private static final int FIELD = 8;

    private final Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());

    private Footprint() {}

    /**
     * The bytes of an object.
     *
     * @param shared what it refers to and does not own
     */
    public static long bytes(Object object, Object... shared) {
        Footprint footprint = new Footprint();
        Collections.addAll(footprint.counted, shared);
        return footprint.of(object);
    }

    private long of(@Nullable Object object) {
        if (object == null || object instanceof Enum<?> || !counted.add(object)) {
            return 0;
        }
        return switch (object) {
            case byte[] bytes -> HEAD + bytes.length;
            case int[] numbers -> HEAD + 4L * numbers.length;
            case long[] numbers -> HEAD + 8L * numbers.length;
            case Object[] objects -> {
                long sum = HEAD + (long) FIELD * objects.length;
                for (Object each : objects) {
                    sum += of(each);
                }
                yield sum;
            }
            case String text -> 48 + 2L * text.length();
            case BigInteger number -> 64 + number.bitLength() / 8;
            case Iterable<?> elements -> {
                long sum = 64;
                for (Object element : elements) {
                    sum += FIELD + of(element);
                }
                yield sum;
            }
            default -> HEAD + fields(object);
        };
    }

    private long fields(Object object) {
        long sum = 0;
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    sum += FIELD + (field.getType().isPrimitive() ? 0 : of(value(field, object)));
                }
            }
        }
        return sum;
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
