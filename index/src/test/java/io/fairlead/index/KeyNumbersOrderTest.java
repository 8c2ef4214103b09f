package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.time.Instant;
import java.time.InstantSource;
import java.util.AbstractList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A view is out of the readers' sight before the numbers of its keys are given up, which another cluster may have at once. The
 * writer is held where it gives them up, by another that keeps the lock for that.
 */
@Timeout(60)
class KeyNumbersOrderTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final Holder FOOS = new Holder(
            HolderType.CRD,
            "foos",
            "u",
            "1",
            List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of("foos"))));

    private final Keeper keeper = new Keeper();
    private volatile boolean keepsWhenAsked;
    private volatile boolean holdsWriter;
    private final FleetIndex index = new FleetIndex(IndexLimits.NONE, IndexMetrics.NONE, new Clock());
    private final ClusterLedger ledger = index.open(PROD, CRDS);

    @AfterEach
    void letGo() {
        keeper.letGo.countDown();
    }

    @Test
    void replacedView_isOutOfSight_beforeItsNumbersAreGivenUp() throws Exception {
        ledger.relist(CRDS, List.of(FOOS), "1");
        keepsWhenAsked =
                true; // by the clock, which is asked after the new keys are held and before the view is replaced

        Thread writer = blocked(() -> ledger.relist(CRDS, List.of(), "2"));

        assertThat(index.lookup(PROD, "example.com", "v1", "foos")).isEqualTo(Answer.ABSENT);
        assertThat(index.vocabulary().retirements()).isZero();
        goOn(writer);
        assertThat(index.vocabulary().retirements()).isEqualTo(2);
    }

    @Test
    void lastView_isOutOfSight_beforeItsNumbersAreGivenUp() throws Exception {
        ledger.relist(CRDS, List.of(FOOS), "1");
        keep();

        Thread writer = blocked(ledger::close);

        assertThat(index.lookup(PROD, "example.com", "v1", "foos")).isEqualTo(Answer.UNKNOWN);
        assertThat(index.vocabulary().retirements()).isZero();
        goOn(writer);
        assertThat(index.vocabulary().retirements()).isEqualTo(2);
    }

    /** A thread that does something until it waits for a lock. */
    private Thread blocked(Runnable step) {
        Thread thread = Thread.ofPlatform().daemon().start(step);
        while (!holdsWriter || thread.getState() != Thread.State.WAITING) {
            assertThat(thread.isAlive()).as("it waits").isTrue();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return thread;
    }

    private void keep() {
        keeper.keep();
        holdsWriter = true;
    }

    private void goOn(Thread writer) throws InterruptedException {
        keeper.letGo.countDown();
        writer.join();
        keeper.thread.join();
        index.assertConsistent();
    }

    private final class Clock implements InstantSource {
        @Override
        public Instant instant() {
            if (keepsWhenAsked) {
                keep();
            }
            return Instant.EPOCH;
        }
    }

    /** Keeps the vocabulary's lock: these holders are read under it, and come to an end only when they are let go. */
    private final class Keeper extends AbstractList<Holder> {
        private final CountDownLatch kept = new CountDownLatch(1);
        private final CountDownLatch letGo = new CountDownLatch(1);
        private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::read);

        void keep() {
            thread.start();
            await(kept);
        }

        private void read() {
            ClaimedKeys none = index.vocabulary().holdNone();
            ClaimedKeys same = index.vocabulary().hold(none, this);
            index.vocabulary().release(none, same);
            index.vocabulary().releaseAll(same);
        }

        @Override
        public Stream<Holder> stream() {
            kept.countDown();
            await(letGo);
            return Stream.empty();
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Holder get(int place) {
            throw new IndexOutOfBoundsException(place);
        }

        @Override
        public int size() {
            return 0;
        }
    }
}
