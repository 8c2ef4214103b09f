package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose turn comes before whose. */
class ClusterTurnsTest {
    private final ClusterTurns turns = new ClusterTurns(() -> 0);
    private final List<String> taken = new ArrayList<>();

    @Test
    void newClusters_comeFirst_eachInTheirOrder_andOnce() throws InterruptedException {
        add("a", false);
        add("b", false);
        add("new-1", true);
        add("b", false);
        add("new-2", true);
        add("new-1", true);

        take(4);

        assertThat(taken).containsExactly("new-1", "new-2", "a", "b");
    }

    @Test
    void clusterThatIsQueued_isNotQueuedAgainAsNew() throws InterruptedException {
        add("a", false);
        add("b", false);
        add("b", true);

        take(2);

        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void turnThatIsAskedForDuringATurn_followsIt() throws InterruptedException {
        add("a", false);
        turns.take(
                name -> {
                    taken.add(name.value());
                    if (taken.size() == 1) {
                        turns.add(name);
                    }
                },
                Set::of,
                () -> taken.size() == 2);

        assertThat(taken).containsExactly("a", "a");
    }

    private void add(String name, boolean isNew) {
        turns.add(new ClusterName(name), isNew);
    }

    private void take(int count) throws InterruptedException {
        turns.take(name -> taken.add(name.value()), Set::of, () -> taken.size() == count);
    }
}
