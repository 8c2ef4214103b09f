package io.fairlead.schema.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type of a variable, and how large its values may be (apiserver {@code cel.DeclType}).
 *
 * @param type as the type checker knows it
 * @param fields of an object, by identifier; empty otherwise
 * @param key of a map, null otherwise
 * @param element of a list, a map or an optional value; null otherwise
 * @param elementsMax how many characters, bytes, elements or entries a value may have
 * @param bytesMin how short the JSON of a value may be
 */
public record DeclaredType(
        CelType type,
        Map<String, DeclaredType> fields,
        @Nullable DeclaredType key,
        @Nullable DeclaredType element,
        long elementsMax,
        long bytesMin) {
    /** The largest request that estimates assume. */
    public static final long REQUEST_BYTES_MAX = 3L * 1024 * 1024;

    /** A boolean. */
    public static final DeclaredType BOOL = scalar(SimpleType.BOOL, 0, 4);

    /** An integer of 64 bits. */
    public static final DeclaredType INT = scalar(SimpleType.INT, 0, 1);

    /** A floating-point number of 64 bits. */
    public static final DeclaredType DOUBLE = scalar(SimpleType.DOUBLE, 0, 1);

    /** A string as long as a request may be. */
    public static final DeclaredType STRING = string(REQUEST_BYTES_MAX - 2);

    /** The keys of a map, whose length estimates take for nothing. */
    private static final DeclaredType KEY = string(0);

    /** Copies the fields. */
    public DeclaredType {
        fields = Collections.unmodifiableMap(new HashMap<>(fields)); // Map.copyOf is slow where names hash alike.
    }

    /** A string of at most so many characters. */
    public static DeclaredType string(long charsMax) {
        return scalar(SimpleType.STRING, charsMax, 2);
    }

    /** Bytes, in base64 of at most so many characters. */
    public static DeclaredType bytes(long charsMax) {
        return scalar(SimpleType.BYTES, charsMax, 2);
    }

    /** A span of time. */
    public static DeclaredType duration() {
        return scalar(SimpleType.DURATION, 32, 3);
    }

    /** A day. */
    public static DeclaredType date() {
        return scalar(SimpleType.TIMESTAMP, 12, 12);
    }

    /** A time of a day. */
    public static DeclaredType dateTime() {
        return scalar(SimpleType.TIMESTAMP, 32, 21);
    }

    /** A value of any type. */
    public static DeclaredType dynamic(long elementsMax) {
        return scalar(SimpleType.DYN, elementsMax, 1);
    }

    /** A list, of as many elements as a request may have unless there is a bound. */
    public static DeclaredType list(DeclaredType element, @Nullable Long itemsMax) {
        long max = itemsMax == null ? (REQUEST_BYTES_MAX - 2) / (element.bytesMin + 1) : Math.max(0, itemsMax);
        return new DeclaredType(ListType.create(element.type), Map.of(), null, element, max, 2);
    }

    /** A map from strings. */
    public static DeclaredType map(DeclaredType value, @Nullable Long propertiesMax) {
        long max = propertiesMax == null ? (REQUEST_BYTES_MAX - 2) / (value.bytesMin + 6) : Math.max(0, propertiesMax);
        return new DeclaredType(MapType.create(SimpleType.STRING, value.type), Map.of(), KEY, value, max, 2);
    }

    /**
     * An object.
     *
     * @param name by which no other object of an environment goes
     */
    public static DeclaredType object(String name, Map<String, DeclaredType> fields, long bytesMin) {
        return new DeclaredType(StructTypeReference.create(name), fields, null, null, 0, bytesMin);
    }

    /** A value of a type that may be missing. */
    public static DeclaredType optional(DeclaredType inner) {
        return new DeclaredType(
                OptionalType.create(inner.type), inner.fields, inner.key, inner.element, inner.elementsMax, 0);
    }

    private static DeclaredType scalar(CelType type, long elementsMax, long bytesMin) {
        return new DeclaredType(type, Map.of(), null, null, elementsMax, bytesMin);
    }
}
