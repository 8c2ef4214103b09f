package io.fairlead.index.history;

import static io.fairlead.index.history.WatchEventType.ADDED;
import static io.fairlead.index.history.WatchEventType.BOOKMARK;
import static io.fairlead.index.history.WatchEventType.DELETED;
import static io.fairlead.index.history.WatchEventType.MODIFIED;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ResourceVersion;
import io.fairlead.testkit.Footprint;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchGuardTest {
    private static final int BYTES_MAX = 4096;

    private final WatchGuard guard = new WatchGuard(WatchCursor.of("", false));

    @Test
    void deleteWithTheObjectsOldVersion_isForwardedWithTheHighWaterMark() {
        judge(ADDED, "a", "5");
        judge(ADDED, "b", "6");
        judge(ADDED, "c", "7");

        assertThat(judge(DELETED, "a", "5")).isEqualTo(WatchDecision.STALE_DELETE);
        assertThat(guard.cursor().highWater()).isEqualTo(new ResourceVersion("7"));
        assertThat(judge(ADDED, "a", "9")).isEqualTo(WatchDecision.IN_ORDER);
    }

    @Test
    void modifiedBelowTheHighWaterMark_isARewind() {
        judge(ADDED, "x", "3");
        judge(MODIFIED, "x", "12");

        assertThat(judge(MODIFIED, "x", "9")).isEqualTo(WatchDecision.REWIND);
        assertThat(guard.cursor().highWater()).isEqualTo(new ResourceVersion("12"));
    }

    /** The client knows of the deletion at the version with which it was forwarded. */
    @Test
    void staleDeleteThatComesAgain_isAReplay() {
        judge(ADDED, "a", "5");
        judge(ADDED, "b", "7");
        assertThat(judge(DELETED, "a", "5")).isEqualTo(WatchDecision.STALE_DELETE);

        assertThat(judge(DELETED, "a", "5")).isEqualTo(WatchDecision.REPLAYED_DELETE);
    }

    /** It was not forwarded, so that the client does not know that version. */
    @Test
    void eventThatIsNotForwarded_isNotRemembered() {
        judge(MODIFIED, "a", "20");
        assertThat(judge(MODIFIED, "b", "15")).isEqualTo(WatchDecision.REWIND);

        assertThat(judge(DELETED, "b", "12")).isEqualTo(WatchDecision.STALE_DELETE);
    }

    @Test
    void leavingASelector_isInOrder() {
        judge(ADDED, "a", "5");

        assertThat(judge(DELETED, "a", "8")).isEqualTo(WatchDecision.IN_ORDER);
        assertThat(judge(ADDED, "a", "9")).isEqualTo(WatchDecision.IN_ORDER);
    }

    @Test
    void watchFromAVersion_isHeldToIt() {
        WatchGuard from = new WatchGuard(WatchCursor.of("7", false));

        assertThat(from.judge(new WatchEvent(ADDED, "a", "6"))).isEqualTo(WatchDecision.REWIND);
        assertThat(from.judge(new WatchEvent(BOOKMARK, "", "6"))).isEqualTo(WatchDecision.STALE_BOOKMARK);
        assertThat(from.judge(new WatchEvent(ADDED, "a", "8"))).isEqualTo(WatchDecision.IN_ORDER);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 18, 19, 20, 40, 256})
    void memory_isFixed(int digits) {
        BigInteger version = BigInteger.TEN.pow(digits - 1);
        for (int i = 0; i < 1_000; i++) {
            judge(ADDED, "namespace-" + i + "/" + "n".repeat(250), version.toString());
            version = version.add(BigInteger.ONE);
        }
        assertThat(guard.cursor().highWater()).isNotNull();
        assertThat(Footprint.bytes(guard)).isBetween(2L * 8 * RecentVersions.CAPACITY, (long) BYTES_MAX);
    }

    private WatchDecision judge(WatchEventType type, String key, String resourceVersion) {
        return guard.judge(new WatchEvent(type, key, resourceVersion));
    }
}
