package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.fabric8.ListLimiter.Reading;
import io.fairlead.clustersync.fabric8.ListLimiter.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who may list, with a clock and an executor that the test drives. */
final class ListLimiterTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE = ListLimiter.PATIENCE.toNanos();
    private static final int ROUNDS = 200;
    private static final int STEPS = 500;
    private static final int PLACES = 3;

    private final ManualTimer timer = new ManualTimer();
    private final Queue<Runnable> ready = new ArrayDeque<>();
    private ListLimiter turns = turns(2);

    @Test
    void take_whileAPlaceIsFree_asksAtOnce() {
        List<String> asked = new ArrayList<>();
        list("a", asked);
        list("b", asked);
        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void take_whenAllPlacesAreHeld_asksInTheOrderOfComing() {
        List<String> asked = new ArrayList<>();
        Turn a = list("a", asked);
        Turn b = list("b", asked);
        Turn c = list("c", asked);
        list("d", asked);

        assertThat(asked).containsExactly("a", "b");
        end(b);
        assertThat(asked).containsExactly("a", "b", "c");
        end(c);
        end(a);
        assertThat(asked).containsExactly("a", "b", "c", "d");
    }

    @Test
    void end_whileWaiting_leavesTheQueueAndDropsTheRequest() {
        List<String> asked = new ArrayList<>();
        Turn a = list("a", asked);
        list("b", asked);
        Turn deleted = list("deleted", asked);
        list("d", asked);

        end(deleted);
        assertThat(turns.waitingCount()).isEqualTo(1);
        end(a);

        assertThat(asked).containsExactly("a", "b", "-deleted", "d");
    }

    @Test
    void end_again_givesNothingBackAgain() {
        List<String> asked = new ArrayList<>();
        Turn a = list("a", asked);
        list("b", asked);
        list("c", asked);
        list("d", asked);

        end(a);
        end(a);

        assertThat(asked).containsExactly("a", "b", "c");
        assertThat(turns.heldCount()).isEqualTo(2);
    }

    @Test
    void silentServers_delayTheOthersByLittle() {
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            list("dead", asked);
        }
        list("alive", asked);

        pass(10 / 2 * (PATIENCE + SECOND));

        assertThat(asked).hasSize(11).endsWith("alive");
    }

    @Test
    void livingServersThatAreSlow_areNotAllAskedAtOnce() {
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            turns.take(true).ask(() -> asked.add("slow"), ListLimiterTest::nothing);
        }

        pass(10 * ListLimiter.LIVE_SERVER_TIMEOUT.toNanos());

        assertThat(asked).hasSize(2 * 2);
    }

    @Test
    void serverThatIsHeardElsewhere_keepsItsPlaceForLonger() {
        List<String> asked = new ArrayList<>();
        Turn a = list("a", asked);
        list("b", asked);
        list("c", asked);
        a.lives();
        pass(PATIENCE + SECOND);

        assertThat(a.arrived(1)).isEqualTo(Reading.NOW);
        assertThat(asked).containsExactly("a", "b", "c");
    }

    @Test
    void serverThatFailedBefore_isAskedWithoutAPlace_andReadWithOne() {
        List<String> asked = new ArrayList<>();
        Turn a = list("a", asked);
        list("b", asked);
        Turn failing = turns.takeWithoutPlace();
        failing.ask(() -> asked.add("failing"), ListLimiterTest::nothing);
        assertThat(asked).containsExactly("a", "b", "failing");

        assertThat(failing.arrived(1)).isEqualTo(Reading.LATER);
        failing.whenPlaced(() -> asked.add("read"));
        settle();
        assertThat(asked).doesNotContain("read");

        end(a);
        assertThat(asked).endsWith("read");
        assertThat(failing.arrived(1)).isEqualTo(Reading.NOW);
    }

    @Test
    void silentServer_keepsItsPlaceWhileNobodyWaits() {
        Turn a = list("a", new ArrayList<>());
        pass(10 * PATIENCE);
        assertThat(a.arrived(1)).isEqualTo(Reading.NOW);
    }

    @Test
    void serverThatDribbles_losesItsPlace_andWaitsBehindTheOthers() {
        List<String> asked = new ArrayList<>();
        Turn dribbling = list("dribbling", asked);
        Turn fast = list("fast", asked);
        Turn c = list("c", asked);
        for (int i = 0; i < 40; i++) {
            dribbling.arrived(1);
            fast.arrived(ListLimiter.PROGRESS_BYTES);
            timer.advance(SECOND / 2);
            settle();
        }
        assertThat(asked).containsExactly("dribbling", "fast", "c");
        list("d", asked);

        assertThat(dribbling.arrived(1)).isEqualTo(Reading.LATER);
        dribbling.whenPlaced(() -> asked.add("dribbling again"));
        end(c);
        assertThat(asked).endsWith("d");
        end(fast);

        assertThat(asked).endsWith("d", "dribbling again");
    }

    @Test
    void pageThatIsBeingParsed_keepsItsPlace() {
        List<String> asked = new ArrayList<>();
        Turn a = list("a", asked);
        Turn b = list("b", asked);
        list("c", asked);
        a.answered();
        b.answered();

        pass(10 * PATIENCE);

        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void spent_leavesOutWhatItWaited() {
        List<String> asked = new ArrayList<>();
        Turn a = list("a", asked);
        Turn b = list("b", asked);
        a.answered();
        b.answered();
        Turn c = list("c", asked);
        timer.advance(7 * SECOND);
        assertThat(c.spentNanos()).isZero();

        end(a);
        timer.advance(2 * SECOND);

        assertThat(c.spentNanos()).isEqualTo(2 * SECOND);
        assertThat(b.spentNanos()).isEqualTo(9 * SECOND);
    }

    @Test
    void turnThatIsOver_dropsWhatIsAsked() {
        List<String> asked = new ArrayList<>();
        turns.none().ask(() -> asked.add("request"), () -> asked.add("drop"));
        assertThat(asked).containsExactly("drop");
        assertThat(turns.none().arrived(1)).isEqualTo(Reading.NEVER);
    }

    @Test
    void randomLists_allEnd_andNeverHoldMoreThanThePlaces() {
        long seed = Long.getLong("fuzz.seed", 7);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            turns = turns(PLACES);
            List<FakeList> lists = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(10) == 0) {
                    lists.add(new FakeList(random));
                } else if (!lists.isEmpty()) {
                    lists.get(random.nextInt(lists.size())).step(random.nextInt(50) == 0);
                }
                timer.advance(random.nextLong(SECOND));
                consistent(lists, seed);
            }
            for (int step = 0; lists.stream().anyMatch(list -> !list.over); step++) {
                assertThat(step).as("steps until all is over, seed %d", seed).isLessThan(10 * STEPS);
                lists.forEach(list -> list.step(false));
                timer.advance(random.nextLong(SECOND));
                consistent(lists, seed);
            }
            assertThat(turns.heldCount()).as("seed %d", seed).isZero();
            assertThat(turns.waitingCount()).as("seed %d", seed).isZero();
            assertThat(lists).as("seed %d", seed).allMatch(list -> list.answers == list.requests);
        }
    }

    private void consistent(List<FakeList> lists, long seed) {
        settle();
        turns.assertConsistent();
        assertThat(lists.stream().filter(FakeList::mayBeRead).count())
                .as("lists that are read at once, seed %d", seed)
                .isLessThanOrEqualTo(PLACES);
    }

    private Turn list(String name, List<String> asked) {
        Turn turn = turns.take(false);
        turn.ask(() -> asked.add(name), () -> asked.add("-" + name));
        settle();
        return turn;
    }

    private void end(Turn turn) {
        turn.end();
        settle();
    }

    private ListLimiter turns(int places) {
        return new ListLimiter(places, timer, ready::add);
    }

    private static void nothing() {}

    private void pass(long nanos) {
        for (long passed = 0; passed < nanos; passed += SECOND / 2) {
            timer.advance(SECOND / 2);
            settle();
        }
    }

    private void settle() {
        for (Runnable step = ready.poll(); step != null; step = ready.poll()) {
            step.run();
        }
    }

    /** A list of some pages from a server that is fast, slow or silent for a while. */
    private final class FakeList {
        private final Random random;
        private final boolean silent;
        private final Turn turn;
        private int pages;
        private int silence;
        private int requests;
        private int answers;
        private boolean sent;
        private boolean paused;
        private boolean over;

        FakeList(Random random) {
            this.random = random;
            this.silent = random.nextInt(3) == 0;
            this.turn = random.nextInt(4) == 0 ? turns.takeWithoutPlace() : turns.take(random.nextBoolean());
            this.pages = 1 + random.nextInt(4);
            ask();
        }

        void step(boolean deleted) {
            if (over) {
                return;
            }
            if (deleted) {
                end();
            } else if (sent && !paused && silence-- <= 0) {
                read();
            }
        }

        boolean mayBeRead() {
            return !over && turn.arrived(0) == Reading.NOW;
        }

        private void ask() {
            requests++;
            silence = silent ? random.nextInt(30) : 0;
            turn.ask(
                    () -> {
                        answers++;
                        sent = true;
                    },
                    () -> answers++);
        }

        private void read() {
            Reading reading = turn.arrived(random.nextInt(2 * ListLimiter.PROGRESS_BYTES));
            switch (reading) {
                case NOW -> {
                    if (random.nextBoolean()) {
                        complete();
                    }
                }
                case LATER -> {
                    paused = true;
                    requests++;
                    turn.whenPlaced(() -> {
                        answers++;
                        paused = false;
                    });
                }
                case NEVER -> throw new AssertionError("nobody ended it");
            }
        }

        private void complete() {
            turn.answered();
            sent = false;
            if (--pages == 0) {
                end();
            } else {
                ask();
            }
        }

        private void end() {
            over = true;
            turn.end();
        }
    }

    private static final class ManualTimer implements ListLimiter.Timer {
        private record Task(long due, Runnable run) {}

        private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::due));
        private long now = 3_600 * SECOND;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void after(long nanos, Runnable task) {
            tasks.add(new Task(now + nanos, task));
        }

        void advance(long nanos) {
            long until = now + nanos;
            for (Task next = tasks.peek(); next != null && next.due() <= until; next = tasks.peek()) {
                tasks.remove();
                now = next.due();
                next.run().run();
            }
            now = until;
        }
    }
}
