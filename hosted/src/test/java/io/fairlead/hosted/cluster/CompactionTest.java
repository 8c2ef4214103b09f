package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The past is forgotten again and again, whatever came in between. */
final class CompactionTest {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    @Test
    void compactionThatMeetsAnError_isFollowedByTheNext() throws Exception {
        var compactions = new CountDownLatch(2);
        HostedSettings settings = Fixture.settings(64, 64);
        HostedSettings often = new HostedSettings(
                settings.bodyBytesMax(),
                settings.watchHistoryEventsMax(),
                settings.watchBufferEventsMax(),
                settings.bookmarkInterval(),
                settings.watchTimeoutMin(),
                settings.futureRevisionWait(),
                Duration.ofMillis(10),
                settings.eventLifetime(),
                settings.memory(),
                settings.endpoint());
        try (RevisionedStore memory = new MemoryStore()) {
            var clusters = new HostedClusters(
                    failingAtFirst(memory, compactions),
                    often,
                    HostedViews.factory(InstantSource.system()),
                    List.of(),
                    "",
                    InstantSource.system(),
                    scheduler);
            try {
                assertThat(compactions.await(20, TimeUnit.SECONDS)).isTrue();
            } finally {
                clusters.close();
            }
        }
    }

    private static RevisionedStore failingAtFirst(RevisionedStore store, CountDownLatch compactions) {
        return (RevisionedStore) Proxy.newProxyInstance(
                CompactionTest.class.getClassLoader(),
                new Class<?>[] {RevisionedStore.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("compact")) {
                        boolean first = compactions.getCount() == 2;
                        compactions.countDown();
                        if (first) {
                            throw new StackOverflowError();
                        }
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
