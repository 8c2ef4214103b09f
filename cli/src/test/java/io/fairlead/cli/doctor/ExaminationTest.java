package io.fairlead.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.doctor.Examination.Level;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How bad what a doctor finds is. */
class ExaminationTest {
    private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");

    private final Examination examination = new Examination(NOW);

    @ParameterizedTest
    @CsvSource({"-1, ERROR", "0, ERROR", "1, WARNING", "13, WARNING", "15, OK"})
    void expiry_isJudgedByTheDaysThatAreLeft(int days, Level level) {
        examination.expiry("it", Instant.MIN, NOW.plus(Duration.ofDays(days)), "renew it");

        assertThat(examination.findings())
                .extracting(Examination.Finding::level)
                .containsExactly(level);
        assertThat(examination.foundErrors()).isEqualTo(level == Level.ERROR);
    }

    @Test
    void expiry_notYetValid_isAnError() {
        examination.expiry("it", NOW.plusSeconds(1), Instant.MAX, "renew it");

        assertThat(examination.foundErrors()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"PT0S, OK", "PT-4S, OK", "PT6S, WARNING", "PT-59S, WARNING", "PT61S, ERROR", "PT-1H, ERROR"})
    void clock_isJudgedByItsDifference(Duration skew, Level level) {
        examination.clock("clock", skew);

        assertThat(examination.findings())
                .extracting(Examination.Finding::level)
                .containsExactly(level);
    }

    @Test
    void findingsThatAreNotWell_sayWhatToDo() {
        examination.clock("clock", Duration.ofHours(1));
        examination.expiry("it", Instant.MIN, NOW, "renew it");

        assertThat(examination.findings()).allMatch(finding -> !finding.advice().isEmpty());
    }
}
