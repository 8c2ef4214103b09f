package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.library.KeyFunctions;
import io.fairlead.schema.cel.library.NamedFormat;
import io.fairlead.schema.cel.value.Bytes;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Opaque;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;

/**
 * What calls cost when they are done: cel-go's {@code interpreter/runtimecost.go}, and for Kubernetes' functions apiserver's {@code
 * cel/library/cost.go}. Functions of our own cost a tenth for each character that they go over.
 */
final class CallCost {
    private static final double TRAVERSAL = 0.1;
    private static final double REGEX = 0.25;
    /** Of a call that makes a list. */
    private static final long LIST_MADE = 11;

    private CallCost() {}

    static long of(String function, Object[] arguments, Object result, Work work) {
        return switch (function) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(arguments[0], work);
            case "url", "lowerAscii", "upperAscii", "substring", "trim", "isIP", "isCIDR", "cidr", "quantity" ->
                scaled(size(arguments, 0), TRAVERSAL);
            case "isQuantity", "semver", "isSemver", "startsWith", "endsWith", "strings.quote", "format" ->
                scaled(size(arguments, 0), TRAVERSAL);
            case "ip" -> arguments[0] instanceof String ? scaled(size(arguments, 0), TRAVERSAL) : 1;
            case "replace", "split", "ip.isCanonical" -> scaled(size(arguments, 0), 2 * TRAVERSAL);
            case "join" -> scaled(Values.size(result), 2 * TRAVERSAL);
            case "find", "findAll", "matches" ->
                scaled(1 + size(arguments, 0), TRAVERSAL) * scaled(size(arguments, 1), REGEX);
            case "contains" -> scaled(size(arguments, 0), TRAVERSAL) * scaled(size(arguments, 1), TRAVERSAL);
            case "containsIP" -> containsIp(arguments);
            case "containsCIDR" -> containsIp(arguments) + scaled(size(arguments, 0), TRAVERSAL) + 1;
            case "validate" -> validate(arguments);
            case "@in" -> arguments[1] instanceof ListValue ? size(arguments, 1) : 1;
            case "_==_", "_!=_" -> equality(function, arguments);
            case "_<_", "_<=_", "_>_", "_>=_" -> isText(arguments[0]) ? smaller(arguments) : 1;
            case "_+_" -> isText(arguments[0]) ? scaled(size(arguments, 0) + size(arguments, 1), TRAVERSAL) : 1;
            case "string", "bytes" -> isText(arguments[0]) ? conversion(function, arguments) : 1;
            case "slice", "reverse", "lists.range" -> LIST_MADE + Values.size(result);
            case "flatten" -> LIST_MADE + size(arguments, 0) * depth(arguments);
            case "distinct", "sort" -> LIST_MADE + pairs(arguments[0]);
            case "@sortByAssociatedKeys" -> LIST_MADE + pairs(arguments[1]);
            case "sets.contains", "sets.intersects" -> 1 + size(arguments, 0) * size(arguments, 1);
            case "selectorOf" -> 1 + bounded(KeyFunctions.selectorSize(arguments[0]), KeyFunctions.SELECTOR_SIZE_MAX);
            case "hostOf" -> 2 * bounded(size(arguments, 0), KeyFunctions.HOST_WRITTEN_CHARS_MAX);
            case "quantityOf" -> bounded(size(arguments, 0), KeyFunctions.QUANTITY_WRITTEN_CHARS_MAX);
            case "sets.equivalent" -> 1 + 2 * size(arguments, 0) * size(arguments, 1);
            default -> 1;
        };
    }

    /** A traversal of what is refused if it is larger. */
    private static long bounded(long size, long max) {
        return scaled(Math.min(size, max), TRAVERSAL);
    }

    private static long depth(Object[] arguments) {
        return arguments.length == 2 && arguments[1] instanceof Long depth ? Math.clamp(depth, 0, 1_000_000) : 1;
    }

    /** Each element with each other, twice; of texts a tenth more. */
    private static long pairs(Object value) {
        ListValue list = (ListValue) value;
        long size = list.size();
        boolean texts = size > 0 && isText(list.get(0));
        return (long) (size * size * (texts ? 2 + TRAVERSAL : 2));
    }

    private static long conversion(String function, Object[] arguments) {
        boolean changes = function.equals("string") != arguments[0] instanceof String;
        return changes ? scaled(size(arguments, 0), TRAVERSAL) : 1;
    }

    private static long equality(String function, Object[] arguments) {
        return function.equals("_==_") && arguments[0] instanceof Opaque ? 1 : smaller(arguments);
    }

    /** Of two texts, one that has more than twice as many chars has more characters, which need not be counted. */
    private static long smaller(Object[] arguments) {
        long size;
        if (arguments[0] instanceof String a && arguments[1] instanceof String b) {
            String one = a.length() <= b.length() ? a : b;
            String other = a.length() <= b.length() ? b : a;
            size = Values.size(one);
            size = other.length() > 2L * one.length() ? size : Math.min(size, Values.size(other));
        } else {
            size = Math.min(size(arguments, 0), size(arguments, 1));
        }
        return scaled(size, TRAVERSAL);
    }

    private static long containsIp(Object[] arguments) {
        long range = size(arguments, 0);
        long parsed = arguments[1] instanceof String ? scaled(size(arguments, 1), TRAVERSAL) : 0;
        return scaled(2 * range, TRAVERSAL) + parsed;
    }

    private static long validate(Object[] arguments) {
        int regex = arguments[0] instanceof NamedFormat format ? format.regexSize() : 0;
        return scaled(1 + size(arguments, 1), TRAVERSAL) * scaled(regex, REGEX);
    }

    /** A tenth for each character of all texts inside a value, a unit for each other value. */
    private static long traversal(Object value, Work work) {
        work.spend(1);
        return switch (value) {
            case String text -> (long) (text.length() * TRAVERSAL);
            case Bytes bytes -> (long) (bytes.size() * TRAVERSAL);
            case ListValue list -> {
                long cost = 0;
                for (int i = 0; i < list.size(); i++) {
                    cost += traversal(list.get(i), work);
                }
                yield cost;
            }
            case MapValue map -> map.size();
            default -> 1;
        };
    }

    private static boolean isText(Object value) {
        return value instanceof String || value instanceof Bytes;
    }

    private static long size(Object[] arguments, int index) {
        return Values.size(arguments[index]);
    }

    private static long scaled(long size, double factor) {
        return (long) Math.ceil(size * factor);
    }
}
