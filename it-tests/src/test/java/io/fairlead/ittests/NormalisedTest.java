package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NormalisedTest {
    private static final String DIRECT = "https://127.0.0.1:6443";

    @Test
    void whatMustDiffer_isReplaced() {
        String yaml = """
            metadata:
              creationTimestamp: "2026-01-02T03:04:05Z"
              resourceVersion: "812"
              uid: 0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f
            """;

        assertThat(Normalised.of(yaml, DIRECT).text()).isEqualTo("""
            metadata:
              creationTimestamp: "<time>"
              resourceVersion: "<rv>"
              uid: <uid>
            """);
    }

    @Test
    void compactJson_isNormalisedToo() {
        assertThat(Normalised.of("{\"resourceVersion\":\"812\",\"x\":\"812\"}", DIRECT)
                        .text())
                .isEqualTo("{\"resourceVersion\":\"<rv>\",\"x\":\"812\"}");
    }

    @Test
    void tables_doNotDependOnTheWidthOfAges() {
        String young = "NAME   DATA   AGE\na      1      9s\n";
        String old = "NAME   DATA   AGE  \na      1      1m10s\n";

        assertThat(Normalised.of(young, DIRECT)).isEqualTo(Normalised.of(old, DIRECT));
    }

    @Test
    void theServersUrl_isReplacedWithItsPath() {
        assertThat(Normalised.of("at https://localhost:7443/clusters/prod/api", "https://localhost:7443/clusters/prod")
                        .text())
                .isEqualTo("at <server>/api");
    }

    @Test
    void whatMustNotDiffer_stays() {
        String text = "  name: a  generation: 3  count: 5\n  value: 10s-or-so data 2026-01-02";

        assertThat(Normalised.of(text, DIRECT).text()).contains("generation: 3", "10s-or-so", "2026-01-02", "count: 5");
        assertThat(Normalised.of("a: 1", DIRECT)).isNotEqualTo(Normalised.of("a: 2", DIRECT));
        assertThat(Normalised.of("a:\n  b", DIRECT)).isNotEqualTo(Normalised.of("a:\n    b", DIRECT));
    }
}
