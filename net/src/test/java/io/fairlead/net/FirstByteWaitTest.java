package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FirstByteWaitTest extends CallFixture {
    @Test
    void calls_areDueInTheOrderOfTheirTimes_whateverComesAndGoes() {
        Random random = new Random(20261124);
        List<Call> expected = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            if (expected.isEmpty() || random.nextInt(5) < 3) {
                Call call = post(0);
                hour.add(call, random.nextInt(1_000_000));
                expected.add(call);
            } else {
                hour.remove(expected.remove(random.nextInt(expected.size())));
            }
            expected.sort(Comparator.comparingLong(call -> call.dueNanos));
            assertThat(inOrder()).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(inOrder()).extracting(call -> call.dueNanos).isSorted();
        }
    }

    @Test
    void callThatIsAnsweredFirst_delaysNoOther() {
        FirstByteWait short1 = within(Duration.ofMillis(1));
        Call answered = post(0);
        Call silent = post(0);
        answered.started(short1);
        silent.started(short1);
        answered.cancel();

        while (!silent.isDone()) {
            Thread.onSpinWait();
            pass(Duration.ofMillis(1));
        }

        assertThat(heard).singleElement().asString().contains("within");
        assertThat(short1.first()).isNull();
    }

    private List<Call> inOrder() {
        List<Call> calls = new ArrayList<>();
        Call before = null;
        for (Call call = hour.first(); call != null; call = call.dueAfter) {
            assertThat(call.dueBefore).isSameAs(before);
            calls.add(call);
            before = call;
        }
        return calls;
    }
}
