package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {
    @ParameterizedTest
    @CsvSource({
        "PT-2S, <invalid>",
        "PT-1.9S, 0s",
        "PT-0.5S, 0s",
        "PT0S, 0s",
        "PT119.9S, 119s",
        "PT2M, 2m",
        "PT2M1S, 2m1s",
        "PT9M59S, 9m59s",
        "PT10M59S, 10m",
        "PT179M, 179m",
        "PT3H, 3h",
        "PT3H1M, 3h1m",
        "PT8H30M, 8h",
        "PT47H59M, 47h",
        "P2D, 2d",
        "P2DT1H, 2d1h",
        "P7DT23H, 7d23h",
        "P8DT1H, 8d",
        "P729D, 729d",
        "P730D, 2y",
        "P731D, 2y1d",
        "P2919D, 7y364d",
        "P2921D, 8y",
    })
    void age_isPrintedAsKubectlDoes(Duration age, String expected) {
        assertThat(HumanDuration.of(age)).isEqualTo(expected);
    }
}
