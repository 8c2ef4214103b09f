package io.fairlead.index.history;

import static io.fairlead.index.history.WatchEventType.ADDED;
import static io.fairlead.index.history.WatchEventType.BOOKMARK;
import static io.fairlead.index.history.WatchEventType.DELETED;
import static io.fairlead.index.history.WatchEventType.MODIFIED;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ResourceVersion;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
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
        assertThat(bytes(guard)).isBetween(2L * 8 * RecentVersions.CAPACITY, (long) BYTES_MAX);
    }

    @Test
    void measure_countsWhatAnObjectHolds() {
        record Holder(Object held) {}
        assertThat(bytes(new Holder(new long[1_000]))).isGreaterThan(8_000);
        assertThat(bytes(new Holder("n".repeat(5_000)))).isGreaterThan(BYTES_MAX);
        assertThat(bytes(new Holder(new ArrayList<>(List.of("n".repeat(5_000))))))
                .isGreaterThan(BYTES_MAX);
    }

    private WatchDecision judge(WatchEventType type, String key, String resourceVersion) {
        return guard.judge(new WatchEvent(type, key, resourceVersion));
    }

    /** An upper bound of what an object and all that it leads to take: 16 bytes for a head, 8 for every field. */
    private static long bytes(Object object) {
        return switch (object) {
            case long[] numbers -> 16 + 8L * numbers.length;
            case String text -> 48 + 2L * text.length();
            case BigInteger number -> 64 + number.bitLength() / 8;
            case Enum<?> _ -> 0;
            case Iterable<?> elements -> {
                long sum = 64;
                for (Object element : elements) {
                    sum += 8 + bytes(element);
                }
                yield sum;
            }
            default -> 16 + fields(object);
        };
    }

    private static long fields(Object object) {
        long sum = 0;
        for (Field field : object.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                Object value = value(field, object);
                sum += 8 + (field.getType().isPrimitive() || value == null ? 0 : bytes(value));
            }
        }
        return sum;
    }

    @SuppressWarnings("NullAway") // a field may hold null
    private static Object value(Field field, Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
