package io.fairlead.hosted.representation;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A path of {@code additionalPrinterColumns}: kubectl's JSONPath (client-go {@code util/jsonpath}) without its
 * templates.
 *
 * <p>Knows {@code .field}, {@code ['field']}, {@code [0]}, {@code [-1]}, {@code [1:3:2]}, {@code [*]}, {@code .*},
 * {@code ..}, unions and filters {@code [?(@.a=="b")]}. A missing field yields no value; an evaluation error (an index
 * into a value that is not an array) discards all values.
 */
final class JsonPath {
    private static final int DEPTH_MAX = 256;

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /**
     * Parses a path.
     *
     * @throws IllegalArgumentException if it is invalid; the message names the position
     */
    static JsonPath parse(String path) {
        return new JsonPath(new JsonPathParser(path).parse());
    }

    /**
     * The first value at the path, or null if there is none.
     *
     * @param visitsMax values to look at, of all steps together; null if they are more
     */
    @Nullable
    JsonNode first(JsonNode root, int visitsMax) {
        try {
            List<JsonNode> values = walk(steps, List.of(root), new Visits(visitsMax));
            return values.isEmpty() ? null : values.getFirst();
        } catch (NotApplicableException e) {
            return null;
        }
    }

    private static List<JsonNode> walk(List<Step> steps, List<JsonNode> values, Visits visits) {
        List<JsonNode> current = values;
        for (Step step : steps) {
            visits.count(current.size());
            current = step.apply(current, visits);
        }
        return current;
    }

    /** What is left of the values to look at: a path of a few characters can lead to more than there is memory for. */
    static final class Visits {
        private long left;

        private Visits(int visitsMax) {
            left = visitsMax;
        }

        void count(int values) {
            left -= values;
            if (left < 0) {
                throw new NotApplicableException();
            }
        }
    }

    /** One step from values to the values below them. */
    sealed interface Step {
        List<JsonNode> apply(List<JsonNode> values, Visits visits);
    }

    /** The value of a field. */
    record Field(String name) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            return values.stream()
                    .filter(value -> value.isObject() && value.has(name))
                    .map(value -> value.path(name))
                    .toList();
        }
    }

    /** Every value of an object or array. */
    record Wildcard() implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            List<JsonNode> all = new ArrayList<>();
            for (JsonNode value : values) {
                visits.count(value.size());
                value.forEach(all::add);
            }
            return all;
        }
    }

    /**
     * A value and all objects and arrays below it that are not empty, each once: those that are below several of the values would only
     * be repeated behind the first.
     */
    record Recursive() implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            Set<JsonNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            List<JsonNode> found = new ArrayList<>();
            values.forEach(value -> descend(value, 0, seen, found, visits));
            return found;
        }

        private static void descend(
                JsonNode value, int depth, Set<JsonNode> seen, List<JsonNode> found, Visits visits) {
            if (value.isEmpty() || depth > DEPTH_MAX || !seen.add(value)) {
                return;
            }
            found.add(value);
            visits.count(value.size());
            for (JsonNode child : value) {
                descend(child, depth + 1, seen, found, visits);
            }
        }
    }

    /** One element; counted from the end if negative. */
    record Index(int index) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            List<JsonNode> elements = new ArrayList<>();
            for (JsonNode value : values) {
                int at = index < 0 ? index + requireArray(value).size() : index;
                if (at < 0 || at >= requireArray(value).size()) {
                    throw new NotApplicableException();
                }
                elements.add(value.path(at));
            }
            return elements;
        }
    }

    /** Some elements; a bound that is null is the end on its side. */
    record Slice(@Nullable Integer from, @Nullable Integer to, int step) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            List<JsonNode> elements = new ArrayList<>();
            for (JsonNode value : values) {
                visits.count(requireArray(value).size());
                addElements(elements, value);
            }
            return elements;
        }

        private void addElements(List<JsonNode> elements, JsonNode array) {
            int length = array.size();
            int start = from == null ? 0 : from < 0 ? from + length : from;
            int end = to == null ? length : to < 0 ? to + length : to;
            if (start == end) {
                return;
            }
            if (start < 0 || start >= length || end < start || end > length) {
                throw new NotApplicableException();
            }
            for (int i = start; i < end; i += step) {
                elements.add(array.path(i));
            }
        }
    }

    /** The union of several paths. */
    record Union(List<List<Step>> paths) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            return paths.stream()
                    .flatMap(path -> walk(path, values, visits).stream())
                    .toList();
        }
    }

    /** The elements for which a comparison holds, or, without an operator, for which the left path yields a value. */
    record Filter(List<Step> left, String operator, List<Step> right) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            List<JsonNode> holding = new ArrayList<>();
            for (JsonNode value : values) {
                visits.count(requireArray(value).size());
                for (JsonNode element : value) {
                    if (holds(element, visits)) {
                        holding.add(element);
                    }
                }
            }
            return holding;
        }

        private boolean holds(JsonNode element, Visits visits) {
            List<JsonNode> lefts = walk(left, List.of(element), visits);
            if (operator.isEmpty()) {
                return !lefts.isEmpty();
            }
            List<JsonNode> rights = walk(right, List.of(element), visits);
            if (lefts.isEmpty() || rights.isEmpty()) {
                return false;
            }
            if (lefts.size() > 1 || rights.size() > 1) {
                throw new NotApplicableException();
            }
            return compare(lefts.getFirst(), rights.getFirst());
        }

        private boolean compare(JsonNode a, JsonNode b) {
            return switch (operator) {
                case "==" -> order(a, b) == 0;
                case "!=" -> order(a, b) != 0;
                case "<" -> order(a, b) < 0;
                case "<=" -> order(a, b) <= 0;
                case ">" -> order(a, b) > 0;
                case ">=" -> order(a, b) >= 0;
                default -> throw new NotApplicableException();
            };
        }

        private static int order(JsonNode a, JsonNode b) {
            if (a.isString() && b.isString()) {
                return a.asString().compareTo(b.asString());
            }
            if (a.isNumber() && b.isNumber()) {
                return number(a).compareTo(number(b));
            }
            if (a.isBoolean() && b.isBoolean()) {
                return Boolean.compare(a.asBoolean(), b.asBoolean());
            }
            throw new NotApplicableException();
        }

        private static BigDecimal number(JsonNode node) {
            return node.decimalValue();
        }
    }

    /** A literal in a filter. */
    record Literal(JsonNode value) implements Step {
        static Literal of(String text) {
            return new Literal(JsonNodeFactory.instance.stringNode(text));
        }

        @Override
        public List<JsonNode> apply(List<JsonNode> values, Visits visits) {
            return List.of(value);
        }
    }

    private static JsonNode requireArray(JsonNode value) {
        if (!value.isArray()) {
            throw new NotApplicableException();
        }
        return value;
    }

    /** The path does not fit the value; has no stack trace. */
    private static final class NotApplicableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotApplicableException() {
            super("the path does not fit the value", null, false, false);
        }
    }
}
