package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work goes on whatever it throws, until it is closed. */
class SupervisedTest {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch again = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(strings = {"error", "exception", "return", "interrupt"})
    void workThatEnds_isToldOf_andBeginsAgain(String end) throws Exception {
        Supervised work = supervised(() -> {
            if (begun.incrementAndGet() > 1) {
                again.countDown();
                Thread.currentThread().join();
            }
            switch (end) {
                case "error" -> throw new OutOfMemoryError("of the test");
                case "exception" -> throw new IllegalStateException("of the test");
                case "interrupt" -> throw new InterruptedException("of the test");
                default -> {}
            }
        });
        work.start();

        assertThat(heard.poll(20, TimeUnit.SECONDS))
                .startsWith("the work: ")
                .containsAnyOf("of the test", "although it was not closed");
        assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(work.problem()).isEmpty();
        assertThat(work.isAlive()).isTrue();

        work.close(Duration.ofSeconds(20));
        assertThat(work.isAlive()).isFalse();
        assertThat(begun).hasValue(2);
        assertThat(heard).isEmpty();
    }

    @Test
    void workThatPauses_saysWhy() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        BlockingQueue<String> problems = new LinkedBlockingQueue<>();
        Supervised[] self = new Supervised[1];
        self[0] = new Supervised(
                "the work",
                Thread.ofVirtual(),
                () -> {
                    throw new StackOverflowError("of the test");
                },
                (_, _) -> {
                    problems.add(self[0].problem().orElse("none"));
                    asked.countDown();
                    throw new OutOfMemoryError("even of the witness");
                });
        self[0].start();

        assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(problems.poll(20, TimeUnit.SECONDS)).contains("StackOverflowError: of the test");
        assertThat(problems.poll(20, TimeUnit.SECONDS)).contains("StackOverflowError: of the test");
        self[0].close(Duration.ofSeconds(20));
        assertThat(self[0].isAlive()).isFalse();
    }

    /** Although the interrupt, by which work learns that it is closed, was lost on the way. */
    @Test
    void pause_ofWorkThatIsClosed_endsAtOnce() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        Supervised[] self = new Supervised[1];
        self[0] = supervised(() -> {
            try {
                waits.countDown();
                Thread.currentThread().join();
            } catch (InterruptedException lost) {
                self[0].pause(Duration.ofHours(1));
            }
        });
        self[0].start();
        assertThat(waits.await(20, TimeUnit.SECONDS)).isTrue();

        self[0].close(Duration.ofSeconds(20));

        assertThat(self[0].isAlive()).isFalse();
    }

    @Test
    void close_beforeItBegan_isNothing() {
        supervised(() -> {}).close(Duration.ofSeconds(20));

        assertThat(begun).hasValue(0);
    }

    @Test
    void recurringTask_runsOn_andTellsTheFirstOfSeveralFailures() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch enough = new CountDownLatch(6);
        List<String> told = new CopyOnWriteArrayList<>();
        Recurring task = new Recurring(
                "the task",
                () -> {
                    enough.countDown();
                    if (runs.incrementAndGet() != 3) {
                        throw new NoClassDefFoundError("of the test");
                    }
                },
                (name, failure) -> told.add(name + ": " + failure));
        try (var scheduler = Executors.newSingleThreadScheduledExecutor()) {
            var repeated = scheduler.scheduleWithFixedDelay(task, 0, 1, TimeUnit.MILLISECONDS);
            assertThat(enough.await(20, TimeUnit.SECONDS)).isTrue();
            repeated.cancel(false);
        }

        assertThat(told)
                .containsExactly(
                        "the task: java.lang.NoClassDefFoundError: of the test",
                        "the task: java.lang.NoClassDefFoundError: of the test");
        assertThat(task.problem()).hasValueSatisfying(why -> assertThat(why).contains("of the test"));
    }

    private Supervised supervised(Supervised.Work work) {
        return new Supervised(
                "the work", Thread.ofVirtual(), work, (name, failure) -> heard.add(name + ": " + failure.getMessage()));
    }
}
