package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.ittests.SeenObject.Event;
import io.fairlead.ittests.SeenObject.EventType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the comparison of writes with lists and events accepts, and that it notices what it is there for. */
final class WriteHistoryTest {
    private final WriteHistory history = new WriteHistory("it");

    @Test
    void acknowledgedWrites_areAsListAndEventsShowThem() {
        write("a", 2);
        write("b", 4);
        write(null, 0);
        write("c", 7);

        history.settle(seen("c", 7, "v"), "now");
        history.assertTold(
                List.of(
                        event(EventType.ADDED, "a", 2, "u"),
                        event(EventType.MODIFIED, "b", 4, "u"),
                        event(EventType.DELETED, "b", 5, "u"),
                        event(EventType.ADDED, "c", 7, "v")),
                "now");
        assertThat(history.revision()).isEqualTo(7);
    }

    @Test
    void writeWithoutAnAnswer_mayBeThereOrNot() {
        write("a", 2);
        history.send(content("b"));
        assertThat(history.isCertain()).isFalse();
        history.settle(seen("a", 2, "u"), "now");
        history.send(content("c"));
        history.settle(seen("c", 3, "u"), "now");
        history.send(null);
        history.settle(null, "now");

        history.assertTold(
                List.of(
                        event(EventType.ADDED, "a", 2, "u"),
                        event(EventType.MODIFIED, "c", 3, "u"),
                        event(EventType.DELETED, "c", 4, "u")),
                "now");
    }

    @Test
    void lostWrite_isNoticed() {
        write("a", 2);
        write("b", 3);

        assertWrong(() -> history.settle(seen("a", 2, "u"), "now"));
        assertWrong(() -> history.settle(null, "now"));
    }

    @Test
    void inventedWrite_isNoticed() {
        assertWrong(() -> history.settle(seen("a", 2, "u"), "now"));
        write("a", 2);
        history.send(content("b"));
        assertWrong(() -> history.settle(seen("c", 3, "u"), "now"));
    }

    @Test
    void halfAWrite_isNoticed() {
        write("a", 2);
        history.send(content("b"));

        assertWrong(() -> history.settle(new SeenObject("it", 3, "u", Map.of("stamp", "b", "twin", "a")), "now"));
    }

    @Test
    void refusedWrite_thatIsThere_isNoticed() {
        write("a", 2);
        history.send(content("b"));
        history.refuse();

        assertWrong(() -> history.settle(seen("b", 3, "u"), "now"));
    }

    @Test
    void sameContentAtAnotherRevision_isNoticed() {
        write("a", 2);

        assertWrong(() -> history.settle(seen("a", 3, "u"), "now"));
    }

    @Test
    void eventThatIsMissingRepeatedOrEarly_isNoticed() {
        write("a", 2);
        write("b", 3);
        Event first = event(EventType.ADDED, "a", 2, "u");
        Event second = event(EventType.MODIFIED, "b", 3, "u");
        history.assertTold(List.of(first, second), "now");

        assertWrong(() -> history.assertTold(List.of(first), "now"));
        assertWrong(() -> history.assertTold(List.of(second), "now"));
        assertWrong(() -> history.assertTold(List.of(first, first, second), "now"));
        assertWrong(() -> history.assertTold(List.of(second, first), "now"));
        assertWrong(() -> history.assertTold(List.of(first, second, second), "now"));
    }

    @Test
    void uidThatChangesOrComesBack_isNoticed() {
        write("a", 2);
        write(null, 0);
        write("c", 4);
        Event deleted = event(EventType.DELETED, "a", 3, "u");

        assertWrong(() -> history.assertTold(
                List.of(event(EventType.ADDED, "a", 2, "u"), deleted, event(EventType.ADDED, "c", 4, "u")), "now"));
        assertWrong(() -> history.assertTold(
                List.of(event(EventType.ADDED, "a", 2, "t"), deleted, event(EventType.ADDED, "c", 4, "v")), "now"));
    }

    @Test
    void revisionsThatGoBack_areNoticed() {
        write("a", 4);
        write("b", 3);

        assertWrong(() -> history.assertTold(
                List.of(event(EventType.ADDED, "a", 4, "u"), event(EventType.MODIFIED, "b", 3, "u")), "now"));
    }

    private void write(@Nullable String stamp, long revision) {
        history.send(stamp == null ? null : content(stamp));
        history.acknowledge(revision);
    }

    private static void assertWrong(Runnable check) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(check::run);
    }

    private static Event event(EventType type, String stamp, long revision, String uid) {
        return new Event(type, seen(stamp, revision, uid));
    }

    private static SeenObject seen(String stamp, long revision, String uid) {
        return new SeenObject("it", revision, uid, content(stamp));
    }

    private static Map<String, String> content(String stamp) {
        return Map.of("stamp", stamp, "twin", stamp);
    }
}
