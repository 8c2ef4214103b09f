package io.fairlead.schema.cel.value;

import io.fairlead.schema.field.GoText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Types, sizes, equality and order of values, as cel-go has them, and values of JSON. */
public final class Values {
    private static final int SHOWN_CHARS_MAX = 4096;

    private Values() {}

    /**
     * A value of JSON by its own form, for which no schema is needed: an integer is one if it is written so and has 64 bits, every
     * other number is a double. Nothing is copied: the tree must not change as long as the value is used.
     */
    public static Object ofJson(JsonNode node) {
        return JsonValues.of(node);
    }

    /** The name of a value's type. */
    public static String typeName(Object value) {
        return switch (value) {
            case Boolean _ -> "bool";
            case Long _ -> "int";
            case Uint _ -> "uint";
            case Double _ -> "double";
            case String _ -> "string";
            case Bytes _ -> "bytes";
            case Duration _ -> "google.protobuf.Duration";
            case Instant _ -> "google.protobuf.Timestamp";
            case Null _ -> "null_type";
            case ListValue _ -> "list";
            case MapValue _ -> "map";
            case Optional<?> _ -> "optional_type";
            case TypeValue _ -> "type";
            case Opaque opaque -> opaque.typeName();
            default -> "error";
        };
    }

    /** How many units a traversal of a value costs. */
    public static long size(Object value) {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case Bytes bytes -> bytes.size();
            case ListValue list -> list.size();
            case MapValue map -> map.size();
            case Optional<?> optional -> optional.isPresent() ? size(optional.get()) : 1;
            case Opaque opaque -> opaque.size();
            default -> 1;
        };
    }

    /** Whether a value is of a fixed size, or a text whose hash is kept; only such may be elements of sets of Java. */
    static boolean isScalar(Object value) {
        return switch (value) {
            case Boolean _, Long _, Uint _, Double _, String _, Duration _, Instant _, Null _ -> true;
            default -> false;
        };
    }

    /** A value in a message; of a list, which may contain another many times, only the type, and of a long text the beginning. */
    public static String shown(Object value) {
        String text = isScalar(value) ? value.toString() : typeName(value);
        return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "...";
    }

    /** A text in quotes as messages show it: as much of it as one can read. */
    public static String quoted(String text) {
        return GoText.quote(shown(text));
    }

    /** Whether two values are equal: a {@code Boolean}, or an error inside one of them. */
    public static Object equal(Object left, Object right, Work work) {
        work.spend(1);
        if (left instanceof CelError) {
            return left;
        }
        if (right instanceof CelError) {
            return right;
        }
        if (left instanceof String a && right instanceof String b) {
            work.read(Math.min(a.length(), b.length()));
            return a.equals(b);
        }
        if (left instanceof Bytes a && right instanceof Bytes b) {
            work.read(Math.min(a.size(), b.size()));
            return a.equals(b);
        }
        if (left instanceof ListValue a) {
            return right instanceof ListValue b ? equalLists(a, b, work) : false;
        }
        if (left instanceof MapValue a) {
            return right instanceof MapValue b ? equalMaps(a, b, work) : false;
        }
        if (left instanceof Optional<?> a && right instanceof Optional<?> b) {
            return a.isPresent() && b.isPresent() ? equal(a.get(), b.get(), work) : a.isPresent() == b.isPresent();
        }
        if (isNumber(left) && isNumber(right)) {
            return !isNaN(left) && !isNaN(right) && compareNumbers(left, right) == 0;
        }
        return left.equals(right);
    }

    private static Object equalLists(ListValue left, ListValue right, Work work) {
        if (left.size() != right.size()) {
            return false;
        }
        return switch (left.kind()) {
            case ListKind.Atomic() -> equalInOrder(left, right, work);
            case ListKind.AnySet() -> containsAll(left, right, work);
            case ListKind.Keyed keyed -> KeyedElements.of(left, keyed, work).equalTo(right, work);
        };
    }

    private static Object equalInOrder(ListValue left, ListValue right, Work work) {
        for (int i = 0; i < left.size(); i++) {
            Object equal = equal(left.get(i), right.get(i), work);
            if (!equal.equals(true)) {
                return equal;
            }
        }
        return true;
    }

    private static Object containsAll(ListValue left, ListValue right, Work work) {
        Set<Object> elements = new HashSet<>();
        work.makeElements(left.size());
        for (int i = 0; i < left.size(); i++) {
            Object element = left.get(i);
            if (isScalar(element)) {
                elements.add(element);
            }
        }
        for (int i = 0; i < right.size(); i++) {
            Object element = right.get(i);
            work.spend(1);
            boolean found = isScalar(element) && elements.contains(element);
            if (!found && !contains(left, element, work).equals(true)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a list has an element: a {@code Boolean}, or the first error if there is none. */
    public static Object contains(ListValue list, Object element, Work work) {
        Object result = false;
        for (int i = 0; i < list.size(); i++) {
            Object equal = equal(list.get(i), element, work);
            if (equal.equals(true)) {
                return true;
            }
            result = equal instanceof CelError && result.equals(false) ? equal : result;
        }
        return result;
    }

    private static Object equalMaps(MapValue left, MapValue right, Work work) {
        if (left.size() != right.size() || !left.sameUnseen(right, work)) {
            return false;
        }
        for (Object key : left.keys()) {
            Object a = left.find(key);
            Object b = right.find(key);
            Object equal = a == null ? (Object) (b == null) : b == null ? false : equal(a, b, work);
            if (!equal.equals(true)) {
                return equal;
            }
        }
        return true;
    }

    /** The order of two values, null if they have none. */
    public static @Nullable Integer compare(Object left, Object right, Work work) {
        work.spend(1);
        if (isNumber(left) && isNumber(right)) {
            return isNaN(left) || isNaN(right) ? null : compareNumbers(left, right);
        }
        return switch (left) {
            case String a
            when right instanceof String b -> {
                work.read(Math.min(a.length(), b.length()));
                yield compareTexts(a, b);
            }
            case Boolean a when right instanceof Boolean b -> a.compareTo(b);
            case Bytes a
            when right instanceof Bytes b -> {
                work.read(Math.min(a.size(), b.size()));
                yield a.compareTo(b);
            }
            case Duration a when right instanceof Duration b -> a.compareTo(b);
            case Instant a when right instanceof Instant b -> a.compareTo(b);
            default -> null;
        };
    }

    /** The order of UTF-8, which is that of code points. */
    private static int compareTexts(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean surrogates = Character.isSurrogate(a) != Character.isSurrogate(b);
                return surrogates ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /** Whether a value is of one of the three types of numbers. */
    public static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof Uint;
    }

    private static boolean isNaN(Object value) {
        return value instanceof Double number && number.isNaN();
    }

    private static int compareNumbers(Object left, Object right) {
        if (left instanceof Double a && right instanceof Double b) {
            return a.equals(b) || (a == 0 && b == 0) ? 0 : Double.compare(a, b);
        }
        if (left instanceof Double a) {
            return -compareToDouble(right, a);
        }
        if (right instanceof Double b) {
            return compareToDouble(left, b);
        }
        if (left instanceof Long a && right instanceof Long b) {
            return Long.compare(a, b);
        }
        if (left instanceof Uint a && right instanceof Uint b) {
            return a.compareTo(b);
        }
        return left instanceof Long a
                ? (a < 0 ? -1 : Long.compareUnsigned(a, ((Uint) right).bits()))
                : -compareNumbers(right, left);
    }

    private static int compareToDouble(Object integer, double other) {
        double value = integer instanceof Uint uint ? uint.toDouble() : ((Long) integer).doubleValue();
        if (value != other || Math.abs(value) < 0x1p53) {
            return value == other ? 0 : Double.compare(value, other);
        }
        return integer instanceof Long number && other < 0x1p63 ? Long.compare(number, (long) other) : 0;
    }
}
