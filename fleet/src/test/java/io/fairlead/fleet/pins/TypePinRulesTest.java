package io.fairlead.fleet.pins;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pin that could never mean what it says is refused when it is written. */
class TypePinRulesTest {
    private static final String TYPE_PINS = "/apis/fairlead.io/v1alpha1/typepins";
    private static final String DIGEST = "v1:sha256:" + "0".repeat(64);

    private final RootCluster root = new RootCluster(_ -> Optional.empty());

    @AfterEach
    void close() {
        root.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        group: '*', clusters: {all: true}                              | spec.group                | *
        group: Example.COM, clusters: {all: true}                      | spec.group                | Example.COM
        group: fairlead.io, clusters: {all: true}                      | spec.group                | fairlead.io
        group: example.com, clusters: {matchLabels: {a b: c}}          | spec.clusters.matchLabels | a b
        group: example.com, clusters: {matchLabels: {stage: '-'}}      | spec.clusters.matchLabels | -
        group: example.com, clusters: {all: false}                     | spec.clusters.all         | false
        group: example.com, clusters: {all: true, matchNames: [prod]}  | spec.clusters             | all
        """)
    void spec_thatPinsNothing_isInvalidNamingIt(String spec, String field, String value) {
        Answer answer = create(spec + ", allow: ['" + DIGEST + "']");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).contains(field);
        assertThat(answer.message()).contains(value);
    }

    @Test
    void spec_withoutARequirement_isInvalid() {
        assertThat(create("group: example.com, clusters: {all: true}").message())
                .contains("it would pin nothing");
        assertThat(create("group: example.com, clusters: {matchLabels: {fleet.example/stage: prod}}, allow: ['" + DIGEST
                                + "']")
                        .code())
                .isEqualTo(201);
    }

    private Answer create(String spec) {
        return root.send(
                RootCluster.ADMIN,
                "POST",
                TYPE_PINS,
                "{apiVersion: fairlead.io/v1alpha1, kind: TypePin, metadata: {name: p}, spec: {" + spec + "}}");
    }
}
