package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is kept of the newest changes. */
final class RecentChangesTest {
    private final RecentChanges recent = new RecentChanges(100, 1_000, 0);

    @Test
    void whatIsCompacted_isForgotten() {
        add(1, 10);

        recent.forget(7);

        assertThat(recent.range(7, 10, 100, Long.MAX_VALUE)).isNull();
        assertThat(revisions(recent.range(8, 10, 100, Long.MAX_VALUE))).containsExactly(8L, 9L, 10L);
        assertThat(recent.bytes()).isEqualTo(3 * 11);
        recent.forget(10);
        assertThat(recent.bytes()).isZero();
    }

    @Test
    void afterForgetting_theLimitOfBytesStillHolds() {
        add(1, 50);
        recent.forget(20);

        add(51, 300);

        assertThat(recent.bytes()).isBetween(900L, 1_000L);
        assertThat(revisions(recent.range(250, 300, 100, Long.MAX_VALUE))).hasSize(51);
    }

    @Test
    void changesThatTheRingHasNoRoomFor_areNotHere_andNeverOthersInTheirPlace() {
        RecentChanges small = new RecentChanges(4, 1_000, 0);
        for (long revision = 1; revision <= 6; revision++) {
            small.add(change(revision, 1));
        }

        assertThat(small.range(2, 3, 10, Long.MAX_VALUE)).isNull();
        assertThat(small.range(2, 6, 10, Long.MAX_VALUE)).isNull();
        assertThat(revisions(small.range(3, 6, 10, Long.MAX_VALUE))).containsExactly(3L, 4L, 5L, 6L);
        // What is yet to come is not what stood in its place.
        assertThat(small.range(7, 7, 10, Long.MAX_VALUE)).isNull();
        assertThat(small.bytes()).isEqualTo(4 * 2);
    }

    @Test
    void range_isInOrderFromItsFirstOn_atMostSoMany() {
        add(1, 30);

        assertThat(revisions(recent.range(11, 30, 3, Long.MAX_VALUE))).containsExactly(11L, 12L, 13L);
        assertThat(revisions(recent.range(30, 30, 3, Long.MAX_VALUE))).containsExactly(30L);
    }

    @Test
    void changeThatIsLargerThanAllMayBe_isNotKept_norWhatWasBeforeIt() {
        add(1, 3);

        recent.add(change(4, 1_001));

        assertThat(recent.bytes()).isZero();
        assertThat(recent.range(3, 4, 10, Long.MAX_VALUE)).isNull();
        add(5, 6);
        assertThat(revisions(recent.range(5, 6, 10, Long.MAX_VALUE))).containsExactly(5L, 6L);
    }

    @Test
    void bytes_areThoseOfKeyValueAndWhatStoodThereBefore() {
        recent.add(new Change(1, "key", new byte[10], new Entry("key", new byte[100], 0, 0)));
        recent.add(new Change(2, "key", null, null));

        assertThat(recent.bytes()).isEqualTo(3 + 10 + 100 + 3);
    }

    @Test
    void newRing_hasNothingOfBeforeIt() {
        RecentChanges reopened = new RecentChanges(4, 1_000, 10);
        assertThat(reopened.range(10, 10, 1, Long.MAX_VALUE)).isNull();

        reopened.add(change(11, 1));

        assertThat(revisions(reopened.range(11, 11, 1, Long.MAX_VALUE))).containsExactly(11L);
        assertThat(reopened.range(10, 11, 2, Long.MAX_VALUE)).isNull();
    }

    private static Change change(long revision, int bytes) {
        return new Change(revision, "k", new byte[bytes], null);
    }

    private void add(long first, long last) {
        for (long revision = first; revision <= last; revision++) {
            recent.add(new Change(revision, "k", new byte[10], null));
        }
    }

    private static List<Long> revisions(@Nullable List<Change> changes) {
        return changes == null
                ? List.of()
                : changes.stream().map(Change::revision).toList();
    }
}
