package io.fairlead.schema.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.LongNode;

class JsonTest {
    @Test
    void read_integer_isInt64() {
        assertThat(Json.read("9007199254740993")).isEqualTo(LongNode.valueOf(9007199254740993L));
        assertThat(Json.read("-9223372036854775808")).isEqualTo(LongNode.valueOf(Long.MIN_VALUE));
        assertThat(Json.read("3")).isEqualTo(Json.object().put("a", 3).get("a"));
    }

    /** Names like these share a slot of a table that is kept from text to text. */
    @Test
    void read_namesThatHashAlike_spoilsNoOtherText() {
        StringBuilder alike = new StringBuilder("{\"a\":0");
        for (int i = 0; i < 30_000; i++) {
            String bits = Integer.toBinaryString(1 << 15 | i);
            alike.append(",\"")
                    .append(bits.replace("0", "Aa").replace("1", "BB"))
                    .append("\":0");
        }

        assertThat(Json.read(alike.append('}').toString()).size()).isEqualTo(30_001);
        assertThat(Json.read("{\"unlike\":1}").path("unlike").intValue()).isEqualTo(1);
    }

    @Test
    void read_integerBeyondInt64_isDouble() {
        assertThat(Json.read("9223372036854775808")).isEqualTo(DoubleNode.valueOf(0x1p63));
    }

    @Test
    void read_decimalOrExponent_isDouble() {
        assertThat(Json.read("1.0")).isEqualTo(DoubleNode.valueOf(1));
        assertThat(Json.read("1e3")).isEqualTo(DoubleNode.valueOf(1000));
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1",
        "0.1, 0.1",
        "1e20, 100000000000000000000",
        "1e21, 1e+21",
        "1.5e300, 1.5e+300",
        "1e-6, 0.000001",
        "1e-7, 1e-7",
        "-1.25e-9, -1.25e-9",
        "-0.0, -0",
        "123456789012345678901234567890, 1.2345678901234568e+29"
    })
    void write_double_isPrintedAsByGo(String read, String written) {
        assertThat(Json.text(Json.read(read))).isEqualTo(written);
    }

    @Test
    void write_keepsOrderAndDoesNotEscapeHtml() {
        String text = "{\"z\":[1,true,null,\"<a&b>\"],\"a\":{\"é\":\"\\u0001\\n\\\"\",\"😀\":{}}}";

        assertThat(Json.text(Json.read(text))).isEqualTo(text);
    }

    @Test
    void read_loneSurrogate_becomesReplacementCharacter() {
        assertThat(Json.read("\"a\\ud800b\"").stringValue()).isEqualTo("a\ufffdb");
    }

    @Test
    void read_duplicateKeys_lastWinsAndEachIsTold() {
        Document document = Json.readDocument(
                "{\"a\":1,\"l\":[{\"x\":{\"y\":1,\n\"y\":2}}],\"a\":2,\"a\":3}".getBytes(StandardCharsets.UTF_8));

        assertThat(Json.text(document.root())).isEqualTo("{\"a\":3,\"l\":[{\"x\":{\"y\":2}}]}");
        assertThat(document.duplicates())
                .containsExactly(new DuplicateField("l[0].x.y", "y", 2), new DuplicateField("a", "a", 2));
        assertThat(document.duplicates().getFirst().message()).isEqualTo("duplicate field \"l[0].x.y\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|the text is empty",
                "{|line 1",
                "{} x|line 1, column 5",
                "{} {}|unexpected text after the end",
                "{\"spec\":{\"list\":[1,nope]}}|at spec.list[1]",
                "{\"a\":1e999}|at a: the number 1e999 does not fit a float64",
                "{'a':1}|line 1, column 3",
                "[1,]|line 1, column 5",
                "NaN|line 1",
                "01|line 1",
                "\"\t\"|line 1",
                "// c|line 1",
                "{|close marker for Object"
            })
    void read_malformed_saysWhere(String text, String expected) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOfSatisfying(
                        UnreadableDocumentException.class,
                        e -> assertThat(e.status().code()).isEqualTo(400))
                .hasMessageStartingWith("invalid JSON: ")
                .hasMessageContaining(expected)
                .hasMessageNotContaining("Source");
    }

    @Test
    void read_invalidUtf8_isRefused() {
        assertThatThrownBy(() -> Json.read(new byte[] {'"', (byte) 0xff, '"'}))
                .isInstanceOf(UnreadableDocumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32LE"})
    void read_anotherEncoding_isRefused(String encoding) {
        assertThatThrownBy(() -> Json.read("{\"a\":1}".getBytes(Charset.forName(encoding))))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("(expected UTF-8 without a byte order mark)");
    }

    @Test
    void read_byteOrderMark_isRefused() {
        assertThatThrownBy(() -> Json.read("\ufeff{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UnreadableDocumentException.class);
    }

    @Test
    void read_depth256_isRead_257_isRefused() {
        String deep = "[".repeat(256) + "]".repeat(256);

        assertThat(Json.text(Json.read(deep))).isEqualTo(deep);
        assertThatThrownBy(() -> Json.read("[" + deep + "]"))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("nest deeper than 256 levels");
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 100_000})
    void read_evenDeeper_isRefusedAlike(int depth) {
        assertThatThrownBy(() -> Json.read("{\"a\":".repeat(depth)))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("nest deeper than 256 levels");
    }

    @Test
    void read_ofWritten_isIdentity() {
        long seed = Long.getLong("fuzz.seed", 7);
        RandomTrees trees = new RandomTrees(seed);
        for (int i = 0; i < 2_000; i++) {
            JsonNode tree = trees.next();
            assertThat(Json.read(Json.write(tree)))
                    .as("seed %d, tree %d", seed, i)
                    .isEqualTo(tree);
        }
    }

    /** An overlong slash among them: texts that are compared must not become equal by reading them. */
    @ParameterizedTest
    @ValueSource(strings = {"c0af", "eda080", "eda081", "ff"})
    void readExact_bytesThatAreNoUtf8_areRefusedByOffset(String hex) {
        byte[] text = HexFormat.of().parseHex("5b22" + hex + "225d");

        assertThatThrownBy(() -> Json.readExact(text))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessage("invalid JSON: byte 0x%s at offset 2 (expected UTF-8)", hex.substring(0, 2));
    }

    /** Each repetition would otherwise cost as much as the names above it are long. */
    @Test
    void read_memberThatIsRepeatedBelowALongName_takesMemoryInProportionToTheText() {
        int half = 32 * 1024;
        byte[] text = ("{\"" + "k".repeat(half) + "\":{\"\":0" + ",\"\":0".repeat(half / 5) + "}}")
                .getBytes(StandardCharsets.UTF_8);
        var thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Json.read(text);

        long before = thread.getCurrentThreadAllocatedBytes();
        Json.read(text);
        long allocated = thread.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).isLessThan(200L * text.length);
    }
}
