package io.fairlead.hosted.watchcache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Write;
import io.fairlead.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches that begin anywhere while changes are written and forgotten see each change once and in order. */
@Timeout(600)
class WatcherRaceTest {
    private static final String PREFIX = "/c/u/g/boats/";
    private static final int WRITERS = 2;
    private static final int WATCHES = 4;
    private static final int WRITES = 2_000;
    private static final long FORGET_EVERY_NANOS = 300_000;
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void watches_seeEachChangeOnceAndInOrder_andLeaveNothingHeld() throws Exception {
        for (int seed = 1; seed <= Effort.rounds(4); seed++) {
            new Round(seed).play();
        }
    }

    /** One store with its writers and watches. */
    private static final class Round {
        private final int seed;
        private final RevisionedStore store = new MemoryStore();
        private final ByteBudget budget = ByteBudget.of(64L << 20);
        private final EventMemory memory = new EventMemory(TestMemory.of(budget));
        private final RevisionFeed log = new RevisionFeed(store, memory);
        private final ResourceLog resource = new ResourceLog(store, log, PREFIX, 16, memory.share());
        private final AtomicBoolean over = new AtomicBoolean();

        Round(int seed) {
            this.seed = seed;
        }

        void play() throws Exception {
            try (ExecutorService threads =
                    Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
                List<Future<?>> writers = new ArrayList<>();
                List<Future<?>> watches = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    int writer = i;
                    writers.add(threads.submit(() -> write(writer)));
                }
                for (int i = 0; i < WATCHES; i++) {
                    Random random = new Random(31L * seed + i);
                    watches.add(threads.submit(() -> watchAgainAndAgain(random)));
                }
                Future<?> forgetting = threads.submit(() -> {
                    while (!over.get()) {
                        resource.forget(log.position());
                        LockSupport.parkNanos(FORGET_EVERY_NANOS);
                    }
                });
                for (Future<?> writer : writers) {
                    writer.get(SOON.toSeconds(), TimeUnit.SECONDS);
                }
                over.set(true);
                forgetting.get(SOON.toSeconds(), TimeUnit.SECONDS);
                for (Future<?> watch : watches) {
                    watch.get(SOON.toSeconds(), TimeUnit.SECONDS);
                }
            }
            assertThat(log.await(store.revision(), SOON)).isTrue();
            resource.close();
            log.close();
            store.close();
            assertThat(budget.taken()).as("bytes held after all, seed %d", seed).isZero();
        }

        private void write(int writer) {
            for (int i = 0; i < WRITES; i++) {
                String key = PREFIX + writer + "-" + i;
                store.commit(new Write.Put(key, key.getBytes(UTF_8), 0));
            }
        }

        private @Nullable Void watchAgainAndAgain(Random random) throws InterruptedException {
            while (!over.get()) {
                watch(random);
            }
            return null;
        }

        /** From somewhere in the past or from now, some changes long. */
        private void watch(Random random) throws InterruptedException {
            long newest = store.revision();
            long from = Math.max(1, newest - random.nextInt(4));
            List<Long> seen = new ArrayList<>();
            int wanted = 1 + random.nextInt(4);
            try (Watcher watcher = resource.watch(from, Integer.MAX_VALUE)) {
                while (seen.size() < wanted && !(over.get() && watchedUpTo(from, seen) >= store.revision())) {
                    if (watcher.next(Duration.ofMillis(1)) instanceof Watcher.Next.Event event) {
                        seen.add(event.event().revision());
                    }
                }
            }
            // Every revision is a change of this resource.
            List<Long> expected =
                    LongStream.rangeClosed(from + 1, from + seen.size()).boxed().toList();
            assertThat(seen).as("from %d, seed %d", from, seed).isEqualTo(expected);
        }

        private static long watchedUpTo(long from, List<Long> seen) {
            return seen.isEmpty() ? from : seen.getLast();
        }
    }
}
