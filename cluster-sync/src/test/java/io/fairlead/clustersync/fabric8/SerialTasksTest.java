package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
}
