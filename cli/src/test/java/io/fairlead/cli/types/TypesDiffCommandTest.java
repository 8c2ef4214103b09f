package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FairleadCommand;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code fairlead types diff} of files and folders. */
class TypesDiffCommandTest {
    private static final String WIDGET = Widgets.with(
            "size: {type: integer, maximum: 5}, words: {type: array, items: {type: string, maxLength: 9}}");
    private static final String GADGET = WIDGET.replace("widgets", "gadgets").replace("Widget", "Gadget");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("old.yaml"), WIDGET);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        maximum: 5    | maximum: 5.0                               | 0 | Equal
        maximum: 5    | maximum: 6                                 | 0 | Wider
        maximum: 5    | maximum: 4                                 | 2 | Narrower
        type: integer | type: string                               | 2 | Incompatible
        maximum: 5    | maximum: 5, not: {minimum: 1}              | 3 | Unknown
        maximum: 5    | maximum: 5, x-kubernetes-future: true      | 3 | Unknown
        maximum: 5    | maximum: 4, x-kubernetes-future: true      | 3 | Unknown
        """)
    void exitCode_isTheVerdict(String old, String now, int exitCode, String verdict) throws IOException {
        Files.writeString(folder.resolve("new.yaml"), WIDGET.replace(old, now));

        assertThat(diff("file:old.yaml", "file:new.yaml", "-o", "json"))
                .as("%s", err)
                .isEqualTo(exitCode);

        JsonNode type = Json.read(out.toString()).get(0);
        assertThat(type.propertyNames()).containsExactly("group", "kind", "verdict", "differences", "versions");
        assertThat(type.path("verdict").stringValue()).isEqualTo(verdict);
        JsonNode version = type.path("versions").path(0);
        assertThat(version.path("name").stringValue()).isEqualTo("v1");
        assertThat(version.path("verdict").stringValue()).isEqualTo(verdict);
    }

    @Test
    void differences_arePathRuleOldNewAndVerdict() throws IOException {
        Files.writeString(
                folder.resolve("new.yaml"),
                WIDGET.replace("maximum: 5", "maximum: 6").replace("9", "8"));

        assertThat(diff("file:old.yaml", "file:new.yaml")).isEqualTo(2);

        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "TYPE VERSION PATH RULE OLD NEW VERDICT",
                        "Widget.example.com v1 - - - - Incompatible",
                        "Widget.example.com v1 .size maximum 5 6 Wider",
                        "Widget.example.com v1 .words[*] maxLength 9 8 Narrower");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void jsonDifference_hasOldAndNewAsValues() throws IOException {
        Files.writeString(folder.resolve("new.yaml"), WIDGET.replace("{type: integer, maximum: 5}", "{type: integer}"));

        assertThat(diff("file:old.yaml", "file:new.yaml", "-o", "json")).isZero();

        JsonNode difference = Json.read(out.toString())
                .path(0)
                .path("versions")
                .path(0)
                .path("differences")
                .path(0);
        assertThat(Json.text(difference))
                .isEqualTo("{\"path\":\".size\",\"rule\":\"maximum\",\"old\":5,\"verdict\":\"Wider\"}");
    }

    /** kube-apiserver refuses them, so nobody can say what they mean, even if both sides have them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        default: 1e400         | default: 1e400
        default: 1e999999999   | default: 1e999999999
        maximum: 1e400         | maximum: 1e400
        maximum: 1e400         | maximum: 2e400
        enum: [1, 1e400]       | enum: [1, 1e400]
        enum: [1e400]          | enum: [2e400]
        enum: [1]              | enum: [1, 1e400]
        """)
    void numbersBeyondADouble_areUnknown(String old, String now) throws IOException {
        Files.writeString(folder.resolve("old.yaml"), WIDGET.replace("maximum: 5", old));
        Files.writeString(folder.resolve("new.yaml"), WIDGET.replace("maximum: 5", now));

        for (String form : List.of("table", "json", "yaml", "name")) {
            assertThat(diff("file:old.yaml", "file:new.yaml", "-o", form))
                    .as("-o %s: %s", form, err)
                    .isEqualTo(3);
        }
        assertThat(out.toString()).contains(" Unknown").contains("E+");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void numbersThatOnlyDifferBeyondADouble_arePrintedWithAllDigits() throws IOException {
        String digits = "1234567890123456789012";
        Files.writeString(folder.resolve("old.yaml"), WIDGET.replace("maximum: 5", "maximum: " + digits + "3"));
        Files.writeString(folder.resolve("new.yaml"), WIDGET.replace("maximum: 5", "maximum: " + digits + "4"));

        diff("file:old.yaml", "file:new.yaml", "-o", "yaml");

        assertThat(out.toString()).contains("old: " + digits + "3\n").contains("new: " + digits + "4\n");
    }

    @Test
    void bytesThatAreNoUtf8_areRefused() throws IOException {
        byte[] text = WIDGET.replace("maximum: 5", "enum: [\"a?b\"]").getBytes(UTF_8);
        int at = WIDGET.indexOf("maximum: 5") + "enum: [\"a".length();
        text[at] = (byte) 0xFF;
        Files.write(folder.resolve("new.yaml"), text);

        assertThat(diff("file:new.yaml", "file:new.yaml")).isEqualTo(4);

        assertThat(err.toString()).contains("new.yaml: invalid YAML: byte 0xff at offset " + at + " (expected UTF-8)");
    }

    /** A file must not write to the terminal, begin rows of its own or hide a difference behind letters that look alike. */
    @Test
    void table_isOfPrintableAsciiAlone() throws IOException {
        String field = "\"a\\e[2J\\nb\": {type: string, default: \"%s\"}, c: {type: string, default: %s}";
        Files.writeString(folder.resolve("old.yaml"), Widgets.with(field.formatted("p\u0430y\\x9b", "\"5\"")));
        Files.writeString(folder.resolve("new.yaml"), Widgets.with(field.formatted("pay\\x9b", "5")));

        assertThat(diff("file:old.yaml", "file:new.yaml")).as("%s", err).isEqualTo(2);

        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "TYPE VERSION PATH RULE OLD NEW VERDICT",
                        "Widget.example.com v1 - - - - Incompatible",
                        "Widget.example.com v1 ['a\\u001B[2J\\u000Ab'] default \"p\\u0430y\\u009B\" \"pay\\u009B\""
                                + " Incompatible",
                        "Widget.example.com v1 .c default \"5\" 5 Incompatible");
    }

    @Test
    void servedAsAText_isUnknown() throws IOException {
        Files.writeString(folder.resolve("new.yaml"), WIDGET.replace("served: true", "served: \"true\""));

        assertThat(diff("file:new.yaml", "file:new.yaml")).isEqualTo(3);
        assertThat(out.toString()).contains("spec.versions[0].served");
    }

    @Test
    void folders_arePairedByType() throws IOException {
        Path old = Files.createDirectories(folder.resolve("old/below"));
        Path now = Files.createDirectories(folder.resolve("new"));
        Files.writeString(old.resolve("widget.yaml"), WIDGET);
        Files.writeString(old.resolve("values.yaml"), "a: 1");
        Files.writeString(old.resolve("notes.txt"), "{");
        Files.writeString(now.resolve("all.yml"), GADGET + "---\n" + WIDGET);

        assertThat(diff("dir:old", "dir:new", "-o", "name")).as("%s", err).isZero();
        assertThat(out.toString()).isEqualTo("Gadget.example.com\nWidget.example.com\n");
        out.getBuffer().setLength(0);

        assertThat(diff("dir:new", "dir:old")).isEqualTo(2);
        assertThat(out.toString())
                .containsPattern("Gadget.example.com +\\* +spec +definition +v1:sha256:.* Incompatible");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        file:none.yaml   | 4  | none.yaml: there is no such file
        dir:none         | 4  | none: there is no such folder
        dir:old.yaml     | 4  | old.yaml: it is not a directory
        dir:empty        | 4  | empty: no CustomResourceDefinition
        dir:twice        | 4  | it defines Widget.example.com twice
        dir:broken       | 4  | broken/a.yaml: invalid YAML
        old.yaml         | 64 | "old.yaml" names no source of types
        helm:old.yaml    | 64 | expected file:FILE, dir:FOLDER
        file:            | 64 | "file:" names no source of types
        cluster:No!      | 64 | cluster id: "No!"
        """)
    void sourceThatCannotBeRead_isNamed(String source, int exitCode, String says) throws IOException {
        Files.createDirectories(folder.resolve("empty"));
        Path twice = Files.createDirectories(folder.resolve("twice"));
        Files.writeString(twice.resolve("a.yaml"), WIDGET);
        Files.writeString(twice.resolve("b.yaml"), WIDGET.replace("maximum: 5", "maximum: 6"));
        Files.writeString(Files.createDirectories(folder.resolve("broken")).resolve("a.yaml"), "a: [");

        assertThat(diff("file:old.yaml", source)).as("%s", err).isEqualTo(exitCode);

        assertThat(err.toString()).contains(says);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void clusterThatIsNotThere_isExitCode4() {
        assertThat(diff(
                        "file:old.yaml",
                        "cluster:dev",
                        "--kubeconfig",
                        folder.resolve("none").toString()))
                .isEqualTo(4);

        assertThat(err.toString()).contains("does not exist (expected the kubeconfig of a Fairlead server)");
    }

    /** Texts that are made to keep a reader busy end with an answer or a named error. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void hostileTexts_endWithANamedError() throws IOException {
        String aliases = WIDGET.replace("{type: integer, maximum: 5}", "&a {properties: {x: *a}}");
        Files.writeString(folder.resolve("cyclic.yaml"), aliases);
        assertThat(diff("file:old.yaml", "file:cyclic.yaml")).isEqualTo(4);
        assertThat(err.toString()).contains("the alias names no anchor before it");

        String nested = "{properties: {x: ".repeat(200) + "{type: string}" + "}}".repeat(200);
        Files.writeString(folder.resolve("deep.yaml"), WIDGET.replace("{type: integer, maximum: 5}", nested));
        assertThat(diff("file:old.yaml", "file:deep.yaml")).isEqualTo(4);
        assertThat(err.toString()).contains("nest deeper than 256 levels");
    }

    private int diff(String... arguments) {
        List<String> all = new ArrayList<>(List.of("types", "diff"));
        for (String argument : arguments) {
            all.add(argument.replaceFirst("^(file|dir):(?=.)", "$1:" + folder + "/"));
        }
        return FairleadCommand.execute(all, new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
