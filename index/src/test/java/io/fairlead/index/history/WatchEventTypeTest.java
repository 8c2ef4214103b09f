package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchEventTypeTest {
    @ParameterizedTest
    @CsvSource({
        "ADDED, false, ADDED",
        "ADDED, true, ADDED",
        "MODIFIED, true, MODIFIED",
        "DELETED, true, DELETED",
        "BOOKMARK, false, BOOKMARK",
        "BOOKMARK, true, INITIAL_EVENTS_END",
        "ERROR, true, ERROR",
        "bookmark, true, UNKNOWN",
        "INITIAL_EVENTS_END, false, UNKNOWN",
        "'', false, UNKNOWN"
    })
    void type_isWhatTheEventNames(String text, boolean endsInitialEvents, WatchEventType type) {
        assertThat(WatchEventType.of(text, endsInitialEvents)).isEqualTo(type);
    }
}
