package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.storage.RevisionedStore.Change;
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
