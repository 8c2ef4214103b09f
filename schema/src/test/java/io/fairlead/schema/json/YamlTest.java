package io.fairlead.schema.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class YamlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: 1|{\"a\":1}",
                "a: yes|{\"a\":true}",
                "a: Off|{\"a\":false}",
                "a: oN|{\"a\":\"oN\"}",
                "a: 'yes'|{\"a\":\"yes\"}",
                "a: 0644|{\"a\":420}",
                "a: 0x1F|{\"a\":31}",
                "a: 08|{\"a\":8}",
                "a: 1_000|{\"a\":1000}",
                "a: 1e3|{\"a\":1000}",
                "a: 1.50|{\"a\":1.5}",
                "a: 2.0|{\"a\":2}",
                "a: 9007199254740993|{\"a\":9007199254740993}",
                "a: 2020-01-02|{\"a\":\"2020-01-02\"}",
                "a: 12:30:45|{\"a\":\"12:30:45\"}",
                "a: 1.2.3|{\"a\":\"1.2.3\"}",
                "a:|{\"a\":null}",
                "a: ~|{\"a\":null}",
                "a: !!str 5|{\"a\":\"5\"}",
                "a: !!int '5'|{\"a\":5}",
                "1: x|{\"1\":\"x\"}",
                "on: x|{\"true\":\"x\"}",
                "{\"j\": [1, {\"s\": \"\\u00e9\"}]}|{\"j\":[1,{\"s\":\"é\"}]}"
            })
    void read_scalar_meansWhatKubernetesToolsTakeItFor(String yaml, String json) {
        assertThat(Json.text(read(yaml))).isEqualTo(json);
    }

    @Test
    @Timeout(10)
    void read_anchorsThatHashAlike_areFoundAtOnce() {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            String bits = Integer.toBinaryString(1 << 15 | i);
            yaml.append("- &")
                    .append(bits.replace("0", "Aa").replace("1", "BB"))
                    .append(' ')
                    .append(i)
                    .append('\n');
        }

        assertThat(read(yaml.append("- *").append("BB").append("Aa".repeat(15)).toString())
                        .get(30_000)
                        .asInt())
                .isZero();
    }

    @Test
    void read_aliasesAndMergeKeys_areExpanded() {
        String yaml = """
            base: &b
              x: 1
              z: [1, 2]
            one: {<<: *b, x: 2}
            two: *b
            """;

        assertThat(Json.text(read(yaml)))
                .isEqualTo(
                        "{\"base\":{\"x\":1,\"z\":[1,2]},\"one\":{\"x\":2,\"z\":[1,2]},\"two\":{\"x\":1,\"z\":[1,2]}}");
    }

    @Test
    void read_aliasedTree_isACopy() {
        JsonNode tree = read("a: &a {x: 1}\nb: *a");

        assertThat(tree.get("a")).isEqualTo(tree.get("b")).isNotSameAs(tree.get("b"));
    }

    @Test
    void readAll_streamWithEmptyDocuments_leavesThemOut() {
        assertThat(Yaml.readAll(bytes("---\n# nothing\n---\na: 1\n---\n---\nb: 2\n")))
                .extracting(d -> Json.text(d.root()))
                .containsExactly("{\"a\":1}", "{\"b\":2}");
    }

    @Test
    void read_duplicateKeys_lastWinsAndLineIsTold() {
        Document document = Yaml.readDocument(bytes("a:\n- x: 1\n  z: 1\n  x: 2\n"));

        assertThat(Json.text(document.root())).isEqualTo("{\"a\":[{\"x\":2,\"z\":1}]}");
        assertThat(document.duplicates()).containsExactly(new DuplicateField("a[0].x", "x", 4));
        assertThat(document.duplicates().getFirst().yamlMessage()).isEqualTo("line 4: key \"x\" already set in map");
    }

    @Test
    void longNumber_isRefused_andNotRepeated() {
        assertThatThrownBy(() -> read("a: " + "9".repeat(100_000)))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("a number of 100000 characters (expected at most 1000)");
        assertThatThrownBy(() -> read("a: !!int " + "x".repeat(100_000)))
                .isInstanceOf(UnreadableDocumentException.class)
                .message()
                .hasSizeLessThan(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: [1|line 1",
                "a: *nope|line 1, column 4: the alias names no anchor",
                "a: !!java.net.URL x|tag",
                "a: !custom x|the tag !custom is not supported",
                "a: .inf|JSON has no number .inf",
                "{[1]: 2}|a key must be",
                "? {a: 1}|a key must be",
                "~: 1|a key must be",
                "a: 1e999|does not fit a float64",
                "a: &a [*a]|names no anchor"
            })
    void read_malformed_saysWhere(String yaml, String expected) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageStartingWith("invalid YAML: ")
                .hasMessageContaining(expected);
    }

    @Test
    void read_twoDocuments_isRefusedWhereOneIsExpected() {
        assertThatThrownBy(() -> read("a: 1\n---\nb: 1")).hasMessageContaining("2 documents");
    }

    @Test
    void read_aliasBomb_isRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            String alias = "*a" + (i - 1);
            bomb.append("a%d: &a%d [%s, %s, %s, %s, %s, %s, %s, %s]%n"
                    .formatted(i, i, alias, alias, alias, alias, alias, alias, alias, alias));
        }

        assertThatThrownBy(() -> read(bomb.toString())).hasMessageContaining("aliases stand for more than");
    }

    @Test
    void read_depthByAliases_isBounded() {
        StringBuilder text = new StringBuilder("- &a0 [x]\n");
        for (int i = 1; i < 300; i++) {
            text.append("- &a%d [*a%d]%n".formatted(i, i - 1));
        }

        assertThatThrownBy(() -> read(text.toString())).hasMessageContaining("nest deeper than 256 levels");
    }

    @Test
    void read_deepFlow_isRefused() {
        assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(UnreadableDocumentException.class);
    }

    @Test
    void read_ofJson_isTheSameTree() {
        long seed = Long.getLong("fuzz.seed", 7);
        RandomTrees trees = new RandomTrees(seed);
        for (int i = 0; i < 500; i++) {
            JsonNode tree = Json.object().set("root", trees.next());
            assertThat(Yaml.read(Json.write(tree)))
                    .as("seed %d, tree %d", seed, i)
                    .isEqualTo(tree);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFF, 0xFE, 0xC3})
    void bytesThatAreNoUtf8_areRefusedByOffset(int bad) {
        byte[] text = bytes("# \uFFFD\na: \"x?y\"");
        text[text.length - 3] = (byte) bad;

        for (Consumer<byte[]> reading : List.<Consumer<byte[]>>of(Yaml::readAll, Yaml::readAllExact)) {
            assertThatThrownBy(() -> reading.accept(text))
                    .isInstanceOf(UnreadableDocumentException.class)
                    .hasMessage("invalid YAML: byte 0x%02x at offset %d (expected UTF-8)", bad, text.length - 3);
        }
    }

    @Test
    void replacementCharacter_isATextLikeOthers() {
        assertThat(read("a: \uFFFD\uFFFD").path("a").stringValue()).isEqualTo("\uFFFD\uFFFD");
    }

    private static JsonNode read(String yaml) {
        return Yaml.read(bytes(yaml));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
