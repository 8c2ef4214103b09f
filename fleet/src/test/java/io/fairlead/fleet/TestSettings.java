package io.fairlead.fleet;

import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.index.IndexLimits;
import io.fairlead.model.ByteBudget;
import java.net.URI;
import java.time.Duration;

/** The times and limits of tests that are about none of them. */
public final class TestSettings {
    private static final int LISTS_AT_ONCE = 4;

    private TestSettings() {}

    /** Those of following attached clusters. */
    public static SyncSettings sync() {
        return sync(Duration.ofSeconds(10), Duration.ofMinutes(10));
    }

    /** The same with other intervals of looks at a cluster and of checks of its identity. */
    public static SyncSettings sync(Duration probeInterval, Duration identityInterval) {
        long heap = Runtime.getRuntime().maxMemory();
        return new SyncSettings(
                Duration.ofMinutes(5),
                probeInterval,
                Duration.ofSeconds(10),
                identityInterval,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                100,
                LISTS_AT_ONCE,
                Duration.ofMillis(200),
                new AnswerLimits(
                        AnswerLimits.pageBytesMaxByDefault(heap, LISTS_AT_ONCE),
                        AnswerLimits.listBytesMaxByDefault(heap),
                        8 << 20,
                        AnswerLimits.Kept.byDefault(heap),
                        key -> {}),
                IndexLimits.NONE);
    }

    /** Those of hosted clusters. */
    public static HostedSettings hosted() {
        return new HostedSettings(
                3 << 20,
                1024,
                1024,
                Duration.ofMinutes(1),
                Duration.ofMinutes(30),
                Duration.ofSeconds(3),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                HostedMemory.of(
                        ByteBudget.of(Runtime.getRuntime().maxMemory() / 4),
                        HostedMemory.ofWork(),
                        2,
                        4 << 20,
                        4 << 20,
                        HostedMemory.Bounds.ofDefinitions(),
                        HostedMemory.Bounds.ofKept(),
                        key -> {}),
                URI.create("https://localhost:6443"));
    }
}
