package io.fairlead.schema.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Values as keys: equal as the values are, and of hashes that no client can foresee. */
final class JsonKeyTest {
    private static final int BITS = 12;

    @Test
    void equalValues_areEqualKeys() {
        assertThat(key("{\"a\": 1, \"b\": [true, null, 1.5]}")).isEqualTo(key("{\"b\": [true, null, 1.5], \"a\": 1}"));
        assertThat(key("{\"a\": 1, \"b\": 2}")).isNotEqualTo(key("{\"a\": 2, \"b\": 1}"));
        assertThat(key("[1, 2]")).isNotEqualTo(key("[2, 1]"));
        assertThat(key("\"1\"")).isNotEqualTo(key("1"));
    }

    @Test
    void textsOfOneHash_haveManyAsKeys() {
        Set<Integer> ofTexts = new HashSet<>();
        Set<Integer> ofKeys = new HashSet<>();
        IntStream.range(0, 1 << BITS).mapToObj(JsonKeyTest::colliding).forEach(text -> {
            ofTexts.add(text.hashCode());
            ofKeys.add(key("{\"name\": \"" + text + "\"}").hashCode());
        });

        assertThat(ofTexts).hasSize(1);
        assertThat(ofKeys).hasSizeGreaterThan((1 << BITS) - 10);
    }

    private static String colliding(int number) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < BITS; bit++) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    private static JsonKey key(String json) {
        JsonNode value = Json.read(json.getBytes(UTF_8));
        return new JsonKey(value);
    }
}
