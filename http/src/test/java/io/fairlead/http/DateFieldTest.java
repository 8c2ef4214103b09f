package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

class DateFieldTest {
    /** The example of RFC 9110 section 5.6.7, and a day of one digit. */
    @Test
    void time_isFixedInLength() {
        assertThat(DateField.text(Instant.parse("1994-11-06T08:49:37.9Z"))).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    }

    @Test
    void now_isTheTimeOfTheClock_inEachSecond() {
        Instant first = told();
        Instant later = first;
        while (later.equals(first)) {
            later = told();
            assertThat(Duration.between(later, Instant.now())).isBetween(Duration.ZERO, Duration.ofMillis(1_500));
        }

        assertThat(Duration.between(first, later)).isPositive();
    }

    private static Instant told() {
        return ZonedDateTime.parse(DateField.now(), DateTimeFormatter.RFC_1123_DATE_TIME)
                .toInstant();
    }
}
