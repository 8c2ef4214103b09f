package io.fairlead.index.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was observed of a condition, beside what its object states about it. */
class TimeLineTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    @Test
    void restoredTimeOfAnEarlierTransition_isMarked_andTheOutageStays() {
        TimeLine line = line("True@11:00:00", "False@12:00:10", "True@11:00:00");

        assertThat(line.rows().stream().map(row -> row.claim().status())).containsExactly("True", "False", "True");
        assertThat(verdicts(line))
                .containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.STATED, ConditionVerdict.TRAVELLED);
        assertThat(line.rows().stream().map(ConditionRow::observed))
                .containsExactly(NOON, NOON.plusSeconds(10), NOON.plusSeconds(20));
    }

    /** Each claim is observed ten seconds after the one before. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        True@11:00:00 False@12:00:10 True@12:00:20               | FIRST_SIGHT STATED STATED
        True@11:00:00 False@11:00:00                             | FIRST_SIGHT UNSTATED
        True@11:00:00 False@                                     | FIRST_SIGHT UNSTATED
        True@11:00:00 False@yesterday                            | FIRST_SIGHT UNSTATED
        True@11:00:00 False@ True@11:00:00                       | FIRST_SIGHT UNSTATED TRAVELLED
        True@11:00:00 False@10:59:59                             | FIRST_SIGHT TRAVELLED
        True@11:00:00 False@12:00:10 True@11:00:00 False@12:00:10 | FIRST_SIGHT STATED TRAVELLED TRAVELLED
        True@11:00:00 False@12:00:10 True@11:00:00 False@12:00:30 | FIRST_SIGHT STATED TRAVELLED STATED
        True@11:00:00 @ True@11:00:00                            | FIRST_SIGHT REMOVED TRAVELLED
        True@11:00:00 @ True@12:00:20                            | FIRST_SIGHT REMOVED STATED
        True@11:00:00 True@12:00:10 False@12:00:05               | FIRST_SIGHT TRAVELLED
        True@11:00:00 True@11:00:00 True@12:00:20                | FIRST_SIGHT
        True@11:00:00 True@10:00:00                              | FIRST_SIGHT
        True@ False@ True@                                       | FIRST_SIGHT UNSTATED UNSTATED
        Maybe@11:00:00 Unknown@12:00:10                          | FIRST_SIGHT STATED
        @ @                                                      | ''
        """)
    void verdicts_areThoseOfTheStatedTimes(String claims, String verdicts) {
        assertThat(String.join(
                        " ",
                        verdicts(line(claims.split(" "))).stream()
                                .map(Enum::name)
                                .toList()))
                .isEqualTo(verdicts);
    }

    @ParameterizedTest
    @CsvSource({"0, STATED", "900, STATED", "2000, STATED", "2001, UNSTATED", "60000, UNSTATED"})
    void equalTime_isBelievedOfChangesWithinOneSecond(long laterMillis, ConditionVerdict verdict) {
        TimeLine line = TimeLine.EMPTY
                .with(claim("False@12:00:00"), NOON)
                .with(claim("True@12:00:00"), NOON.plusMillis(laterMillis));

        assertThat(line.rows().getLast().verdict()).isEqualTo(verdict);
    }

    @Test
    void firstSightAfterARestart_isNoTransition_butWhatWasStatedBeforeCounts() {
        TimeLine line = line("True@11:00:00", "False@12:00:10")
                .firstSight(claim("True@11:00:00"), NOON.plusSeconds(60))
                .with(claim("False@12:00:10"), NOON.plusSeconds(70));

        assertThat(verdicts(line))
                .containsExactly(
                        ConditionVerdict.FIRST_SIGHT,
                        ConditionVerdict.STATED,
                        ConditionVerdict.FIRST_SIGHT,
                        ConditionVerdict.TRAVELLED);
    }

    @Test
    void anotherObjectOfTheSameName_isNotJudgedByTheOneBefore() {
        TimeLine line = line("True@11:00:00", "False@12:00:10")
                .anotherObject()
                .firstSight(claim("False@10:00:00"), NOON.plusSeconds(60))
                .with(claim("True@10:00:05"), NOON.plusSeconds(70));

        assertThat(verdicts(line).subList(2, 4)).containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.STATED);
    }

    @Test
    void firstSightsInARow_keepTheFirstAndTheLast() {
        TimeLine line = TimeLine.EMPTY;
        for (int i = 0; i < 100; i++) {
            line = line.firstSight(claim("True@11:00:00"), NOON.plusSeconds(i));
        }

        assertThat(line.rows().stream().map(ConditionRow::observed)).containsExactly(NOON, NOON.plusSeconds(99));
    }

    @Test
    void line_keepsTheLast32_andTheLatestTimeOfThoseBefore() {
        TimeLine line = TimeLine.EMPTY.with(claim("True@13:00:00"), NOON);
        for (int i = 1; i <= 100; i++) {
            line = line.with(claim((i % 2 == 0 ? "True" : "False") + "@12:00:00"), NOON.plusSeconds(10L * i));
        }

        assertThat(line.rows()).hasSize(32);
        assertThat(line.with(claim("Unknown@12:59:59"), NOON.plusSeconds(5_000))
                        .rows()
                        .getLast()
                        .verdict())
                .isEqualTo(ConditionVerdict.TRAVELLED);
    }

    @Test
    void clockThatIsSetBack_movesNoObservationBack() {
        TimeLine line =
                TimeLine.EMPTY.with(claim("True@11:00:00"), NOON).with(claim("False@11:00:01"), NOON.minusSeconds(60));

        assertThat(line.rows().getLast().observed()).isEqualTo(NOON);
    }

    @Test
    void longTexts_areCut() {
        assertThat(new ConditionClaim("s".repeat(1_000), "", "1", "m".repeat(1_000)).manager())
                .hasSize(256);
    }

    private static TimeLine line(String... claims) {
        TimeLine line = TimeLine.EMPTY;
        for (int i = 0; i < claims.length; i++) {
            line = line.with(claim(claims[i]), NOON.plusSeconds(10L * i));
        }
        return line;
    }

    /** {@code STATUS@TIME}, either of which may be missing. */
    private static ConditionClaim claim(String text) {
        int at = text.indexOf('@');
        String time = text.substring(at + 1);
        return new ConditionClaim(
                text.substring(0, at), time.matches("[0-9:]+") ? "2026-01-02T" + time + "Z" : time, "7", "kubelet");
    }

    private static List<ConditionVerdict> verdicts(TimeLine line) {
        return line.rows().stream().map(ConditionRow::verdict).toList();
    }
}
