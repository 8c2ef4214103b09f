package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.Fixture.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.Recurring;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Write;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much of the past a compaction forgets: what is older than one interval, and only what the log has told. */
final class CompactionBoundTest {
    private static final String MAPS = "/api/v1/namespaces/kube-system/configmaps";

    private final ByteBudget budget = ByteBudget.of(64L * 1024 * 1024);
    private final ByHand scheduler = new ByHand();
    private final MemoryStore store = new MemoryStore();

    /** The revision from which on the log asks for changes. */
    private volatile long told;

    /** Closed while the log is to read nothing more. */
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private final HostedClusters clusters = new HostedClusters(
            followed(),
            Fixture.settings(64, 64, TestMemory.of(budget)),
            HostedViews.factory(InstantSource.system()),
            List.of(),
            "",
            InstantSource.system(),
            scheduler);

    @AfterEach
    void stop() {
        gate.countDown();
        clusters.close();
        scheduler.shutdownNow();
        store.close();
    }

    @Test
    void historyOfTheLastInterval_isLeft() {
        long begin = store.revision();
        long first = write(3);
        scheduler.compact();
        assertThat(store.compactedRevision()).isEqualTo(begin);

        long second = write(2);
        scheduler.compact();
        assertThat(store.compactedRevision()).isEqualTo(first);

        scheduler.compact();
        assertThat(store.compactedRevision()).isEqualTo(second);
    }

    @Test
    void changesThatTheLogHasNotTold_areLeft() {
        long before = write(1);
        gate = new CountDownLatch(1);
        commit(3);

        for (int i = 0; i < 3; i++) {
            scheduler.compact();
            assertThat(store.compactedRevision()).isLessThanOrEqualTo(before);
        }

        gate.countDown();
        long after = write(1);
        scheduler.compact();
        scheduler.compact();
        assertThat(store.compactedRevision()).isEqualTo(after);
    }

    @Test
    void changesThatAreForgotten_areNotKeptForWatches() {
        Api api = new Api(clusters.open(Fixture.DEV));
        String revision =
                api.create(MAPS, "metadata: {name: first}").expect(201).resourceVersion();
        try (Events events = api.watch(MAPS + "?resourceVersion=" + revision)) {
            api.create(MAPS, "metadata: {name: second}").expect(201);
            events.next();
        }
        assertThat(budget.taken()).isPositive();

        eventually("nothing is kept", () -> {
            scheduler.compact();
            return budget.taken() == 0;
        });
    }

    /** Writes so many values, and waits until the log has told them; the revision of the last. */
    private long write(int values) {
        commit(values);
        long last = store.revision();
        eventually("the log has told revision " + last, () -> told >= last);
        return last;
    }

    private void commit(int values) {
        for (int i = 0; i < values; i++) {
            store.commit(new Write.Put("/x/" + store.revision(), "value".getBytes(UTF_8), 0));
        }
    }

    private RevisionedStore followed() {
        return (RevisionedStore) Proxy.newProxyInstance(
                CompactionBoundTest.class.getClassLoader(),
                new Class<?>[] {RevisionedStore.class},
                (_, method, arguments) -> {
                    switch (method.getName()) {
                        case "awaitRevisionAbove" -> told = (long) arguments[0];
                        case "changes" -> gate.await();
                        default -> {}
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    /** Compacts when a test says so. */
    private static final class ByHand extends ScheduledThreadPoolExecutor {
        private final List<Recurring> compactions = new CopyOnWriteArrayList<>();

        ByHand() {
            super(1);
        }

        /** Not at a fixed rate, which makes up for what a pause left out: then nothing of the interval before would be left. */
        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
            if (task instanceof Recurring recurring && recurring.name().equals("compaction")) {
                compactions.add(recurring);
            }
            return super.scheduleWithFixedDelay(task, 1, 1, TimeUnit.DAYS);
        }

        void compact() {
            compactions.forEach(Recurring::run);
        }
    }
}
