package io.fairlead.schema.compare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Verdicts, and that the validation, pruning and defaulting of hosted clusters bears them out. */
class SchemaComparisonTest {
    private static final int TRIES_MAX = 10_000;
    private static final int OBJECTS = 40;

    /** Where a field may stand; its schema becomes that of a larger field. */
    private static final List<UnaryOperator<JsonNode>> PLACES = List.of(
            UnaryOperator.identity(),
            SchemaComparisonTest::member,
            field -> member(field).put("x-kubernetes-preserve-unknown-fields", true),
            field -> Json.object().put("type", "array").set("items", field),
            field -> Json.object().put("type", "object").set("additionalProperties", member(field)));

    private final long seed = Long.getLong("fuzz.seed", 7);

    static Stream<Pair> pairs() {
        return Pair.all();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void verdict_isAsExpected(Pair pair) {
        VersionComparison comparison = pair.compared();

        assertThat(comparison.verdict()).as("%s", comparison.differences()).isEqualTo(pair.verdict());
        if (!pair.rules().isEmpty()) {
            assertThat(comparison.differences()).extracting(Difference::rule).containsExactlyElementsOf(pair.rules());
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void everyVerdict_isBorneOutByObjects(Pair pair) {
        for (UnaryOperator<JsonNode> place : PLACES) {
            if (!pair.hasRules() && pair.isReal()) {
                assertBorneOut(Pair.root(place.apply(pair.before())), Pair.root(place.apply(pair.after())));
            }
        }
    }

    @Test
    void twoFields_verdictIsThatOfBothTogether() {
        List<Pair> pairs = Pair.all().toList();
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            Pair one = pairs.get(random.nextInt(pairs.size()));
            Pair other = pairs.get(random.nextInt(pairs.size()));
            VersionComparison comparison = VersionComparison.ofSchemas(
                    "v1",
                    Pair.canonical(two(one.before(), other.before())),
                    Pair.canonical(two(one.after(), other.after())));

            assertThat(comparison.verdict())
                    .as("seed %d: %s, and %s", seed, one, other)
                    .isEqualTo(one.verdict().and(other.verdict()));
        }
    }

    private static ObjectNode two(JsonNode one, JsonNode other) {
        ObjectNode root = Json.object().put("type", "object");
        root.putObject("properties").set("v", one).set("w", other);
        return root;
    }

    private static ObjectNode member(JsonNode field) {
        ObjectNode object = Json.object().put("type", "object");
        object.putObject("properties").set("m", field);
        return object;
    }

    private void assertBorneOut(JsonNode before, JsonNode after) {
        VersionComparison comparison = VersionComparison.ofSchemas("v1", Pair.canonical(before), Pair.canonical(after));
        Reality reality = new Reality(before, after);
        RandomObjects objects = new RandomObjects(seed);
        switch (comparison.verdict()) {
            case EQUAL, WIDER -> {
                int atHome = 0;
                for (int i = 0; i < TRIES_MAX && atHome < OBJECTS; i++) {
                    ObjectNode object = Json.object().set("v", objects.next(field(before), field(after)));
                    atHome += reality.isAtHomeBefore(object) ? 1 : 0;
                    assertThat(reality.tellsApart(object))
                            .as("seed %d: %s shows that %s is not wider than %s", seed, object, after, before)
                            .isFalse();
                }
                assertThat(atHome).as("seed %d: objects of %s", seed, before).isGreaterThan(OBJECTS / 10);
            }
            case NARROWER, INCOMPATIBLE ->
                assertThat(Stream.generate(() -> objects.next(field(before), field(after)))
                                .limit(TRIES_MAX)
                                .anyMatch(value ->
                                        reality.tellsApart(Json.object().set("v", value))))
                        .as("seed %d: an object shows that %s is not wider than %s", seed, after, before)
                        .isTrue();
            case UNKNOWN -> {}
        }
    }

    private static JsonNode field(JsonNode root) {
        return root.path("properties").path("v");
    }

    /** That a type is narrowed hides nothing else. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: number, maximum: 10} | {type: integer, maximum: 100} | INCOMPATIBLE",
                "{type: number, maximum: 100} | {type: integer, maximum: 10} | NARROWER",
                "{type: object, properties: {a: {type: number, default: 1.5}}} | {type: object, properties: {a: {type:"
                        + " integer, default: 2}}} | INCOMPATIBLE",
                "{x-kubernetes-preserve-unknown-fields: true} | {type: object, properties: {a: {type: integer,"
                        + " default: 1}}} | INCOMPATIBLE",
            })
    void narrowedType_andWhatElseDiffers(String before, String after, Verdict verdict) {
        assertThat(compared(before, after)).isEqualTo(verdict);
    }

    /** Twice the bound is no double. */
    @Test
    void largestBounds_areComparedByValuesThatThereAre() {
        assertThat(compared("{type: number, maximum: 1.7e308}", "{type: number, maximum: 1.6e308}"))
                .isEqualTo(Verdict.NARROWER);
        assertThat(compared("{type: number, maximum: 1e350}", "{type: number, maximum: 1e349}"))
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(compared("{type: number, enum: [1e400]}", "{type: number, enum: [2e400]}"))
                .isEqualTo(Verdict.UNKNOWN);
    }

    private static Verdict compared(String before, String after) {
        return VersionComparison.ofSchemas("v1", canonical(before), canonical(after))
                .verdict();
    }

    private static JsonNode canonical(String field) {
        return Pair.canonical(Pair.root(
                (ObjectNode) Yaml.readAllExact(field.getBytes(UTF_8)).getFirst().root()));
    }
}
