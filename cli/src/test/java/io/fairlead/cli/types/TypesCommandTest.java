package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FairleadCommand;
import io.fairlead.schema.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code fairlead types} where no server is asked. */
class TypesCommandTest {
    private static final String YAML = """
        # what came before
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: ops}
        ---
        """ + Widgets.with("size: {type: integer, maximum: 1.5e3}");
    private static final String JSON = """
        {"apiVersion": "v1", "kind": "List", "items": [{
          "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
          "metadata": {"name": "widgets.example.com", "uid": "u", "resourceVersion": "7"},
          "spec": {
            "conversion": {"strategy": "None"}, "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
              "description": "A widget.", "type": "object",
              "properties": {"size": {"maximum": 1500, "type": "integer"}}}}}]}}]}
        """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void digests_ofAFileAndOfWhatWasReadBack_areEqual() throws IOException {
        assertThat(digest("file.yaml", YAML)).isZero();
        JsonNode file = Json.read(out.toString());
        out.getBuffer().setLength(0);
        assertThat(digest("live.json", JSON)).isZero();
        JsonNode live = Json.read(out.toString());

        assertThat(file).hasSize(1);
        JsonNode type = file.get(0);
        assertThat(type.propertyNames()).containsExactly("group", "kind", "api", "full", "versions");
        assertThat(type.path("group").stringValue()).isEqualTo("example.com");
        assertThat(type.path("kind").stringValue()).isEqualTo("Widget");
        assertThat(type.path("api")).isEqualTo(live.get(0).path("api"));
        assertThat(type.path("versions"))
                .isEqualTo(live.get(0).path("versions"))
                .hasSize(1);
        assertThat(type.path("full")).isNotEqualTo(live.get(0).path("full"));
        assertThat(err.toString()).isEmpty();
    }

    /** What is promised for good; worked out by another program from the specification. */
    @Test
    void digests_areThoseOfTheSpecification() throws IOException {
        digest("file.yaml", YAML);

        JsonNode type = Json.read(out.toString()).get(0);
        assertThat(type.path("versions").path(0).path("schema").stringValue())
                .isEqualTo("v1:sha256:4c3889fe5249dc18d42bf13394633093d7c59b4788522fee8fa142181461631a");
        assertThat(type.path("api").stringValue())
                .isEqualTo("v1:sha256:2e557689dc4f6faa15e280b06a25357f86a434158fdb53ee7c619e3191aac474");
        assertThat(type.path("full").stringValue())
                .isEqualTo("v1:sha256:ca4da2d15bd6a70d786f5cf5b89a667e068d1d7f98589ce5173f6ec1d16be2d9");
    }

    @Test
    void unknownKeyword_isAWarningThatNamesIt() throws IOException {
        String future = YAML.replace("type: integer,", "type: integer, x-kubernetes-future: 1,");

        assertThat(digest("future.yaml", future)).isZero();

        assertThat(err.toString())
                .startsWith("warning: Widget.example.com: ")
                .contains("openAPIV3Schema.properties.size.x-kubernetes-future");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        kind: Namespace                          | no CustomResourceDefinition in it
        {                                        | invalid JSON: line 2
        a: [                                     | invalid YAML: line 2
        a: &a [*a]                               | the alias names no anchor before it
        {"kind": "x", "kind": "y"}               | duplicate field "kind"
        {"x": 1e9999999999}                      | the number 1e9999999999 does not fit
        """)
    void unreadableFile_isExitCode4NamingFileAndFault(String text, String fault) throws IOException {
        assertThat(digest("bad", text + "\n")).isEqualTo(4);

        assertThat(err.toString())
                .startsWith("error: " + folder.resolve("bad") + ": ")
                .contains(fault);
        assertThat(out.toString()).isEmpty();
    }

    /** As {@code kubectl get --raw} prints it. */
    @Test
    void elementsOfADefinitionList_areOfTheListsKind() throws IOException {
        String list = JSON.replace(
                        "\"v1\", \"kind\": \"List\"",
                        "\"apiextensions.k8s.io/v1\", \"kind\": \"CustomResourceDefinitionList\"")
                .replace("\"apiVersion\": \"apiextensions.k8s.io/v1\", \"kind\": \"CustomResourceDefinition\",", "");
        assertThat(digest("file.yaml", JSON)).isZero();
        String whole = out.toString();
        out.getBuffer().setLength(0);

        assertThat(digest("raw.json", list)).as("%s", err).isZero();

        assertThat(out.toString()).isEqualTo(whole);
        assertThat(digest("other.json", list.replace("CustomResourceDefinitionList", "CustomResourceList")))
                .isEqualTo(4);
    }

    @Test
    void standardInput_isAFileNamedDash() throws IOException {
        assertThat(digest("file.yaml", YAML)).isZero();
        String expected = out.toString();

        for (String source : List.of("--filename=-", "file:-")) {
            out.getBuffer().setLength(0);
            assertThat(executeWith(YAML, "types", "digest", source, "-o", "json"))
                    .as("%s", err)
                    .isZero();
            assertThat(out.toString()).isEqualTo(expected);
        }
        assertThat(executeWith("a: [", "types", "digest", "-f", "-")).isEqualTo(4);
        assertThat(err.toString()).contains("error: standard input: invalid YAML: line 1");
    }

    @Test
    void standardInputThatIsLarge_isRefused() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return ' ';
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                Arrays.fill(into, offset, offset + length, (byte) ' ');
                return length;
            }
        };

        assertThat(executeWith(endless, "types", "digest", "-f", "-")).isEqualTo(4);
        assertThat(err.toString()).contains("standard input: more than 67108864 bytes (expected at most as many)");
    }

    @Test
    void definitionWithoutAGroup_isNamed() throws IOException {
        assertThat(digest("bad.yaml", YAML.replace("  group: example.com\n", "")))
                .isEqualTo(4);

        assertThat(err.toString()).contains("CustomResourceDefinition \"widgets.example.com\": spec.group");
    }

    @Test
    void missingFile_isNamed() {
        assertThat(execute("types", "digest", "-f", folder.resolve("none.yaml").toString()))
                .isEqualTo(4);

        assertThat(err.toString()).contains("none.yaml: there is no such file");
    }

    private int digest(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        return execute("types", "digest", "-f", file.toString(), "-o", "json");
    }

    private int executeWith(String input, String... arguments) {
        return executeWith(new ByteArrayInputStream(input.getBytes(UTF_8)), arguments);
    }

    private int executeWith(InputStream input, String... arguments) {
        InputStream before = System.in;
        System.setIn(input);
        try {
            return execute(arguments);
        } finally {
            System.setIn(before);
        }
    }

    private int execute(String... arguments) {
        return FairleadCommand.execute(List.of(arguments), new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
