package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.InformerDecision.Action;
import io.fairlead.model.ResourceVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the table of {@link InformerRules}. Events are about the incarnation {@code u1}. */
class InformerRulesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        h unset, ADDED                        | LIVE    | - | ADDED              | 1  | -  | - | SAME      | IN_ORDER
        h unset, MODIFIED                     | LIVE    | - | MODIFIED           | 1  | u1 | 1 | SAME      | IN_ORDER
        h unset, DELETED                      | LIVE    | - | DELETED            | 1  | u1 | 1 | DIFFERENT | IN_ORDER
        h unset, DELETED of what is not there | LIVE    | - | DELETED            | 1  | -  | - | SAME      | KNOWN
        h unset, BOOKMARK                     | LIVE    | - | BOOKMARK           | 1  | -  | - | SAME      | IN_ORDER
        r > h, ADDED                          | LIVE    | 7 | ADDED              | 8  | -  | - | SAME      | IN_ORDER
        r > h, ADDED of another incarnation   | LIVE    | 7 | ADDED              | 8  | u2 | 6 | DIFFERENT | IN_ORDER
        r > h, MODIFIED                       | LIVE    | 7 | MODIFIED           | 8  | u1 | 6 | DIFFERENT | IN_ORDER
        r > h, longer                         | LIVE    | 7 | MODIFIED           | 10 | u1 | 6 | DIFFERENT | IN_ORDER
        r > h, DELETED                        | LIVE    | 7 | DELETED            | 8  | u1 | 6 | DIFFERENT | IN_ORDER
        r > h, DELETED, c > r                 | LIVE    | 7 | DELETED            | 8  | u1 | 9 | DIFFERENT | IN_ORDER
        r > h, DELETED, other uid             | LIVE    | 7 | DELETED            | 8  | u2 | 6 | DIFFERENT | KNOWN
        r > h, DELETED, not cached            | LIVE    | 7 | DELETED            | 8  | -  | - | SAME      | KNOWN
        r > h, BOOKMARK                       | LIVE    | 7 | BOOKMARK           | 8  | -  | - | SAME      | IN_ORDER
        r > h, end of initial events          | LIVE    | 7 | INITIAL_EVENTS_END | 8  | -  | - | SAME      | IN_ORDER
        r = h, ADDED, same                    | LIVE    | 7 | ADDED              | 7  | u1 | 7 | SAME      | KNOWN
        r = h, ADDED, content differs         | LIVE    | 7 | ADDED              | 7  | u1 | 7 | DIFFERENT | IN_ORDER
        r = h, ADDED, version differs         | LIVE    | 7 | ADDED              | 7  | u1 | 6 | SAME      | IN_ORDER
        r = h, ADDED, other uid               | LIVE    | 7 | ADDED              | 7  | u2 | 7 | SAME      | IN_ORDER
        r = h, ADDED, not cached              | LIVE    | 7 | ADDED              | 7  | -  | - | SAME      | IN_ORDER
        r = h, MODIFIED, same                 | LIVE    | 7 | MODIFIED           | 7  | u1 | 7 | SAME      | KNOWN
        r = h, MODIFIED, content differs      | LIVE    | 7 | MODIFIED           | 7  | u1 | 7 | DIFFERENT | IN_ORDER
        r = h, DELETED                        | LIVE    | 7 | DELETED            | 7  | u1 | 7 | DIFFERENT | IN_ORDER
        r = h, DELETED, c > r                 | LIVE    | 7 | DELETED            | 7  | u1 | 8 | DIFFERENT | IN_ORDER
        r = h, DELETED, other uid             | LIVE    | 7 | DELETED            | 7  | u2 | 7 | DIFFERENT | KNOWN
        r = h, DELETED, not cached            | LIVE    | 7 | DELETED            | 7  | -  | - | SAME      | KNOWN
        r = h, BOOKMARK                       | LIVE    | 7 | BOOKMARK           | 7  | -  | - | SAME      | IN_ORDER
        r = h, end of initial events          | LIVE    | 7 | INITIAL_EVENTS_END | 7  | -  | - | SAME      | IN_ORDER
        r < h, ADDED                          | LIVE    | 7 | ADDED              | 5  | -  | - | SAME      | REWIND
        r < h, ADDED of what is cached        | LIVE    | 7 | ADDED              | 5  | u1 | 5 | SAME      | REWIND
        r < h, MODIFIED                       | LIVE    | 7 | MODIFIED           | 5  | u1 | 7 | DIFFERENT | REWIND
        r < h, DELETED, c < r                 | LIVE    | 7 | DELETED            | 5  | u1 | 4 | DIFFERENT | STALE_DELETE
        r < h, DELETED, c = r                 | LIVE    | 7 | DELETED            | 5  | u1 | 5 | DIFFERENT | STALE_DELETE
        r < h, DELETED, c cannot be ordered   | LIVE    | 7 | DELETED            | 5  | u1 | x | DIFFERENT | STALE_DELETE
        r < h, DELETED, c > r                 | LIVE    | 7 | DELETED            | 5  | u1 | 6 | DIFFERENT | REPLAYED_DELETE
        r < h, DELETED, other uid             | LIVE    | 7 | DELETED            | 5  | u2 | 4 | DIFFERENT | OTHER_INCARNATION
        r < h, DELETED, other uid above r     | LIVE    | 7 | DELETED            | 5  | u2 | 6 | DIFFERENT | OTHER_INCARNATION
        r < h, DELETED, not cached            | LIVE    | 7 | DELETED            | 5  | -  | - | SAME      | OTHER_INCARNATION
        r < h, BOOKMARK                       | LIVE    | 7 | BOOKMARK           | 5  | -  | - | SAME      | STALE_BOOKMARK
        r < h, end of initial events          | LIVE    | 7 | INITIAL_EVENTS_END | 5  | -  | - | SAME      | STALE_BOOKMARK
        INITIAL, ADDED                        | INITIAL | 7 | ADDED              | 5  | -  | - | SAME      | IN_ORDER
        INITIAL, ADDED again                  | INITIAL | 7 | ADDED              | 7  | u1 | 7 | SAME      | KNOWN
        INITIAL ends with MODIFIED            | INITIAL | 7 | MODIFIED           | 5  | u1 | 4 | DIFFERENT | REWIND
        INITIAL ends with DELETED             | INITIAL | 7 | DELETED            | 5  | u1 | 5 | DIFFERENT | STALE_DELETE
        INITIAL ends with BOOKMARK            | INITIAL | 7 | BOOKMARK           | 5  | -  | - | SAME      | STALE_BOOKMARK
        ERROR                                 | LIVE    | 7 | ERROR              | 5  | -  | - | SAME      | NOT_JUDGED
        ERROR without resourceVersion         | LIVE    | 7 | ERROR              | '' | -  | - | SAME      | NOT_JUDGED
        unknown type                          | LIVE    | 7 | UNKNOWN            | 9  | u1 | 5 | DIFFERENT | NOT_JUDGED
        """)
    void row(
            String name,
            WatchCursor.Phase phase,
            @Nullable String highWater,
            WatchEventType type,
            String resourceVersion,
            @Nullable String uid,
            @Nullable String cachedAt,
            CachedObject.Content content,
            InformerDecision decision) {
        WatchCursor cursor = new WatchCursor(phase, true, highWater == null ? null : new ResourceVersion(highWater));
        CachedObject cached = uid == null || cachedAt == null ? null : new CachedObject(uid, cachedAt, content);

        assertThat(InformerRules.decide(cursor, new InformerEvent(type, "u1", resourceVersion), cached))
                .isEqualTo(decision);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#notComparable")
    void versionThatIsNotComparable_canOnlyBeEqual(String text) {
        assertUnordered(live("7"), text);
    }

    @ParameterizedTest
    @CsvSource({"5", "7", "9", "abc"})
    void resourceThatIsNotComparable_canOnlyBeEqual(String text) {
        assertUnordered(new WatchCursor(WatchCursor.Phase.LIVE, false, new ResourceVersion("7")), text);
    }

    private static void assertUnordered(WatchCursor cursor, String text) {
        CachedObject same = new CachedObject("u1", text, CachedObject.Content.SAME);
        CachedObject different = new CachedObject("u1", text, CachedObject.Content.DIFFERENT);
        CachedObject otherVersion = new CachedObject("u1", text + "1", CachedObject.Content.SAME);
        CachedObject otherUid = new CachedObject("u2", text, CachedObject.Content.SAME);
        for (WatchEventType type : new WatchEventType[] {WatchEventType.ADDED, WatchEventType.MODIFIED}) {
            InformerEvent event = new InformerEvent(type, "u1", text);
            assertThat(InformerRules.decide(cursor, event, same)).isEqualTo(InformerDecision.KNOWN);
            assertThat(InformerRules.decide(cursor, event, different)).isEqualTo(InformerDecision.UNGUARDED);
            assertThat(InformerRules.decide(cursor, event, otherVersion)).isEqualTo(InformerDecision.UNGUARDED);
            assertThat(InformerRules.decide(cursor, event, otherUid)).isEqualTo(InformerDecision.UNGUARDED);
            assertThat(InformerRules.decide(cursor, event, null)).isEqualTo(InformerDecision.UNGUARDED);
        }
        InformerEvent deletion = new InformerEvent(WatchEventType.DELETED, "u1", text);
        assertThat(InformerRules.decide(cursor, deletion, same)).isEqualTo(InformerDecision.UNGUARDED);
        assertThat(InformerRules.decide(cursor, deletion, otherVersion)).isEqualTo(InformerDecision.UNGUARDED);
        assertThat(InformerRules.decide(cursor, deletion, otherUid)).isEqualTo(InformerDecision.KNOWN);
        assertThat(InformerRules.decide(cursor, deletion, null)).isEqualTo(InformerDecision.KNOWN);
        InformerEvent bookmark = new InformerEvent(WatchEventType.BOOKMARK, "", text);
        assertThat(InformerRules.decide(cursor, bookmark, null)).isEqualTo(InformerDecision.UNGUARDED);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#pairs")
    void versionsOfAnyLength_areCompared(String lower, String higher) {
        InformerEvent older = new InformerEvent(WatchEventType.MODIFIED, "u1", lower);
        InformerEvent newer = new InformerEvent(WatchEventType.MODIFIED, "u1", higher);
        InformerEvent deletion = new InformerEvent(WatchEventType.DELETED, "u1", lower);

        assertThat(InformerRules.decide(live(higher), older, null)).isEqualTo(InformerDecision.REWIND);
        assertThat(InformerRules.decide(live(lower), newer, null)).isEqualTo(InformerDecision.IN_ORDER);
        assertThat(InformerRules.decide(live(higher), deletion, cached(lower)))
                .isEqualTo(InformerDecision.STALE_DELETE);
        assertThat(InformerRules.decide(live(higher), deletion, cached(higher)))
                .isEqualTo(InformerDecision.REPLAYED_DELETE);
    }

    @ParameterizedTest
    @EnumSource(InformerDecision.class)
    void decision_hasItsAction(InformerDecision decision) {
        Action expected = switch (decision) {
            case IN_ORDER, UNGUARDED, STALE_DELETE -> Action.APPLY;
            case KNOWN, NOT_JUDGED, OTHER_INCARNATION, STALE_BOOKMARK -> Action.IGNORE;
            case REPLAYED_DELETE, REWIND -> Action.RELIST;
        };
        assertThat(decision.action()).isEqualTo(expected);
        assertThat(decision.isTravel())
                .isEqualTo(decision.name().startsWith("STALE")
                        || decision == InformerDecision.OTHER_INCARNATION
                        || expected == Action.RELIST);
    }

    private static CachedObject cached(String resourceVersion) {
        return new CachedObject("u1", resourceVersion, CachedObject.Content.DIFFERENT);
    }

    private static WatchCursor live(String highWater) {
        return new WatchCursor(WatchCursor.Phase.LIVE, true, new ResourceVersion(highWater));
    }
}
