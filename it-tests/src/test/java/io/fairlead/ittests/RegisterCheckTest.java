package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.RegisterOperation.Action;
import io.fairlead.ittests.RegisterOperation.Action.Overwrite;
import io.fairlead.ittests.RegisterOperation.Action.Read;
import io.fairlead.ittests.RegisterOperation.Action.Replace;
import io.fairlead.ittests.RegisterOperation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Histories of one object that are linearizable, and canaries that are not. It holds {@code a} at first, at version 1. */
final class RegisterCheckTest {
    private static final int OBJECTS = 50;

    private final List<RegisterOperation> history = new ArrayList<>();

    @Test
    void oneAfterTheOther_isLinearizable() {
        done(1, 2, new Read("a"), 1);
        done(3, 4, new Replace("a", "b"), 2);
        conflict(5, 6, new Replace("a", "c"));
        done(7, 8, new Overwrite("d"), 3);
        done(9, 10, new Read("d"), 3);

        assertLinearizable();
    }

    @Test
    void readsDuringAWrite_mayShowEither() {
        done(1, 10, new Overwrite("b"), 2);
        done(2, 3, new Read("a"), 1);
        done(4, 5, new Read("b"), 2);

        assertLinearizable();
    }

    @Test
    void readsThatGoBack_areNot() {
        done(1, 10, new Overwrite("b"), 2);
        done(2, 3, new Read("b"), 2);
        done(4, 5, new Read("a"), 1);

        assertNotLinearizable();
    }

    @Test
    void staleRead_isNot() {
        done(1, 2, new Overwrite("b"), 2);
        done(3, 4, new Read("a"), 1);

        assertNotLinearizable();
    }

    @Test
    void lostUpdate_isNot() {
        done(1, 2, new Overwrite("b"), 2);
        done(3, 4, new Replace("a", "c"), 3);

        assertNotLinearizable();
    }

    @Test
    void twoThatReplaceOneVersion_areNot() {
        done(1, 5, new Replace("a", "b"), 2);
        done(2, 6, new Replace("a", "c"), 3);

        assertNotLinearizable();
    }

    @Test
    void writeThatWasAcknowledgedAndIsGone_isNot() {
        done(1, 2, new Overwrite("b"), 2);
        done(3, 4, new Overwrite("c"), 3);
        done(5, 6, new Read("b"), 2);

        assertNotLinearizable();
    }

    @Test
    void valueThatWasNeverWritten_isNot() {
        done(1, 2, new Read("b"), 2);

        assertNotLinearizable();
    }

    @Test
    void conflictWithNothing_isNot() {
        conflict(1, 2, new Replace("a", "b"));

        assertNotLinearizable();
    }

    @Test
    void conflictThatWrites_isNot() {
        done(1, 2, new Overwrite("b"), 2);
        conflict(3, 4, new Replace("a", "c"));
        done(5, 6, new Read("c"), 3);

        assertNotLinearizable();
    }

    @Test
    void versionsAgainstTheOrder_areNot() {
        done(1, 2, new Overwrite("b"), 3);
        done(3, 4, new Overwrite("c"), 2);

        assertNotLinearizable();
    }

    @Test
    void oneValueAtTwoVersions_isNot() {
        done(1, 2, new Overwrite("b"), 2);
        done(3, 4, new Read("b"), 3);

        assertNotLinearizable();
    }

    @Test
    void unknownWrite_mayShowLate_orNever() {
        unknown(1, new Overwrite("b"));
        unknown(1, new Replace("a", "c"));
        done(3, 4, new Read("a"), 1);
        done(5, 6, new Read("b"), 2);

        assertLinearizable();
    }

    @Test
    void unknownWrite_explainsAConflict() {
        unknown(1, new Overwrite("b"));
        conflict(2, 3, new Replace("a", "c"));

        assertLinearizable();
    }

    @Test
    void unknownWrite_thatHasItsEffectTwice_isNot() {
        unknown(1, new Overwrite("b"));
        done(2, 3, new Read("b"), 2);
        done(4, 5, new Overwrite("c"), 3);
        done(6, 7, new Read("b"), 2);

        assertNotLinearizable();
    }

    @Test
    void unknownReplacement_ofWhatIsGone_isNot() {
        done(1, 2, new Overwrite("b"), 2);
        unknown(3, new Replace("a", "c"));
        done(4, 5, new Read("c"), 3);

        assertNotLinearizable();
    }

    /** What a real register does is accepted, whatever overlaps; with one stale read it is not. */
    @Test
    void randomHistories_areAccepted_andWithOneStaleReadRefused() {
        var random = new SplittableRandom(20261127);
        for (int i = 0; i < OBJECTS; i++) {
            history.clear();
            long end = simulate(random);
            assertLinearizable();

            done(end + 1, end + 2, new Read("a"), 1);
            assertNotLinearizable();
        }
    }

    /** Each operation takes effect at some moment between its call and its answer, which may get lost. */
    private long simulate(SplittableRandom random) {
        String held = "a";
        long version = 1;
        long now = 10;
        List<String> remembered = new ArrayList<>(List.of("a"));
        for (int i = 0; i < 300; i++) {
            now += 1 + random.nextInt(10);
            long called = now - random.nextInt(20);
            long answered = now + random.nextInt(20);
            boolean isLost = random.nextInt(20) == 0;
            String expected = remembered.get(Math.max(0, remembered.size() - 1 - random.nextInt(3)));
            Action write = random.nextBoolean() ? new Overwrite("v" + i) : new Replace(expected, "v" + i);
            boolean isRead = i > 0 && random.nextInt(3) == 0;
            if (isRead) {
                done(called, answered, new Read(held), version);
                continue;
            }
            boolean isDone = write instanceof Overwrite || expected.equals(held);
            if (isDone && !(isLost && random.nextBoolean())) {
                held = "v" + i;
                version++;
                remembered.add(held);
            }
            if (isLost) {
                unknown(called, write);
            } else if (isDone) {
                done(called, answered, write, version);
            } else {
                conflict(called, answered, write);
            }
        }
        return now + 100;
    }

    private void done(long called, long answered, Action action, long version) {
        history.add(new RegisterOperation(called, answered, action, Outcome.DONE, version));
    }

    private void conflict(long called, long answered, Action action) {
        history.add(new RegisterOperation(called, answered, action, Outcome.CONFLICT, 0));
    }

    private void unknown(long called, Action action) {
        history.add(new RegisterOperation(called, 0, action, Outcome.UNKNOWN, 0));
    }

    private void assertLinearizable() {
        assertThat(RegisterCheck.fault("a", 1, history)).isEmpty();
    }

    private void assertNotLinearizable() {
        assertThat(RegisterCheck.fault("a", 1, history)).isPresent();
    }
}
