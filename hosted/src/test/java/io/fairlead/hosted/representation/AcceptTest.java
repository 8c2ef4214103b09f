package io.fairlead.hosted.representation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptTest {
    private static final List<String> OFFERED = List.of(Accept.JSON, Accept.YAML);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "''                                                        | application/json",
                "*/*                                                       | application/json",
                "*                                                         | application/json",
                "application/*                                             | application/json",
                "application/yaml                                          | application/yaml",
                "APPLICATION/YAML                                          | application/yaml",
                "text/html;q=0.9, application/json;q=0.1, application/yaml;q=0.2 | application/yaml",
                "*/*, application/yaml                                     | application/yaml",
                "*/*;q=0.8, application/yaml;q=0.5                         | application/json",
                "application/vnd.kubernetes.protobuf, application/json     | application/json",
                "application/vnd.kubernetes.protobuf                       | none",
                "application/json;q=0                                      | application/json",
                "application/json;q=0, application/yaml;q=0.1              | application/yaml",
                "garbage                                                   | none",
                "application/json;as=Table, application/yaml               | application/yaml",
            })
    void choose_takesTheBestClauseThatCanBeSatisfied(String header, String expected) {
        Accept.Choice choice =
                Accept.parse(header).choose(OFFERED, (mediaType, range) -> range.transformation() == null);

        assertThat(choice == null ? null : choice.mediaType()).isEqualTo(expected);
    }

    @Test
    void transformation_isReadInAnyOrderOfParameters() {
        MediaRange range = Accept.parse("application/json; g=meta.k8s.io ;v=\"v1\"; as=Table")
                .ranges()
                .getFirst();

        assertThat(Objects.requireNonNull(range.transformation()))
                .isEqualTo(new MediaRange.Transformation("meta.k8s.io", "v1", "Table"));
    }

    @Test
    void endlessHeader_isCutOff() {
        assertThat(Accept.parse("a/b,".repeat(100_000)).ranges()).hasSize(64);
    }

    @Test
    void refusal_listsWhatThereIs() {
        assertThat(Accept.notAcceptable(OFFERED).message())
                .isEqualTo("only the following media types are accepted: application/json, application/yaml");
    }
}
