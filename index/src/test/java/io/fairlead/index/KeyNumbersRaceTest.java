package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/*
 * A cluster serves one resource now and then, and another routes the whole version now and then, under the number that the
 * first has just given up. A reader of the first that took the one for the other would find every resource of the version
 * served. The resource that is asked about has a name that hashes as many others do, so that nearly all of a reader's time is
 * between the view and the number: that it looks again if a number was given up meanwhile is found to be missing in a moment.
 * The writer's half of the protocol is KeyNumbersOrderTest's.
 */
/** Two clusters exchange the number of a key under readers, who never take the one's key for the other's. */
@Timeout(60)
class KeyNumbersRaceTest {
    private static final Duration ENOUGH = Duration.ofMillis(1_500);
    private static final Set<HolderType> TYPES = Set.of(HolderType.CRD, HolderType.API_SERVICE);
    private static final GroupVersion EXAMPLE = new GroupVersion("example.com", "v1");

    /** So many pairs of letters that hash alike make twice as many names for each. */
    private static final int PAIRS = 11;

    private static final long STAY_NANOS = 20_000;

    private final FleetIndex index = FleetIndex.create();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger rounds = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<String>> wrong = new ArrayList<>();
    private final Side left = new Side(
            "left", new Holder(HolderType.CRD, "ls", "u", "", List.of(Contribution.of(EXAMPLE, Set.of("ls")))));
    private final Side right = new Side(
            "right", new Holder(HolderType.API_SERVICE, "r", "u", "", List.of(Contribution.unlisted(EXAMPLE))));

    @BeforeEach
    void shareTheVersion() {
        side("sharing", Contribution.of(EXAMPLE, Set.of()));
    }

    @AfterEach
    void stop() {
        over.set(true);
        threads.shutdownNow();
    }

    @Test
    void numberThatIsExchanged_isNeverTakenForTheOthersKey() throws Exception {
        List<String> names = namesThatHashAlike();
        String asked = names.removeFirst();
        side("crowd", Contribution.of(EXAMPLE, new TreeSet<>(names)));

        during(() -> {
            left.come();
            stay();
            left.go();
            right.come();
            stay();
            right.go();
            rounds.incrementAndGet();
            return "";
        });
        during(() -> said(index.peek(left.name, EXAMPLE.group(), EXAMPLE.version(), asked), "peek"));
        during(() -> said(
                index.locate(left.name, EXAMPLE.group(), EXAMPLE.version(), asked)
                        .answer(),
                "locate"));

        assertNothingWrong();
    }

    private void assertNothingWrong() throws Exception {
        for (Future<String> one : wrong) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isEmpty();
        }
        assertThat(rounds).as("the number was exchanged").hasPositiveValue();
        index.assertConsistent();
    }

    private static String said(Answer answer, String by) {
        return answer == Answer.SERVED ? by + " said that the left serves what only the right does" : "";
    }

    /** Does something again and again for a while, or until something was wrong. */
    private void during(Supplier<String> step) {
        long beganNanos = System.nanoTime();
        wrong.add(CompletableFuture.supplyAsync(
                () -> {
                    String found = "";
                    while (found.isEmpty() && !over.get()) {
                        found = step.get();
                        over.compareAndSet(
                                false, !found.isEmpty() || System.nanoTime() - beganNanos > ENOUGH.toNanos());
                    }
                    return found;
                },
                threads));
    }

    /** What changes all the time is rarely seen as it is wanted when a thread is stopped. */
    private static void stay() {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < STAY_NANOS) {
            Thread.onSpinWait();
        }
    }

    private static List<String> namesThatHashAlike() {
        List<String> names = List.of("");
        for (int pair = 0; pair < PAIRS; pair++) {
            names = names.stream()
                    .flatMap(begin -> Stream.of(begin + "Aa", begin + "BB"))
                    .toList();
        }
        return new ArrayList<>(names);
    }

    private void side(String name, Contribution contribution) {
        new Side(name, new Holder(HolderType.CRD, name, "u", "", List.of(contribution))).come();
    }

    /** A cluster that has one holder or none. */
    private final class Side {
        private final ClusterName name;
        private final Holder holder;
        private final ClusterLedger ledger;

        Side(String name, Holder holder) {
            this.name = new ClusterName(name);
            this.holder = holder;
            this.ledger = index.open(this.name, TYPES);
            go();
        }

        void come() {
            ledger.upsert(holder);
        }

        void go() {
            ledger.relist(TYPES, List.of(), "");
        }
    }
}
