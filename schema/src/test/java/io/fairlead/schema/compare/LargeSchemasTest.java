package io.fairlead.schema.compare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Schemas that are made to keep a comparison busy. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LargeSchemasTest {
    @Test
    void manyDifferences_areJudgedAndTheFirstOnesTold() {
        VersionComparison comparison = compared(wide(5, 5), wide(4, 6));

        assertThat(comparison.verdict()).isEqualTo(Verdict.INCOMPATIBLE);
        assertThat(comparison.differences()).hasSize(Differences.TOLD_MAX);
        assertThat(comparison.untold()).isEqualTo(20_000 - Differences.TOLD_MAX);
    }

    @Test
    void longNamesOnADeepWay_doNotMultiply() {
        VersionComparison comparison = compared(deep("string"), deep("boolean"));

        assertThat(comparison.verdict()).isEqualTo(Verdict.INCOMPATIBLE);
        assertThat(comparison.differences().getFirst().path()).hasSizeLessThan(20_000);
    }

    /** Each of the many members would have a path as long as the name above it. */
    @Test
    void longNameAboveManyMembers_isReadAndCompared() {
        StringBuilder yaml = new StringBuilder("{type: object, properties: {? ")
                .append("n".repeat(1_000_000))
                .append(" : {type: object, properties: {");
        for (int i = 0; i < 20_000; i++) {
            yaml.append('f').append(i).append(": {x-kubernetes-future: 1}, ");
        }
        JsonNode schema = Yaml.readAllExact(yaml.append("}}}}").toString().getBytes(UTF_8))
                .getFirst()
                .root();

        assertThat(DefinitionDigests.of(Pair.definition(schema)).notUnderstood())
                .hasSize(1_000);
        assertThat(compared((ObjectNode) schema, (ObjectNode) schema).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void hugeExponents_areCompared() {
        ObjectNode before = Json.object().put("type", "number");
        before.set("maximum", exact("1e2000000000"));
        ObjectNode after = before.deepCopy();
        after.set("maximum", exact("1e2000000001"));

        assertThat(compared(Pair.root(before), Pair.root(after)).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void valuesThatHashAlike_areComparedAtOnce() {
        ObjectNode before = Json.object().put("type", "string");
        ArrayNode values = before.putArray("enum");
        for (int i = 0; i < 30_000; i++) {
            String bits = Integer.toBinaryString(1 << 15 | i);
            values.addArray().add(bits.replace("0", "Aa").replace("1", "BB"));
        }
        ObjectNode after = before.deepCopy();
        after.withArrayProperty("enum").remove(7);

        assertThat(compared(Pair.root(before), Pair.root(after)).verdict()).isNotEqualTo(Verdict.EQUAL);
    }

    private static JsonNode exact(String number) {
        return Json.readExact(number.getBytes(UTF_8)).root();
    }

    private static VersionComparison compared(ObjectNode before, ObjectNode after) {
        return VersionComparison.ofSchemas("v1", Pair.canonical(before), Pair.canonical(after));
    }

    /** Every other field has another length. */
    private static ObjectNode wide(int even, int odd) {
        ObjectNode root = Json.object().put("type", "object");
        ObjectNode properties = root.putObject("properties");
        for (int i = 0; i < 20_000; i++) {
            properties
                    .putObject("field-of-some-length-" + i)
                    .put("type", "string")
                    .put("maxLength", i % 2 == 0 ? even : odd);
        }
        return root;
    }

    private static ObjectNode deep(String type) {
        ObjectNode schema = Json.object().put("type", type);
        for (int i = 0; i < 100; i++) {
            ObjectNode outer = Json.object().put("type", "object");
            outer.putObject("properties").set("n".repeat(20_000), schema);
            schema = outer;
        }
        return schema;
    }
}
