package io.fairlead.cli.print;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What {@code -o yaml} prints. */
class RenderingTest {
    /** YAML 1.1, as Go's tools and many others read it, takes them for something else than texts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "no",
                "Yes",
                "off",
                "null",
                "0x1f",
                "1_000",
                "12:30",
                "1e3",
                ".inf",
                "-.INF",
                ".NaN",
                "=",
                "<<",
                "2026-01-31",
                "2026-01-31T10:00:00Z",
                "2026-1-3 10:00:00 +01:00"
            })
    void textThatYaml11ReadsOtherwise_isQuoted(String text) {
        JsonNode tree = Json.object().put("name", text).put(text, "x");

        String yaml = Rendering.yaml(tree);

        assertThat(yaml).isEqualTo("name: \"" + text + "\"\n\"" + text + "\": x\n");
        assertThat(Yaml.read(yaml.getBytes(UTF_8))).isEqualTo(tree);
    }

    @Test
    void plainTexts_areNotQuoted() {
        assertThat(Rendering.yaml(Json.object().put("name", "v1.2").put("day", "31 Jan")))
                .isEqualTo("name: v1.2\nday: 31 Jan\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "0.5", "12345678901234567890124", "-9223372036854775809", "1E+400", "1E-400", "1.25"})
    void exactNumber_isPrintedWithAllItsDigits(String number) {
        JsonNode tree = Json.readExact(number.getBytes(UTF_8)).root();

        assertThat(Rendering.yaml(tree)).isEqualTo(number + "\n");
    }
}
