package io.fairlead.schema.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeBytesTest {
    private static final int TIMES = 2_000;

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"name\":\"a text\"}", "[1,true,null]", "{\"a\":{\"b\":[\"c\"]}}"})
    void tree_isEstimatedAsItsText(String element) {
        String text = "[" + (element + ",").repeat(TIMES) + element + "]";
        byte[] json = text.getBytes(StandardCharsets.UTF_8);

        assertThat((double) TreeBytes.of(Json.read(json)))
                .isBetween(0.5 * TreeBytes.of(json), 1.5 * TreeBytes.of(json));
    }
}
