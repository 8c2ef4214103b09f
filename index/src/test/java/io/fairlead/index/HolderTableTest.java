package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HolderTableTest {
    private static final int NAMES = 300;
    private static final int STEPS = 5_000;

    @Test
    void anySequenceOfChanges_equalsASortedMap() {
        long seed = Long.getLong("fuzz.seed", 7);
        Random random = new Random(seed);
        Map<String, Holder> expected = new TreeMap<>();
        HolderTable table = HolderTable.EMPTY;
        for (int step = 0; step < STEPS; step++) {
            Holder holder = holder(random.nextInt(NAMES), step);
            boolean growing = step < STEPS / 2;
            if (random.nextInt(10) < (growing ? 7 : 3)) {
                expected.put(holder.name(), holder);
                table = table.with(holder);
            } else {
                expected.remove(holder.name());
                table = table.without(holder);
            }
            assertThat(table.find(HolderType.CRD, holder.name())).isEqualTo(expected.get(holder.name()));
            assertThat(table.size()).isEqualTo(expected.size());
            if (step % 50 == 0) {
                assertThat(table.holders())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(List.copyOf(expected.values()));
            }
        }
    }

    @Test
    void tablesWithTheSameHolders_areEqualHoweverTheyCameAbout() {
        HolderTable changed = HolderTable.EMPTY;
        for (int i = 0; i < NAMES; i++) {
            changed = changed.with(holder(i * 7 % NAMES, 0));
        }
        HolderTable listed = HolderTable.EMPTY.withAll(Set.of(HolderType.CRD), changed.holders());

        assertThat(changed).isEqualTo(listed).hasSameHashCodeAs(listed);
        assertThat(changed.without(holder(0, 0))).isNotEqualTo(listed);
    }

    private static Holder holder(int name, int resourceVersion) {
        return new Holder(HolderType.CRD, "crd-" + name, "u", Integer.toString(resourceVersion), List.of());
    }
}
