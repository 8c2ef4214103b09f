package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which resourceVersions a request may name after a rewind. */
class RewoundRevisionsTest {
    private static final Duration GRACE = Duration.ofSeconds(60);
    private static final Instant PROVEN = Instant.parse("2026-11-24T12:00:00Z");
    private static final Instant AT_ONCE = PROVEN;
    private static final Instant LAST_MOMENT = PROVEN.plus(GRACE).minusMillis(1);
    private static final Instant LATER = PROVEN.plus(GRACE);

    /** Restored to 500 or a little above, after 1000. */
    private static final RewoundRevisions REWOUND = RewoundRevisions.NONE.with(new Rewind("500", "1000", PROVEN));

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        from before the restore point        | 500  | 600  | CURRENT    | CURRENT
        just behind it                       | 501  | 600  | REWOUND    | REUSED
        at the head                          | 600  | 600  | REWOUND    | REUSED
        above the head                       | 601  | 600  | ABOVE_HEAD | ABOVE_HEAD
        at the old head                      | 1000 | 600  | ABOVE_HEAD | ABOVE_HEAD
        above the old head                   | 1001 | 600  | ABOVE_HEAD | ABOVE_HEAD
        at the old head, which is reached    | 1000 | 1000 | REWOUND    | REUSED
        above both, the old head is reached  | 1001 | 1000 | ABOVE_HEAD | ABOVE_HEAD
        below the old head, which is passed  | 1000 | 1001 | REWOUND    | REUSED
        above both, the old head is passed   | 1002 | 1001 | CURRENT    | CURRENT
        head not known, covered              | 700  | ''   | REWOUND    | REUSED
        head not known, above the old head   | 1001 | ''   | CURRENT    | CURRENT
        head cannot be ordered               | 700  | abc  | REWOUND    | REUSED
        longer than the head                 | 10000 | 9999 | CURRENT   | CURRENT
        """)
    void row(String name, String named, String head, NamedRevision within, NamedRevision later) {
        assertThat(REWOUND.judge(named, head, AT_ONCE, GRACE)).isEqualTo(within);
        assertThat(REWOUND.judge(named, head, LAST_MOMENT, GRACE)).isEqualTo(within);
        assertThat(REWOUND.judge(named, head, LATER, GRACE)).isEqualTo(later);
    }

    @Test
    void clockThatWasSetBack_makesTheGraceNoLonger() {
        assertThat(REWOUND.judge("700", "800", PROVEN.minusSeconds(5), GRACE)).isEqualTo(NamedRevision.REWOUND);
        assertThat(REWOUND.judge("700", "800", PROVEN.minus(GRACE), GRACE)).isEqualTo(NamedRevision.REUSED);
        assertThat(RewoundRevisions.NONE
                        .with(new Rewind("500", "1000", Instant.MAX))
                        .judge("700", "800", PROVEN, GRACE))
                .isEqualTo(NamedRevision.REUSED);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#notComparable")
    void versionThatCannotBeOrdered_isNeverExpired(String named) {
        assertThat(REWOUND.judge(named, "600", AT_ONCE, GRACE)).isEqualTo(NamedRevision.CURRENT);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#pairs")
    void versionsOfAnyLength_areCompared(String lower, String higher) {
        RewoundRevisions rewound = RewoundRevisions.NONE.with(new Rewind(lower, higher, PROVEN));

        assertThat(rewound.judge(lower, higher, AT_ONCE, GRACE)).isEqualTo(NamedRevision.CURRENT);
        assertThat(rewound.judge(higher, higher, AT_ONCE, GRACE)).isEqualTo(NamedRevision.REWOUND);
        assertThat(rewound.judge(higher, lower, AT_ONCE, GRACE)).isEqualTo(NamedRevision.ABOVE_HEAD);
    }

    @Test
    void historyThatWasNeverRewound_expiresNothing() {
        assertThat(RewoundRevisions.NONE.judge("1000", "5", AT_ONCE, GRACE)).isEqualTo(NamedRevision.CURRENT);
        assertThat(RewoundRevisions.NONE.isEmpty()).isTrue();
        assertThat(RewoundRevisions.NONE.last()).isEmpty();
    }

    @Test
    void restorePointThatIsNotKnown_coversEverythingBelowTheOldHead() {
        RewoundRevisions rewound = RewoundRevisions.NONE.with(new Rewind("", "1000", PROVEN));

        assertThat(rewound.judge("1", "600", AT_ONCE, GRACE)).isEqualTo(NamedRevision.REWOUND);
        assertThat(rewound.judge("1", "600", LATER, GRACE)).isEqualTo(NamedRevision.REUSED);
    }

    @Test
    void oldHeadThatIsNotKnown_coversNothing() {
        for (String upTo : List.of("", "abc")) {
            RewoundRevisions rewound = RewoundRevisions.NONE.with(new Rewind("", upTo, PROVEN));

            assertThat(rewound.judge("700", "600", AT_ONCE, GRACE)).isEqualTo(NamedRevision.CURRENT);
            assertThat(rewound.judge("500", "600", AT_ONCE, GRACE)).isEqualTo(NamedRevision.CURRENT);
        }
    }

    @Test
    void eachRewind_hasItsOwnGrace() {
        RewoundRevisions twice = REWOUND.with(new Rewind("550", "700", LATER));

        assertThat(twice.judge("600", "680", LATER, GRACE)).isEqualTo(NamedRevision.REWOUND);
        assertThat(twice.judge("520", "680", LATER, GRACE)).isEqualTo(NamedRevision.REUSED);
        assertThat(twice.judge("600", "680", LATER.plus(GRACE), GRACE)).isEqualTo(NamedRevision.REUSED);
        assertThat(twice.judge("800", "750", LATER, GRACE))
                .as("the first is not overtaken yet")
                .isEqualTo(NamedRevision.ABOVE_HEAD);
    }

    @Test
    void rewindsBeyondALimit_areForgotten_theOldestFirst() {
        RewoundRevisions many = RewoundRevisions.NONE;
        for (int i = 0; i < 20; i++) {
            many = many.with(new Rewind("", Integer.toString(100 + i), PROVEN));
        }

        assertThat(many.rewinds()).hasSize(16).first().returns("104", Rewind::upTo);
        assertThat(many.last())
                .hasValueSatisfying(last -> assertThat(last.upTo()).isEqualTo("119"));
    }

    @Test
    void onlyWhatCannotBeOfThePresentHistory_isExpired() {
        assertThat(NamedRevision.values())
                .filteredOn(NamedRevision::isExpired)
                .containsExactly(NamedRevision.ABOVE_HEAD, NamedRevision.REWOUND);
    }

    @Test
    void epoch_isCountedFromOne() {
        assertThat(KnownHistory.NONE.epoch()).isEqualTo(1);
        assertThatThrownBy(() -> new KnownHistory(0, RewoundRevisions.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("epoch: 0");
    }
}
