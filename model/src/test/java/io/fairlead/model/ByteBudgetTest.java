package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
    private final ByteBudget process = ByteBudget.of(100);

    @Test
    void take_beyondTheBudget_takesNothing() {
        assertThat(process.take(60)).isTrue();
        assertThat(process.take(41)).isFalse();
        assertThat(process.taken()).isEqualTo(60);
        assertThat(process.take(40)).isTrue();
    }

    @Test
    void take_ofAPart_isRefusedByTheWhole() {
        ByteBudget one = process.part(80);
        ByteBudget other = process.part(80);

        assertThat(one.take(70)).isTrue();
        assertThat(other.take(31)).isFalse();

        assertThat(other.taken()).isZero();
        assertThat(process.taken()).isEqualTo(70);
    }

    @Test
    void take_ofAPart_isRefusedByThePart() {
        ByteBudget part = process.part(10);

        assertThat(part.take(11)).isFalse();

        assertThat(process.taken()).isZero();
    }

    @Test
    void hold_closed_givesAllBackOnceAndTakesNoMore() {
        ByteBudget.Hold hold = process.part(50).hold();
        assertThat(hold.grow(30)).isTrue();
        hold.shrink(10);
        assertThat(process.taken()).isEqualTo(20);

        hold.close();
        hold.close();

        assertThat(process.taken()).isZero();
        assertThat(hold.grow(1)).isFalse();
        assertThat(hold.bytes()).isZero();
    }

    @Test
    void callerHold_takesOfBothOrOfNeither_andTellsWhoIsFull() {
        ByteBudgets<String> callers = new ByteBudgets<>(ByteBudget.of(1_000), 50);
        ByteBudget cluster = process.part(70);
        CallerHold jane = new CallerHold(callers.use("jane"), cluster);
        CallerHold joe = new CallerHold(callers.use("joe"), cluster);

        assertThat(jane.grow(51)).isEqualTo(CallerHold.Outcome.CALLER_FULL);
        assertThat(jane.grow(40)).isEqualTo(CallerHold.Outcome.HELD);
        assertThat(joe.grow(31)).isEqualTo(CallerHold.Outcome.CLUSTER_FULL);
        assertThat(joe.callersPart().taken()).isZero();
        assertThat(process.taken()).isEqualTo(40);

        jane.close();
        jane.close();
        joe.close();
        assertThat(process.taken()).isZero();
        assertThat(callers.size()).isZero();
    }

    @Test
    void shrink_belowNothing_isAFaultOfTheProgram() {
        ByteBudget.Hold hold = process.hold();
        assertThat(hold.grow(5)).isTrue();

        assertThatThrownBy(() -> hold.shrink(6)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parts_existOnlyWhileTheyAreUsed() {
        ByteBudgets<String> callers = new ByteBudgets<>(process, 40);
        ByteBudgets.Use first = callers.use("ann");
        ByteBudgets.Use second = callers.use("ann");

        assertThat(first.budget()).isSameAs(second.budget());
        assertThat(callers.use("bob").budget()).isNotSameAs(first.budget());
        assertThat(callers.size()).isEqualTo(2);

        first.close();
        first.close();
        assertThat(callers.use("ann").budget()).isSameAs(second.budget());
    }

    @Test
    void manyThreads_neverTakeMoreThanThereIs() throws InterruptedException {
        ByteBudget part = process.part(70);
        List<Thread> threads = new ArrayList<>();
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    try (ByteBudget.Hold hold = (random.nextBoolean() ? part : process).hold()) {
                        hold.grow(random.nextInt(60));
                        hold.grow(random.nextInt(60));
                        assertThat(hold.bytes()).isLessThanOrEqualTo(100);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(process.taken()).isZero();
        assertThat(part.taken()).isZero();
    }
}
