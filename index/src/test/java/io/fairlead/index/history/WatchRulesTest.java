package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchDecision.Action;
import io.fairlead.model.ResourceVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the table of {@link WatchRules}. The watch has shown object {@code seen} at version 6. */
class WatchRulesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        h unset, ADDED                          | LIVE    | - | ADDED              | a    | 1 | IN_ORDER
        h unset, MODIFIED                       | LIVE    | - | MODIFIED           | a    | 1 | IN_ORDER
        h unset, DELETED                        | LIVE    | - | DELETED            | a    | 1 | IN_ORDER
        h unset, BOOKMARK                       | LIVE    | - | BOOKMARK           | ''   | 1 | IN_ORDER
        r > h, ADDED                            | LIVE    | 7 | ADDED              | a    | 8 | IN_ORDER
        r > h, MODIFIED                         | LIVE    | 7 | MODIFIED           | a    | 8 | IN_ORDER
        r > h, DELETED                          | LIVE    | 7 | DELETED            | a    | 8 | IN_ORDER
        r > h, DELETED of what was seen         | LIVE    | 7 | DELETED            | seen | 8 | IN_ORDER
        r > h, BOOKMARK                         | LIVE    | 7 | BOOKMARK           | ''   | 8 | IN_ORDER
        r > h, end of initial events            | LIVE    | 7 | INITIAL_EVENTS_END | ''   | 8 | IN_ORDER
        r > h, longer                           | LIVE    | 7 | MODIFIED           | a    | 10 | IN_ORDER
        r = h, ADDED                            | LIVE    | 7 | ADDED              | a    | 7 | IN_ORDER
        r = h, MODIFIED                         | LIVE    | 7 | MODIFIED           | a    | 7 | IN_ORDER
        r = h, DELETED                          | LIVE    | 7 | DELETED            | a    | 7 | IN_ORDER
        r = h, BOOKMARK                         | LIVE    | 7 | BOOKMARK           | ''   | 7 | IN_ORDER
        r = h, end of initial events            | LIVE    | 7 | INITIAL_EVENTS_END | ''   | 7 | IN_ORDER
        r < h, ADDED                            | LIVE    | 7 | ADDED              | a    | 5 | REWIND
        r < h, MODIFIED                         | LIVE    | 7 | MODIFIED           | a    | 5 | REWIND
        r < h, DELETED, key not seen            | LIVE    | 7 | DELETED            | a    | 5 | STALE_DELETE
        r < h, DELETED, key not known           | LIVE    | 7 | DELETED            | ''   | 5 | STALE_DELETE
        r < h, DELETED, key seen at r           | LIVE    | 7 | DELETED            | seen | 6 | STALE_DELETE
        r < h, DELETED, key seen above r        | LIVE    | 7 | DELETED            | seen | 5 | REPLAYED_DELETE
        r < h, BOOKMARK                         | LIVE    | 7 | BOOKMARK           | ''   | 5 | STALE_BOOKMARK
        r < h, end of initial events            | LIVE    | 7 | INITIAL_EVENTS_END | ''   | 5 | STALE_INITIAL_EVENTS_END
        INITIAL, ADDED                          | INITIAL | 7 | ADDED              | a    | 5 | IN_ORDER
        INITIAL ends with r < h, MODIFIED       | INITIAL | 7 | MODIFIED           | a    | 5 | REWIND
        INITIAL ends with r < h, DELETED        | INITIAL | 7 | DELETED            | seen | 6 | STALE_DELETE
        INITIAL ends with r < h, BOOKMARK       | INITIAL | 7 | BOOKMARK           | ''   | 5 | STALE_BOOKMARK
        INITIAL ends with its bookmark, r < h   | INITIAL | 7 | INITIAL_EVENTS_END | ''   | 5 | STALE_INITIAL_EVENTS_END
        INITIAL ends with its bookmark, r > h   | INITIAL | 7 | INITIAL_EVENTS_END | ''   | 9 | IN_ORDER
        ERROR                                   | LIVE    | 7 | ERROR              | ''   | 5 | NOT_JUDGED
        ERROR without resourceVersion           | LIVE    | 7 | ERROR              | ''   | '' | NOT_JUDGED
        unknown type                            | LIVE    | 7 | UNKNOWN            | a    | 5 | NOT_JUDGED
        """)
    void row(
            String name,
            WatchCursor.Phase phase,
            @Nullable String highWater,
            WatchEventType type,
            String key,
            String resourceVersion,
            WatchDecision decision) {
        WatchCursor cursor = new WatchCursor(phase, true, highWater == null ? null : new ResourceVersion(highWater));

        assertThat(decide(cursor, new WatchEvent(type, key, resourceVersion))).isEqualTo(decision);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#notComparable")
    void versionThatIsNotComparable_isUnguarded(String text) {
        for (WatchEventType type : WatchEventType.values()) {
            if (type.isOrdered()) {
                assertThat(decide(live("7"), new WatchEvent(type, "seen", text)))
                        .isEqualTo(WatchDecision.UNGUARDED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "INITIAL_EVENTS_END"})
    void watchThatIsNotComparable_isUnguarded(WatchEventType type) {
        WatchCursor cursor = new WatchCursor(WatchCursor.Phase.LIVE, false, new ResourceVersion("7"));

        assertThat(decide(cursor, new WatchEvent(type, "seen", "5"))).isEqualTo(WatchDecision.UNGUARDED);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#pairs")
    void versionsOfAnyLength_areCompared(String lower, String higher) {
        assertThat(decide(live(higher), new WatchEvent(WatchEventType.MODIFIED, "a", lower)))
                .isEqualTo(WatchDecision.REWIND);
        assertThat(decide(live(lower), new WatchEvent(WatchEventType.MODIFIED, "a", higher)))
                .isEqualTo(WatchDecision.IN_ORDER);
    }

    @ParameterizedTest
    @CsvSource({
        "IN_ORDER, FORWARD, false",
        "UNGUARDED, FORWARD, false",
        "NOT_JUDGED, FORWARD, false",
        "STALE_DELETE, FORWARD_WITH_HIGH_WATER, true",
        "REPLAYED_DELETE, EXPIRE, true",
        "REWIND, EXPIRE, true",
        "STALE_BOOKMARK, DROP, true",
        "STALE_INITIAL_EVENTS_END, FORWARD_WITH_HIGH_WATER, true"
    })
    void decision_hasItsAction(WatchDecision decision, Action action, boolean isTravel) {
        assertThat(decision.action()).isEqualTo(action);
        assertThat(decision.isTravel()).isEqualTo(isTravel);
    }

    private static WatchCursor live(String highWater) {
        return new WatchCursor(WatchCursor.Phase.LIVE, true, new ResourceVersion(highWater));
    }

    private static WatchDecision decide(WatchCursor cursor, WatchEvent event) {
        RecentVersions recent = new RecentVersions();
        recent.add("seen", new ResourceVersion("6"));
        return WatchRules.decide(cursor, event, recent);
    }
}
