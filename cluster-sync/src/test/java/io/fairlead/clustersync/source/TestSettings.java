package io.fairlead.clustersync.source;

import io.fairlead.index.IndexLimits;
import java.time.Duration;

/** The times and limits of tests that are about none of them. */
public final class TestSettings {
    private static final int LISTS_AT_ONCE = 4;

    private TestSettings() {}

    /** As patient as a gateway. */
    public static SyncSettings patient() {
        return new SyncSettings(
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                100,
                LISTS_AT_ONCE,
                Duration.ofMillis(200),
                answers(LISTS_AT_ONCE),
                IndexLimits.NONE);
    }

    /** What fits into this process, and an event that is as large as a page at least. */
    public static AnswerLimits answers(int listsAtOnce) {
        long heap = Runtime.getRuntime().maxMemory();
        return new AnswerLimits(
                AnswerLimits.pageBytesMaxByDefault(heap, listsAtOnce),
                AnswerLimits.listBytesMaxByDefault(heap),
                8 << 20,
                AnswerLimits.Kept.byDefault(heap),
                key -> {});
    }
}
