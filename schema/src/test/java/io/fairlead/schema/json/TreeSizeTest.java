package io.fairlead.schema.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class TreeSizeTest {
    private static final int TIMES = 2_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"name\":\"a text\"}",
                "[1,true,null]",
                "{\"a\":{\"b\":[\"c\"]}}",
                "\"a: {[,\\\"-?\\n\""
            })
    void tree_isEstimatedAsItsText(String element) {
        byte[] json = list("[", element, ",", "]");
        JsonNode tree = Json.read(json);
        TreeSize estimated = TreeSize.ofJson(json);

        TreeSize size = TreeSize.of(tree);

        assertThat((double) size.bytes()).isBetween(0.5 * estimated.bytes(), 1.5 * estimated.bytes());
        assertThat(size.values()).isBetween(estimated.values() / 2, estimated.values());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- {}",
                "- []",
                "- name: a text",
                "- - -",
                "- [1,true,]",
                "- {a,b,c}",
                "- a:\n   b:\n    c:",
                "- ? a",
                "- x"
            })
    void treeOfYaml_isNoLargerThanEstimated(String element) {
        byte[] yaml = list("", element, "\n", "");

        TreeSize size = TreeSize.of(Yaml.read(yaml));

        assertThat(size.bytes()).isLessThanOrEqualTo(TreeSize.ofYaml(yaml).bytes());
        assertThat(size.values()).isLessThanOrEqualTo(TreeSize.ofYaml(yaml).values());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a: &a [{},{},{}]\nb: [*a,*a,*a,*a]", "a: &a {b: 1, c: 2}\nb: [{<<: *a},{<<: *a},{<<: *a}]"})
    void treeOfAliases_isNoLargerThanEstimated(String yaml) {
        TreeSize size = TreeSize.of(Yaml.read(yaml.getBytes(UTF_8)));

        assertThat(size.bytes())
                .isLessThanOrEqualTo(TreeSize.ofYaml(yaml.getBytes(UTF_8)).bytes());
        assertThat(size.values())
                .isLessThanOrEqualTo(TreeSize.ofYaml(yaml.getBytes(UTF_8)).values());
    }

    /** Of a ConfigMap whose data has so many members, and of a Pod with so many empty containers. */
    @Test
    void treeOfProtobuf_isNoLargerThanEstimated() {
        byte[] empty = "\u0012\u0000".repeat(TIMES).getBytes(UTF_8);
        byte[] member = "\u0012\u0006\n\u0001a\u0012\u0001b".repeat(TIMES).getBytes(UTF_8);
        byte[] text = ("\u0012\u007f" + "x".repeat(127)).repeat(TIMES).getBytes(UTF_8);

        assertThat(TreeSize.ofProtobuf(empty).bytes())
                .isGreaterThanOrEqualTo(json("{}").bytes());
        assertThat(TreeSize.ofProtobuf(member).bytes())
                .isGreaterThanOrEqualTo(json("{\"a\":\"b\"}").bytes());
        byte[] json = list("[", "[]", ",", "]");
        assertThat(TreeSize.ofProtobuf(json).bytes())
                .isGreaterThanOrEqualTo(TreeSize.ofJson(json).bytes());
        assertThat(TreeSize.ofProtobuf(text).bytes())
                .isBetween(json("\"" + "x".repeat(127) + "\"").bytes(), 12L * text.length);
    }

    private static TreeSize json(String element) {
        return TreeSize.ofJson(list("[", element, ",", "]"));
    }

    private static byte[] list(String begin, String element, String between, String end) {
        return (begin + (element + between).repeat(TIMES) + element + end).getBytes(UTF_8);
    }
}
