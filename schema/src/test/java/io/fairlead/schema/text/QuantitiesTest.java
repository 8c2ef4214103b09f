package io.fairlead.schema.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected texts are those that apimachinery's {@code resource.MustParse(text).String()} gives. */
class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "1, 1",
        "1000m, 1",
        "0.1, 100m",
        ".5, 500m",
        "5., 5.",
        "1500m, 1500m",
        "1024Mi, 1Gi",
        "1.5Gi, 1536Mi",
        "1023Ki, 1023Ki",
        "0.5Ki, 512",
        "1000, 1k",
        "1000000, 1M",
        "1024, 1024",
        "1e3, 1e3",
        "1E3, 1E3",
        "12e2, 1200",
        "1e0, 1e0",
        "0.0000000001, 1n",
        "-1.5Gi, -1536Mi",
        "9223372036854775807, 9223372036854775807",
        "100E, 100E",
        "1.500, 1.500",
        "3e-1, 300e-3",
        "1e30, 1e30",
        "+5, +5",
        "8Ki, 8Ki",
        "8192Ki, 8Mi",
        "007, 007",
        "0.010, 10m",
        "1234567890123456789012, 1234567890123456789012",
    })
    void canonical_isAsGoWritesIt(String text, String canonical) {
        assertThat(Quantities.canonical(text)).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1x", "1 Gi", "--1", "1KI", "1.2.3", "e3"})
    void whatIsNoQuantity_hasNoValue(String text) {
        assertThat(Quantities.canonical(text)).isEmpty();
        assertThat(Quantities.value(text)).isEmpty();
    }

    @Test
    void textOfAThousandDigits_isTheLongest() {
        assertThat(Quantities.value("1".repeat(Quantities.CHARS_MAX))).isPresent();
        assertThat(Quantities.value("1".repeat(Quantities.CHARS_MAX + 1))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 500m, 1500m",
        "500m, 500m, 1",
        "1Gi, 512Mi, 1536Mi",
        "1Gi, 1k, 1073742824",
        "0, 1Gi, 1Gi",
        "1Gi, 0, 1Gi",
        "x, 2, 2"
    })
    void sum_hasTheFormatOfTheFirstThatIsNotZero(String first, String second, String sum) {
        assertThat(Quantities.sum(first, second)).isEqualTo(sum);
        assertThat(Quantities.isAbove(sum, first)).isEqualTo(!sum.equals(first));
    }
}
