package io.fairlead.schema.compare;

import io.fairlead.schema.digest.Keyword;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Numbers;
import io.fairlead.schema.structural.SchemaTypes;
import io.fairlead.schema.structural.StructuralSchema;
import io.fairlead.schema.typed.TypedDecoder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * A keyword that has become stricter may forbid nothing that another keyword at the same place did not forbid already: a
 * greatest length of 8 instead of 9 means nothing for an enum of short words. So nothing is called narrower because of
 * numbers alone. Values that could tell are tried on both schemas, with the validation that hosted clusters use.
 */
/** Looks for a value without parts that an old schema takes as it is and a new one does not. */
final class Witness {
    private static final int TEXT_LENGTH_MAX = 10_000;
    private static final int VALUES_MAX = 100;
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "A",
            "0",
            "a0",
            "-",
            " ",
            ".",
            "é",
            "a-b",
            "a.b",
            "A_b",
            "true",
            "1s",
            "2020-01-01",
            "127.0.0.1",
            "2020-01-01T00:00:00Z",
            "::1",
            "10.0.0.0/8",
            "a@b.cd",
            "http://a.b/c",
            "YQ==",
            "%",
            "\n",
            "00000000-0000-4000-8000-000000000000");
    private static final List<BigDecimal> NUMBERS = List.of(
            BigDecimal.ZERO,
            BigDecimal.ONE,
            BigDecimal.valueOf(-1),
            new BigDecimal("0.5"),
            new BigDecimal("1.5"),
            BigDecimal.valueOf(2),
            BigDecimal.valueOf(1L + Integer.MAX_VALUE),
            new BigDecimal("1e39"));

    private final SchemaNode before;
    private final SchemaNode after;
    private final Set<JsonNode> candidates = new LinkedHashSet<>();

    private Witness(SchemaNode before, SchemaNode after) {
        this.before = before;
        this.after = after;
        collect();
    }

    /**
     * Whether there is one.
     *
     * @param keywords those of the new schema that may refuse it, beside the type
     */
    static boolean exists(SchemaNode before, SchemaNode after, Set<String> keywords) {
        Witness witness = new Witness(before, after);
        StructuralSchema old = compiled(before, new HashSet<>(before.tree().propertyNames()));
        StructuralSchema now = compiled(after, keywords);
        return old != null
                && now != null
                && witness.candidates.stream().anyMatch(value -> takes(old, value) && !takes(now, value));
    }

    private static @Nullable StructuralSchema compiled(SchemaNode schema, Set<String> keywords) {
        ObjectNode kept = Json.object();
        for (Map.Entry<String, JsonNode> keyword : schema.tree().properties()) {
            String name = keyword.getKey();
            boolean isType =
                    name.equals("type") || name.equals("x-kubernetes-int-or-string") || name.equals("nullable");
            if ((isType || keywords.contains(name)) && !name.equals("default") && !name.equals(SchemaNode.RULES)) {
                kept.set(name, plain(keyword.getValue()));
            }
        }
        ObjectNode root = Json.object().put("type", "object");
        root.putObject("properties").set("v", kept);
        TypedDecoder.Decoded decoded = TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, root, "", false);
        return decoded.problem() == null ? StructuralSchema.of(decoded.tree()) : null;
    }

    /** Whether a value is at home in a schema. */
    private static boolean takes(StructuralSchema schema, JsonNode value) {
        ObjectNode object = Json.object().set("v", value);
        ObjectNode read = object.deepCopy();
        boolean isKept = schema.read(read, false).unknownFields().isEmpty() && read.equals(object);
        FieldErrors errors = new FieldErrors();
        schema.values(read, null, errors);
        return isKept && errors.isEmpty();
    }

    private void collect() {
        for (SchemaNode schema : List.of(before, after)) {
            schema.list("enum").stream().limit(VALUES_MAX).forEach(this::candidate);
            JsonNode defaultValue = schema.get("default");
            if (defaultValue != null) {
                candidate(defaultValue);
            }
        }
        candidates.add(Json.nodes().nullNode());
        candidates.add(Json.nodes().booleanNode(true));
        candidates.add(Json.nodes().booleanNode(false));
        TEXTS.forEach(this::text);
        lengths().forEach(length -> List.of("a", "A", "0", "é").forEach(letter -> text(letter.repeat(length))));
        numbers().forEach(number -> candidate(DecimalNode.valueOf(number)));
    }

    /** Objects have no numbers beyond a double's; twice a bound may be one. */
    private void candidate(JsonNode value) {
        if (Keyword.fitsDoubles(value)) {
            candidates.add(plain(value));
        }
    }

    private void text(String text) {
        candidates.add(Json.nodes().stringNode(text));
    }

    /** The lengths at which a bound says otherwise than its neighbour. */
    private Set<Integer> lengths() {
        Set<Integer> lengths = new LinkedHashSet<>();
        for (BigDecimal bound : bounds("minLength", "maxLength")) {
            if (bound.compareTo(BigDecimal.valueOf(TEXT_LENGTH_MAX)) <= 0) {
                lengths.add(Math.max(0, bound.intValue() - 1));
                lengths.add(bound.intValue());
                lengths.add(bound.intValue() + 1);
            }
        }
        return lengths;
    }

    private List<BigDecimal> numbers() {
        List<BigDecimal> numbers = new ArrayList<>(NUMBERS);
        BigDecimal half = new BigDecimal("0.5");
        for (BigDecimal bound : bounds("minimum", "maximum", "multipleOf")) {
            if (Math.abs((long) bound.scale()) < 400) {
                numbers.addAll(List.of(
                        bound,
                        bound.add(BigDecimal.ONE),
                        bound.subtract(BigDecimal.ONE),
                        bound.add(half),
                        bound.subtract(half),
                        bound.add(bound),
                        bound.negate()));
            }
        }
        return numbers;
    }

    private List<BigDecimal> bounds(String... keywords) {
        List<BigDecimal> bounds = new ArrayList<>();
        for (SchemaNode schema : List.of(before, after)) {
            for (String keyword : keywords) {
                BigDecimal bound = schema.number(keyword);
                if (bound != null) {
                    bounds.add(bound);
                }
            }
        }
        return bounds;
    }

    /** A value as clusters know it: with int64 and double for numbers. */
    private static JsonNode plain(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(member -> copy.set(member.getKey(), plain(member.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.array();
                array.forEach(element -> copy.add(plain(element)));
                yield copy;
            }
            default -> value.isNumber() ? plain(value.decimalValue()) : value;
        };
    }

    private static JsonNode plain(BigDecimal number) {
        return Numbers.isInt64(number)
                ? Json.nodes().numberNode(number.longValue())
                : Json.nodes().numberNode(number.doubleValue());
    }
}
