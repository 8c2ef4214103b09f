package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tasks that run one after the other, whatever becomes of each. */
class SerialTasksTest {
    @Test
    void taskAfterAnError_runs() {
        List<Runnable> executor = new ArrayList<>();
        List<String> ran = new ArrayList<>();
        SerialTasks tasks = new SerialTasks(executor::add);
        tasks.execute(() -> {
            throw new StackOverflowError("of a test");
        });
        tasks.execute(() -> ran.add("second"));

        executor.removeFirst().run();
        tasks.execute(() -> ran.add("third"));
        executor.removeFirst().run();

        assertThat(ran).containsExactly("second", "third");
    }

    @Test
    void tasks_forWhichThereWasNoThread_runWithTheNextOne() {
        List<Runnable> executor = new ArrayList<>();
        List<String> ran = new ArrayList<>();
        AtomicInteger refusals = new AtomicInteger(1);
        SerialTasks tasks = new SerialTasks(task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("of a test");
            }
            executor.add(task);
        });
        assertThatThrownBy(() -> tasks.execute(() -> ran.add("first"))).isInstanceOf(OutOfMemoryError.class);

        tasks.execute(() -> ran.add("second"));
        executor.removeFirst().run();

        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void tasks_afterTheEndOfTheirThreads_areDropped() {
        SerialTasks tasks = new SerialTasks(_ -> {
            throw new RejectedExecutionException("of a test");
        });

        assertThatNoException().isThrownBy(() -> tasks.execute(() -> {}));
    }
}
