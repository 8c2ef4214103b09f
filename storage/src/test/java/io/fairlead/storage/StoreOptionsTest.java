package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that no store can work with are refused by their name. */
final class StoreOptionsTest {
    private static final long QUEUE_MIN = RevisionedStore.VALUE_BYTES_MAX + (long) RevisionedStore.KEY_BYTES_MAX;
    private static final long CACHE_MIN = 1024 * 1024;

    @ParameterizedTest
    @CsvSource({
        "1, 0, 0, 0, 0, 0, commitQueueBytesMax",
        "0, 1, 0, 0, 0, 0, commitWait",
        "0, 0, 1, 0, 0, 0, recentChangesMax",
        "0, 0, 0, 1, 0, 0, recentBytesMax",
        "0, 0, 0, 0, 1, 0, blockCacheBytes",
        "0, 0, 0, 0, 0, 1, diskReserveBytes"
    })
    void oneLessThanTheLeast_isRefused(
            long queue, long wait, int changes, long bytes, long cache, long reserve, String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreOptions(
                        QUEUE_MIN - queue, Duration.ofMillis(-wait), 1 - changes, -bytes, CACHE_MIN - cache, -reserve))
                .withMessageContaining(name)
                .withMessageContaining("expected at least");
    }

    @Test
    void changedLimit_leavesTheOthersAlone() {
        StoreOptions least = new StoreOptions(QUEUE_MIN, Duration.ZERO, 1, 0, CACHE_MIN, 0);

        assertThat(least.withDiskReserve(7)).isEqualTo(new StoreOptions(QUEUE_MIN, Duration.ZERO, 1, 0, CACHE_MIN, 7));
        assertThat(least.withRecentChanges(8, 9))
                .isEqualTo(new StoreOptions(QUEUE_MIN, Duration.ZERO, 8, 9, CACHE_MIN, 0));
        assertThat(least.withCommitQueue(QUEUE_MIN + 1, Duration.ofSeconds(2)))
                .isEqualTo(new StoreOptions(QUEUE_MIN + 1, Duration.ofSeconds(2), 1, 0, CACHE_MIN, 0));
    }
}
