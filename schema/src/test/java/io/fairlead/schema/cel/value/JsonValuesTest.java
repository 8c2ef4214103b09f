package io.fairlead.schema.cel.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class JsonValuesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1, int",
        "-9223372036854775808, -9223372036854775808, int",
        "9223372036854775808, 9.223372036854775808e18, double",
        "1.0, 1.0, double",
        "1e3, 1000.0, double",
        "0.5, 0.5, double",
    })
    void number_isAnInteger_ifItIsWrittenSo(String json, double value, String type) {
        Object ofGo = Values.ofJson(Json.read(json));
        Object ofDecimal = Values.ofJson(
                Json.readExact(json.getBytes(StandardCharsets.UTF_8)).root());

        assertThat(ofGo).isEqualTo(ofDecimal);
        assertThat(Values.typeName(ofGo)).isEqualTo(type);
        assertThat(((Number) ofGo).doubleValue()).isEqualTo(value);
    }

    @Test
    void value_isOfItsOwnForm() {
        MapValue map =
                (MapValue) Values.ofJson(Json.read("{\"s\":\"x\",\"b\":true,\"n\":null,\"l\":[1,[2]],\"m\":{}}"));

        assertThat(map.keys()).containsExactly("s", "b", "n", "l", "m");
        assertThat(map.find("s")).isEqualTo("x");
        assertThat(map.find("b")).isEqualTo(true);
        assertThat(map.find("n")).isEqualTo(Null.VALUE);
        assertThat(map.find("absent")).isNull();
        assertThat(map.find(1L)).isNull();
        ListValue list = (ListValue) map.find("l");
        assertThat(list).isNotNull();
        assertThat(list.size()).isEqualTo(2);
        assertThat(((ListValue) list.get(1)).get(0)).isEqualTo(2L);
    }

    @Test
    void value_isNoCopy() {
        ObjectNode tree = (ObjectNode) Json.read("{\"a\":{\"b\":1}}");
        MapValue map = (MapValue) Values.ofJson(tree);
        ((ObjectNode) tree.get("a")).put("b", 2);

        assertThat(((MapValue) Objects.requireNonNull(map.find("a"))).find("b")).isEqualTo(2L);
    }
}
