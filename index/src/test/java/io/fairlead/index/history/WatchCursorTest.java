package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchCursor.Phase;
import io.fairlead.model.ResourceVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class WatchCursorTest {
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        '',  false, INITIAL, true,  -
        0,   false, INITIAL, true,  -
        00,  false, INITIAL, true,  -
        7,   false, LIVE,    true,  7
        7,   true,  INITIAL, true,  -
        '',  true,  INITIAL, true,  -
        abc, false, LIVE,    false, -
        007, false, LIVE,    false, -
        -1,  false, LIVE,    false, -
        """)
    void start_dependsOnTheVersionThatTheWatchNames(
            String named, boolean sendInitialEvents, Phase phase, boolean comparable, @Nullable String highWater) {
        assertThat(WatchCursor.of(named, sendInitialEvents)).isEqualTo(cursor(phase, comparable, highWater));
    }

    @Test
    void start_atAVersionOf257Digits_isNotComparable() {
        assertThat(WatchCursor.of("1".repeat(257), false)).isEqualTo(cursor(Phase.LIVE, false, null));
    }

    @ParameterizedTest
    @EnumSource(names = {"ADDED", "ERROR", "UNKNOWN"})
    void initial_goesOn(WatchEventType type) {
        assertThat(cursor(Phase.INITIAL, true, "7").after(event(type, "5")))
                .isEqualTo(cursor(Phase.INITIAL, true, "7"));
    }

    @ParameterizedTest
    @EnumSource(names = {"MODIFIED", "DELETED", "BOOKMARK", "INITIAL_EVENTS_END"})
    void initial_endsWithTheFirstEventThatIsNotAdded(WatchEventType type) {
        assertThat(cursor(Phase.INITIAL, true, "7").after(event(type, "5"))).isEqualTo(cursor(Phase.LIVE, true, "7"));
    }

    @ParameterizedTest
    @EnumSource(Phase.class)
    void highWater_isTheHighestVersion(Phase phase) {
        WatchCursor cursor = cursor(phase, true, null);
        for (String version : new String[] {"7", "12", "9", "10"}) {
            cursor = cursor.after(event(WatchEventType.ADDED, version));
        }
        assertThat(cursor).isEqualTo(cursor(phase, true, "12"));
    }

    @Test
    void errorAndUnknownType_moveNothing() {
        WatchCursor cursor = cursor(Phase.LIVE, true, "7");

        assertThat(cursor.after(event(WatchEventType.ERROR, "99"))).isEqualTo(cursor);
        assertThat(cursor.after(event(WatchEventType.UNKNOWN, "99"))).isEqualTo(cursor);
        assertThat(cursor.after(event(WatchEventType.ERROR, "abc"))).isEqualTo(cursor);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#notComparable")
    void versionThatIsNotComparable_endsTheGuard_unlessThereIsNone(String text) {
        WatchCursor after = cursor(Phase.LIVE, true, "7").after(event(WatchEventType.MODIFIED, text));

        assertThat(after).isEqualTo(cursor(Phase.LIVE, text.isEmpty(), "7"));
        assertThat(after.after(event(WatchEventType.MODIFIED, "9")).comparable())
                .isEqualTo(text.isEmpty());
    }

    private static WatchEvent event(WatchEventType type, String resourceVersion) {
        return new WatchEvent(type, "a", resourceVersion);
    }

    private static WatchCursor cursor(Phase phase, boolean comparable, @Nullable String highWater) {
        return new WatchCursor(phase, comparable, highWater == null ? null : new ResourceVersion(highWater));
    }
}
