package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.CachedObject.Content;
import org.junit.jupiter.api.Test;

/** The cursor of an informer, which begins anew with each list and never goes back between two. */
class InformerGuardTest {
    private final InformerGuard guard = new InformerGuard();

    @Test
    void deletionWithAnOldVersion_isApplied_andTheWatchResumesWhereItWas() {
        guard.listed("4");
        guard.judge(event(WatchEventType.ADDED, "a", "5"), null);
        guard.judge(event(WatchEventType.ADDED, "b", "6"), null);
        guard.judge(event(WatchEventType.ADDED, "c", "7"), null);

        InformerDecision decision =
                guard.judge(event(WatchEventType.DELETED, "a", "5"), new CachedObject("a", "5", Content.DIFFERENT));

        assertThat(decision).isEqualTo(InformerDecision.STALE_DELETE);
        assertThat(guard.highWater()).isEqualTo("7");
        assertThat(guard.resume("5")).isEqualTo("7");
        assertThat(guard.resume("8")).isEqualTo("8");
    }

    @Test
    void changeFromThePast_isNotApplied_andLowersNothing() {
        guard.listed("11");
        guard.judge(event(WatchEventType.MODIFIED, "x", "12"), null);

        assertThat(guard.judge(
                        event(WatchEventType.MODIFIED, "x", "9"), new CachedObject("x", "12", Content.DIFFERENT)))
                .isEqualTo(InformerDecision.REWIND);

        assertThat(guard.highWater()).isEqualTo("12");
    }

    @Test
    void bookmark_raisesWhatIsExpected_andAnOlderOneDoesNotLowerIt() {
        guard.listed("7");

        assertThat(guard.judge(event(WatchEventType.BOOKMARK, "", "20"), null)).isEqualTo(InformerDecision.IN_ORDER);
        assertThat(guard.judge(event(WatchEventType.BOOKMARK, "", "10"), null))
                .isEqualTo(InformerDecision.STALE_BOOKMARK);

        assertThat(guard.highWater()).isEqualTo("20");
        assertThat(guard.judge(event(WatchEventType.ADDED, "a", "15"), null)).isEqualTo(InformerDecision.REWIND);
    }

    @Test
    void list_beginsAnew() {
        guard.listed("7");
        guard.listing();
        assertThat(guard.highWater()).isEmpty();

        guard.listed("3");

        assertThat(guard.highWater()).isEqualTo("3");
        assertThat(guard.judge(event(WatchEventType.ADDED, "a", "4"), null)).isEqualTo(InformerDecision.IN_ORDER);
    }

    @Test
    void versionsThatCannotBeOrdered_areNeverCompared() {
        guard.listed("abc");

        assertThat(guard.judge(event(WatchEventType.ADDED, "a", "9"), null)).isEqualTo(InformerDecision.UNGUARDED);
        assertThat(guard.judge(event(WatchEventType.ADDED, "b", "5"), null)).isEqualTo(InformerDecision.UNGUARDED);

        assertThat(guard.resume("abc")).isEqualTo("abc");
        assertThat(guard.resume("")).isEmpty();
    }

    private static InformerEvent event(WatchEventType type, String uid, String resourceVersion) {
        return new InformerEvent(type, uid, resourceVersion);
    }
}
