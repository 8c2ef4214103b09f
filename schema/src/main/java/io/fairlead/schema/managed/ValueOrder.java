package io.fairlead.schema.managed;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A total order of JSON values in which numbers compare as numbers: numbers, then strings, booleans, lists, objects, null
 * (structured-merge-diff {@code value/value.go}).
 */
final class ValueOrder {
    private ValueOrder() {}

    /** Whether two values are the same; null is no value. */
    static boolean same(@Nullable JsonNode left, @Nullable JsonNode right) {
        if (left == null || right == null) {
            return left == null && right == null;
        }
        return left.equals(right) || compare(left, right) == 0;
    }

    static int compare(JsonNode left, JsonNode right) {
        int ranks = Integer.compare(rank(left), rank(right));
        if (ranks != 0) {
            return ranks;
        }
        return switch (left.getNodeType()) {
            case NUMBER -> numbers(left, right);
            case STRING -> left.stringValue().compareTo(right.stringValue());
            case BOOLEAN -> Boolean.compare(left.booleanValue(), right.booleanValue());
            case ARRAY -> lists(left, right);
            case OBJECT -> compare(members(left), members(right));
            case NULL, MISSING, BINARY, POJO -> 0;
        };
    }

    static int compare(NavigableMap<String, JsonNode> left, NavigableMap<String, JsonNode> right) {
        Iterator<Map.Entry<String, JsonNode>> rights = right.entrySet().iterator();
        for (Map.Entry<String, JsonNode> mine : left.entrySet()) {
            if (!rights.hasNext()) {
                return 1;
            }
            Map.Entry<String, JsonNode> theirs = rights.next();
            int names = mine.getKey().compareTo(theirs.getKey());
            int compared = names != 0 ? names : compare(mine.getValue(), theirs.getValue());
            if (compared != 0) {
                return compared;
            }
        }
        return rights.hasNext() ? -1 : 0;
    }

    private static int lists(JsonNode left, JsonNode right) {
        int shorter = Math.min(left.size(), right.size());
        for (int i = 0; i < shorter; i++) {
            int compared = compare(left.get(i), right.get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static int numbers(JsonNode left, JsonNode right) {
        return left.isIntegralNumber() && right.isIntegralNumber()
                ? left.bigIntegerValue().compareTo(right.bigIntegerValue())
                : Double.compare(left.doubleValue(), right.doubleValue());
    }

    private static NavigableMap<String, JsonNode> members(JsonNode object) {
        NavigableMap<String, JsonNode> members = new TreeMap<>();
        object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }

    private static int rank(JsonNode value) {
        return switch (value.getNodeType()) {
            case NUMBER -> 0;
            case STRING -> 1;
            case BOOLEAN -> 2;
            case ARRAY -> 3;
            case OBJECT -> 4;
            case NULL, MISSING, BINARY, POJO -> 5;
        };
    }
}
