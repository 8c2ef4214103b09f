package io.fairlead.schema.structural;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.TreeSize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class DefaultsSizeTest {
    private static final StructuralSchema SCHEMA = StructuralSchema.of(json("""
        {"type": "object", "properties": {
          "once": {"type": "object", "default": {"b": [{}, {}]}, "properties": {
            "a": {"type": "string", "default": "a text"},
            "b": {"type": "array", "items": {"type": "object", "properties": {
              "c": {"type": "integer", "default": 1}}}}}},
          "list": {"type": "array", "items": {"type": "object", "properties": {
            "d": {"type": "array", "default": [1, 2, 3], "items": {"type": "integer"}}}}},
          "map": {"type": "object", "additionalProperties": {"type": "string", "default": "of a null"}}}}
        """));

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.read(text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"once\":{}}",
                "{\"once\":{\"b\":[{},{},{}]}}",
                "{\"list\":[{},{},{}]}",
                "{\"map\":{\"a\":null,\"b\":null}}",
                "{\"list\":[{}],\"map\":{\"a\":null}}"
            })
    void whatDefaultsAdd_isNoMoreThanWasSaid(String sent) {
        ObjectNode object = json(sent);
        TreeSize before = TreeSize.of(object);

        SCHEMA.applyDefaults(object);

        long added = TreeSize.of(object).bytes() - before.bytes();
        assertThat(added).isPositive().isLessThanOrEqualTo(SCHEMA.defaultsBytesMax(before.values()));
    }

    @Test
    void itIsNotMuchMoreEither_andBounded() {
        assertThat(SCHEMA.defaultsBytesMax(3)).isLessThan(3_000);
        assertThat(SCHEMA.defaultsBytesMax(Long.MAX_VALUE)).isEqualTo(Defaulting.BYTES_MAX);
        assertThat(StructuralSchema.of(json("{\"type\":\"object\"}")).defaultsBytesMax(1_000))
                .isZero();
    }
}
