package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Bytes;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Joined;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.LongBinaryOperator;

/** The operators of arithmetic, comparison and membership. */
final class Operators {
    private static final CelError OVERFLOW = CelError.overflow("integer");
    private static final CelError UINT_OVERFLOW = CelError.overflow("unsigned integer");
    private static final CelError DURATION_OVERFLOW = CelError.overflow("duration");

    private Operators() {}

    static void addTo(Registry registry) {
        arithmetic(registry);
        additions(registry);
        registry.unary("!_", Boolean.class, (value, _) -> !value)
                .unary("-_", Long.class, (value, _) -> exactly(Math::subtractExact, 0, value))
                .unary("-_", Double.class, (value, _) -> -value)
                .binary("_==_", Object.class, Object.class, Values::equal)
                .binary("_!=_", Object.class, Object.class, Operators::differ)
                .binary("_<_", Object.class, Object.class, comparison(order -> order < 0))
                .binary("_<=_", Object.class, Object.class, comparison(order -> order <= 0))
                .binary("_>_", Object.class, Object.class, comparison(order -> order > 0))
                .binary("_>=_", Object.class, Object.class, comparison(order -> order >= 0))
                .binary(
                        "@in",
                        Object.class,
                        ListValue.class,
                        (element, list, work) -> Values.contains(list, element, work))
                .binary("@in", Object.class, MapValue.class, (key, map, _) -> map.find(key) != null)
                .unary("size", String.class, Operators::size)
                .unary("size", Bytes.class, Operators::size)
                .unary("size", ListValue.class, Operators::size)
                .unary("size", MapValue.class, Operators::size);
    }

    private static void arithmetic(Registry registry) {
        registry.binary("_-_", Long.class, Long.class, (a, b, _) -> exactly(Math::subtractExact, a, b))
                .binary("_*_", Long.class, Long.class, (a, b, _) -> exactly(Math::multiplyExact, a, b))
                .binary("_/_", Long.class, Long.class, (a, b, _) -> divide(a, b))
                .binary("_%_", Long.class, Long.class, (a, b, _) -> remainder(a, b))
                .binary("_-_", Double.class, Double.class, (a, b, _) -> a - b)
                .binary("_*_", Double.class, Double.class, (a, b, _) -> a * b)
                .binary("_/_", Double.class, Double.class, (a, b, _) -> a / b)
                .binary(
                        "_-_",
                        Uint.class,
                        Uint.class,
                        (a, b, _) -> a.compareTo(b) < 0 ? UINT_OVERFLOW : new Uint(a.bits() - b.bits()))
                .binary("_*_", Uint.class, Uint.class, (a, b, _) -> multiply(a, b))
                .binary(
                        "_/_",
                        Uint.class,
                        Uint.class,
                        (a, b, _) -> b.bits() == 0
                                ? new CelError("division by zero")
                                : new Uint(Long.divideUnsigned(a.bits(), b.bits())))
                .binary(
                        "_%_",
                        Uint.class,
                        Uint.class,
                        (a, b, _) -> b.bits() == 0
                                ? new CelError("modulus by zero")
                                : new Uint(Long.remainderUnsigned(a.bits(), b.bits())))
                .binary("_-_", Duration.class, Duration.class, (a, b, _) -> GoDuration.bounded(a.minus(b)))
                .binary("_-_", Instant.class, Duration.class, (a, b, _) -> shifted(a, b.negated()))
                .binary("_-_", Instant.class, Instant.class, (a, b, _) -> GoDuration.bounded(Duration.between(b, a)));
    }

    private static void additions(Registry registry) {
        registry.binary("_+_", Long.class, Long.class, (a, b, _) -> exactly(Math::addExact, a, b))
                .binary("_+_", Double.class, Double.class, (a, b, _) -> a + b)
                .binary("_+_", String.class, String.class, Operators::concatenate)
                .binary("_+_", ListValue.class, ListValue.class, Joined::of)
                .binary("_+_", Bytes.class, Bytes.class, Operators::concatenate)
                .binary(
                        "_+_",
                        Uint.class,
                        Uint.class,
                        (a, b, _) -> Long.compareUnsigned(a.bits(), ~b.bits()) > 0
                                ? UINT_OVERFLOW
                                : new Uint(a.bits() + b.bits()))
                .binary("_+_", Duration.class, Duration.class, (a, b, _) -> GoDuration.bounded(a.plus(b)))
                .binary("_+_", Instant.class, Duration.class, (a, b, _) -> shifted(a, b))
                .binary("_+_", Duration.class, Instant.class, (a, b, _) -> shifted(b, a));
    }

    private static Object exactly(LongBinaryOperator operator, long left, long right) {
        try {
            return operator.applyAsLong(left, right);
        } catch (ArithmeticException e) {
            return OVERFLOW;
        }
    }

    private static Object divide(long left, long right) {
        if (right == 0) {
            return new CelError("division by zero");
        }
        return exactly(Math::divideExact, left, right);
    }

    private static Object remainder(long left, long right) {
        if (right == 0) {
            return new CelError("modulus by zero");
        }
        return left == Long.MIN_VALUE && right == -1 ? OVERFLOW : (Object) (left % right);
    }

    private static Object multiply(Uint left, Uint right) {
        return Math.unsignedMultiplyHigh(left.bits(), right.bits()) != 0
                ? UINT_OVERFLOW
                : new Uint(left.bits() * right.bits());
    }

    private static Object shifted(Instant instant, Duration by) {
        try {
            return TimeFunctions.bounded(instant.plus(by));
        } catch (DateTimeException | ArithmeticException e) {
            return DURATION_OVERFLOW;
        }
    }

    private static Object concatenate(String left, String right, Work work) {
        work.makeText((long) left.length() + right.length());
        return left.concat(right);
    }

    private static Object concatenate(Bytes left, Bytes right, Work work) {
        work.makeText((long) left.size() + right.size());
        byte[] both = Arrays.copyOf(left.content(), left.size() + right.size());
        System.arraycopy(right.content(), 0, both, left.size(), right.size());
        return new Bytes(both);
    }

    private static Object differ(Object left, Object right, Work work) {
        Object equal = Values.equal(left, right, work);
        return equal instanceof Boolean same ? !same : equal;
    }

    private static Registry.Binary<Object, Object> comparison(IntPredicate wanted) {
        return (left, right, work) -> {
            Integer order = Values.compare(left, right, work);
            if (order != null) {
                return wanted.test(order);
            }
            boolean unordered = Values.isNumber(left) && Values.isNumber(right);
            return unordered ? (Object) false : CelError.NO_SUCH_OVERLOAD;
        };
    }

    private static Object size(Object value, Work work) {
        work.read(value instanceof String text ? text.length() : 1);
        return Values.size(value);
    }
}
