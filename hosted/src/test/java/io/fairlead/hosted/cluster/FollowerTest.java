package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.watchcache.EventMemory;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FollowerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PREFIX = "/c/u/g/things/";
    private static final String OTHER = "/c/v/g/things/";

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final RevisionedStore store = new MemoryStore();
    private final RevisionFeed log = new RevisionFeed(store, new EventMemory(TestMemory.ofThisProcess()));

    @AfterEach
    void close() {
        log.close();
        scheduler.shutdownNow();
        store.close();
    }

    @Test
    void objects_areShown_thoseFromBeforeAndAfterTheStart() throws Exception {
        long first = put(PREFIX + "a", 0);
        Recording recording = new Recording();
        try (Follower follower = follower(PREFIX, recording)) {
            assertThat(recording.shown).containsExactly(Map.entry(PREFIX + "a", first));

            long second = put(PREFIX + "b", 0);
            delete(PREFIX + "a", first);

            assertThat(follower.awaitShown(PATIENCE)).isTrue();
            assertThat(recording.shown).containsExactly(Map.entry(PREFIX + "b", second));
        }
    }

    @Test
    void objects_thatChangeWhileOthersAreWorkedOn_comeInTheOrderOfTheirRevisions() throws Exception {
        Recording recording = new Recording();
        try (Follower follower = follower(PREFIX, recording)) {
            CountDownLatch gate = recording.holdAt(PREFIX + "held");
            put(PREFIX + "held", 0);
            recording.begun.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            long a = put(PREFIX + "a", 0);
            long b = put(PREFIX + "b", 0);
            long again = put(PREFIX + "a", a);
            assertThat(log.await(again, PATIENCE)).isTrue();
            gate.countDown();

            assertThat(follower.awaitShown(PATIENCE)).isTrue();
            assertThat(recording.applied).endsWith("b@" + b, "a@" + again).doesNotContain("a@" + a);
        }
    }

    @Test
    void neighbour_isNotHeldUp_byAClusterThatWorks() throws Exception {
        Recording busy = new Recording();
        Recording idle = new Recording();
        try (Follower one = follower(PREFIX, busy);
                Follower other = follower(OTHER, idle)) {
            CountDownLatch gate = busy.holdAt(PREFIX + "held");
            put(PREFIX + "held", 0);
            busy.begun.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            put(OTHER + "a", 0);

            assertThat(other.awaitShown(PATIENCE)).isTrue();
            assertThat(idle.shown).containsKey(OTHER + "a");
            assertThat(one.awaitShown(Duration.ofMillis(1))).isFalse();
            gate.countDown();
            assertThat(one.awaitShown(PATIENCE)).isTrue();
        }
    }

    @Test
    void error_ofATarget_isMadeUpFor_andTheOthersGoOn() throws Exception {
        Recording recording = new Recording();
        try (Follower follower = follower(PREFIX, recording)) {
            recording.failsAt.set(PREFIX + "bad");
            put(PREFIX + "bad", 0);
            put(PREFIX + "good", 0);

            assertThat(follower.awaitShown(PATIENCE)).isTrue();
            assertThat(recording.shown).containsKey(PREFIX + "good");
            Fixture.eventually("the object is shown after all", () -> recording.shown.containsKey(PREFIX + "bad"));
            put(PREFIX + "later", 0);
            assertThat(follower.awaitShown(PATIENCE)).isTrue();
            assertThat(recording.shown).containsKey(PREFIX + "later");
        }
    }

    @Test
    void object_isShown_whenAThreadForItIsToBeHadAgain_withoutAnotherChange() throws Exception {
        AtomicInteger refusals = new AtomicInteger(2);
        ThreadFactory threads = task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread: injected");
            }
            return Thread.ofPlatform().daemon().unstarted(task);
        };
        Recording recording = new Recording();
        try (Follower follower = follower(PREFIX, recording, threads)) {
            put(PREFIX + "a", 0);

            assertThat(follower.awaitShown(PATIENCE)).isTrue();
            assertThat(recording.shown).containsKey(PREFIX + "a");
            assertThat(refusals).hasNegativeValue();
        }
    }

    private Follower follower(String prefix, Recording recording) {
        return follower(prefix, recording, Thread.ofVirtual().factory());
    }

    private Follower follower(String prefix, Recording recording, ThreadFactory threads) {
        Follower follower = new Follower(Fixture.DEV, store, log, scheduler, threads);
        follower.follow(prefix, recording);
        follower.start();
        return follower;
    }

    private long put(String key, long expected) {
        return committed(new Write.Put(key, new byte[] {1}, expected));
    }

    private void delete(String key, long expected) {
        committed(new Write.Delete(key, expected));
    }

    private long committed(Write write) {
        return ((CommitResult.Committed) store.commit(write)).revision();
    }

    /** What it was told, with a gate and an error on demand. */
    private static final class Recording implements Follower.Target {
        private final Map<String, Long> shown = Collections.synchronizedMap(new TreeMap<>());
        private final List<String> applied = Collections.synchronizedList(new ArrayList<>());
        private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
        private final AtomicReference<String> failsAt = new AtomicReference<>("");
        private volatile String heldKey = "";
        private volatile CountDownLatch gate = new CountDownLatch(0);

        CountDownLatch holdAt(String key) {
            gate = new CountDownLatch(1);
            heldKey = key;
            return gate;
        }

        @Override
        public void start(List<Entry> entries, long revision) {
            entries.forEach(entry -> shown.put(entry.key(), entry.revision()));
        }

        @Override
        public void put(Entry entry) {
            if (failsAt.compareAndSet(entry.key(), "")) {
                throw new StackOverflowError("injected");
            }
            if (entry.key().equals(heldKey)) {
                begun.add(entry.key());
                await(gate);
            }
            shown.put(entry.key(), entry.revision());
            applied.add(entry.key().substring(PREFIX.length()) + "@" + entry.revision());
        }

        @Override
        public void remove(String key, long revision) {
            shown.remove(key);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
