package io.fairlead.hosted.representation;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

    /** The first value at the path, or null if there is none. */
    @Nullable
    JsonNode first(JsonNode root) {
        try {
            List<JsonNode> values = walk(steps, List.of(root));
            return values.isEmpty() ? null : values.getFirst();
        } catch (NotApplicableException e) {
            return null;
        }
    }

    private static List<JsonNode> walk(List<Step> steps, List<JsonNode> values) {
        List<JsonNode> current = values;
        for (Step step : steps) {
            current = step.apply(current);
        }
        return current;
    }

    /** One step from values to the values below them. */
    sealed interface Step {
        List<JsonNode> apply(List<JsonNode> values);
    }

    /** The value of a field. */
    record Field(String name) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values) {
            return values.stream()
                    .filter(value -> value.isObject() && value.has(name))
                    .map(value -> value.path(name))
                    .toList();
        }
    }

    /** Every value of an object or array. */
    record Wildcard() implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values) {
            return values.stream().flatMap(JsonNode::valueStream).toList();
        }
    }

    /** A value and all objects and arrays below it that are not empty. */
    record Recursive() implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values) {
            return values.stream().flatMap(value -> descend(value, 0)).toList();
        }

        private static Stream<JsonNode> descend(JsonNode value, int depth) {
            return value.isEmpty() || depth > DEPTH_MAX
                    ? Stream.of()
                    : Stream.concat(Stream.of(value), value.valueStream().flatMap(child -> descend(child, depth + 1)));
        }
    }

    /** One element; counted from the end if negative. */
    record Index(int index) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values) {
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
        public List<JsonNode> apply(List<JsonNode> values) {
            List<JsonNode> elements = new ArrayList<>();
            for (JsonNode value : values) {
                addElements(elements, requireArray(value));
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
        public List<JsonNode> apply(List<JsonNode> values) {
            return paths.stream().flatMap(path -> walk(path, values).stream()).toList();
        }
    }

    /** The elements for which a comparison holds, or, without an operator, for which the left path yields a value. */
    record Filter(List<Step> left, String operator, List<Step> right) implements Step {
        @Override
        public List<JsonNode> apply(List<JsonNode> values) {
            return values.stream()
                    .flatMap(value -> requireArray(value).valueStream())
                    .filter(this::holds)
                    .toList();
        }

        private boolean holds(JsonNode element) {
            List<JsonNode> lefts = walk(left, List.of(element));
            if (operator.isEmpty()) {
                return !lefts.isEmpty();
            }
            List<JsonNode> rights = walk(right, List.of(element));
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
        public List<JsonNode> apply(List<JsonNode> values) {
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
