package io.fairlead.schema.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.Verdict;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** Digests of definitions with numbers that API servers round, by what a kube-apiserver kept of them. */
class StoredNumbersTest {
    /** A definition whose field {@code v} has a keyword with a number, as it was written and as a kube-apiserver kept it. */
    record Stored(String keyword, String written, String kept) {
        DefinitionDigests file() {
            return digests(definition(written));
        }

        DefinitionDigests attached() {
            return digests(definition(kept));
        }

        /** What a hosted cluster keeps of the file. */
        DefinitionDigests hosted() {
            CustomResourceDefinition.Reading reading =
                    CustomResourceDefinition.read((ObjectNode) Json.read(definition(written)));
            return digests(
                    Json.text(Objects.requireNonNull(reading.definition()).tree()));
        }

        private static DefinitionDigests digests(String definition) {
            return DefinitionDigests.of(
                    Json.readExact(definition.getBytes(UTF_8)).root());
        }

        private String definition(String number) {
            return """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                "metadata":{"name":"things.example.com"},
                "spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Thing","plural":"things"},
                "versions":[{"name":"v1","served":true,"storage":true,
                "schema":{"openAPIV3Schema":{"type":"object","properties":{"v":{"type":"number","%s":%s}}}}}]}}
                """.formatted(keyword, keyword.equals("enum") ? "[" + number + "]" : number);
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void definition_hasOneDigestInFilesAndClusters_orItsNumberIsNamed(Stored stored) {
        DefinitionDigests file = stored.file();
        DefinitionDigests attached = stored.attached();

        assertThat(stored.hosted().api()).isEqualTo(attached.api());
        assertThat(attached.notUnderstood()).isEmpty();
        if (file.notUnderstood().isEmpty()) {
            assertThat(file.api()).isEqualTo(attached.api());
            assertThat(TypeComparison.of(file, attached).verdict()).isEqualTo(Verdict.EQUAL);
        } else {
            assertThat(file.notUnderstood())
                    .singleElement()
                    .asString()
                    .startsWith("spec.versions[0].schema.openAPIV3Schema.properties.v." + stored.keyword + " (")
                    .endsWith(": API servers keep " + stored.kept + ", write that)");
            assertThat(TypeComparison.of(file, attached).verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(TypeComparison.of(attached, file).verdict()).isEqualTo(Verdict.UNKNOWN);
        }
    }

    static Stream<Stored> recorded() {
        try (InputStream in = Objects.requireNonNull(StoredNumbersTest.class.getResourceAsStream("bounds.txt"))) {
            List<String> lines = new String(in.readAllBytes(), UTF_8).lines().toList();
            return lines.stream().map(line -> line.split(" ", -1)).map(word -> new Stored(word[0], word[1], word[2]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void recordedAnswers_areOfTwoHundredBounds_someKeptAndSomeNot() {
        List<Stored> bounds = recorded()
                .filter(stored -> List.of("minimum", "maximum", "multipleOf").contains(stored.keyword))
                .toList();

        assertThat(bounds).hasSizeGreaterThanOrEqualTo(200);
        assertThat(bounds)
                .filteredOn(stored -> stored.file().notUnderstood().isEmpty())
                .hasSizeGreaterThan(40);
        assertThat(bounds)
                .filteredOn(stored -> !stored.file().notUnderstood().isEmpty())
                .hasSizeGreaterThan(40);
    }

    @Test
    void numberThatIsKeptOtherwise_isToldWithWhatToWrite() {
        Stored stored = new Stored("maximum", "9223372036854775807", "9223372036854776000");

        assertThat(stored.file().notUnderstood())
                .containsExactly("spec.versions[0].schema.openAPIV3Schema.properties.v.maximum"
                        + " (9223372036854775807: API servers keep 9223372036854776000, write that)");
    }
}
