package io.fairlead.hosted.watchcache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.TestMemory;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for the log is done behind all that the log tells before it, and never forgotten. */
@Timeout(30)
class RevisionFeedTest {
    private static final String PREFIX = "/c/u/g/boats/";

    private final RevisionedStore store = new MemoryStore();
    private final EventMemory memory = new EventMemory(TestMemory.ofThisProcess());
    private final RevisionFeed log = new RevisionFeed(store, memory);
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        log.close();
        store.close();
    }

    @Test
    void actionThatIsDue_isDoneAtOnce() {
        log.whenTold(store.revision(), () -> heard.add("done"));

        assertThat(heard).containsExactly("done");
    }

    @Test
    void action_isDoneBehindTheChangesBeforeIt() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        log.follow(PREFIX, event -> heard.add(event.key()), _ -> {});
        log.follow("/c/u/", _ -> awaitQuietly(held), _ -> {});
        put("a");
        long revision = put("b");

        Thread asking = Thread.startVirtualThread(() -> log.whenTold(revision, () -> {
            heard.add("done");
            told.countDown();
        }));
        held.countDown();
        asking.join();

        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(heard).containsExactly(PREFIX + "a", PREFIX + "b", "done");
    }

    @Test
    void actionThatFails_endsNeitherTheLogNorTheNextAction() throws InterruptedException {
        long next = store.revision() + 1;
        log.whenTold(next, () -> {
            throw new IllegalStateException("the test says so");
        });
        log.whenTold(next, () -> heard.add("done"));

        long revision = put("a");

        assertThat(log.await(revision, Duration.ofSeconds(10))).isTrue();
        assertThat(log.await(put("b"), Duration.ofSeconds(10))).isTrue();
        assertThat(heard).containsExactly("done");
    }

    @Test
    void actionThatStillWaits_isDoneWhenTheLogIsClosed() {
        log.whenTold(Long.MAX_VALUE - 1, () -> heard.add("done"));
        assertThat(heard).isEmpty();

        log.close();

        assertThat(heard).containsExactly("done");
        log.whenTold(Long.MAX_VALUE - 1, () -> heard.add("late"));
        assertThat(heard).containsExactly("done", "late");
    }

    private long put(String name) {
        store.commit(new Write.Put(PREFIX + name, "{}".getBytes(UTF_8), 0));
        return store.revision();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
