package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both forms of a set of numbers are the same set. */
class KeySetTest {
    private static final int STEPS = 500;

    @ParameterizedTest
    @ValueSource(ints = {150, 100_000})
    void anySequenceOfChanges_equalsASortedSet(int bound) {
        long seed = Long.getLong("fuzz.seed", 7);
        Random random = new Random(seed);
        TreeSet<Integer> expected = new TreeSet<>();
        KeySet set = set();
        KeySet few = set(3, 64, 65, 4_000);
        KeySet many = set(IntStream.range(0, 100).toArray());
        for (int step = 0; step < STEPS; step++) {
            int[] removed = some(random, expected);
            int[] added = random.ints(random.nextInt(expected.size() < 100 ? 8 : 2), 0, bound)
                    .filter(id -> !expected.contains(id))
                    .sorted()
                    .distinct()
                    .toArray();
            IntStream.of(added).forEach(expected::add);
            IntStream.of(removed).forEach(expected::remove);
            set = set.changed(added, removed);
            KeySet anew = set(expected.stream().mapToInt(Integer::intValue).toArray());
            assertThat(set).as("seed %d, step %d", seed, step).isEqualTo(anew).hasSameHashCodeAs(anew);
            assertThat(set.ids()).isEqualTo(anew.ids());
            assertThat(set.size()).isEqualTo(expected.size());
            assertBeyond(set, few);
            assertBeyond(set, many);
        }
        assertThat(set.bits() == null).as("sparse").isEqualTo(bound > 1_000);
    }

    private static void assertBeyond(KeySet one, KeySet other) {
        assertThat(beyond(one, other))
                .containsExactlyElementsOf(IntStream.of(one.ids())
                        .filter(id -> !other.contains(id))
                        .boxed()
                        .toList());
        assertThat(beyond(other, one))
                .containsExactlyElementsOf(IntStream.of(other.ids())
                        .filter(id -> !one.contains(id))
                        .boxed()
                        .toList());
    }

    @Test
    void contains_isExact_atTheEdgesOfWords() {
        int[] edges = {0, 1, 31, 32, 62, 63, 64, 65, 126, 127, 128};
        for (KeySet set : List.of(set(edges), set(with(edges, 100_000)))) {
            for (int id = 0; id < 300; id++) {
                int asked = id;
                assertThat(set.contains(asked))
                        .as("%d", asked)
                        .isEqualTo(IntStream.of(edges).anyMatch(edge -> edge == asked));
            }
        }
        assertThat(KeySet.hasBit(new long[] {1L << 63}, 63)).isTrue();
        assertThat(KeySet.hasBit(new long[] {1L << 63}, 64)).isFalse();
        assertThat(KeySet.hasBit(new long[] {1L << 63}, 127)).isFalse();
    }

    @Test
    void form_isTheSmallerOne() {
        assertThat(set().bits()).isEmpty();
        assertThat(set(0).bits()).as("8 bytes against 4").isNull();
        assertThat(set(0, 63).bits()).as("8 bytes against 8").containsExactly(1 | 1L << 63);
        assertThat(set(0, 64).bits()).as("16 bytes against 8").isNull();
        assertThat(set(0, 63).changed(new int[0], new int[] {63}).bits()).isNull();
        assertThat(set(0, 1, 2, 3, 4, 130).changed(new int[0], new int[] {130}).bits())
                .as("without empty words at the end")
                .containsExactly(0b11111);
        assertThat(set(0, 1).changed(new int[] {2, 3, 64, 65}, new int[0]).bits())
                .containsExactly(0b1111, 0b11);
    }

    @Test
    void sets_areEqual_onlyWithTheSameNumbers() {
        assertThat(set(0, 1)).isEqualTo(set(0, 1)).isNotEqualTo(set(0, 2)).isNotEqualTo("other");
        assertThat(set(7)).isEqualTo(set(7)).isNotEqualTo(set(8)).isNotEqualTo("other");
    }

    private static List<Integer> beyond(KeySet set, KeySet other) {
        List<Integer> ids = new ArrayList<>();
        set.forEachBeyond(other, ids::add);
        return ids;
    }

    private static int[] some(Random random, Set<Integer> held) {
        return held.stream()
                .filter(_ -> random.nextInt(30) == 0)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static int[] with(int[] ids, int more) {
        return IntStream.concat(IntStream.of(ids), IntStream.of(more)).toArray();
    }

    private static KeySet set(int... ids) {
        return KeySet.of(ids);
    }
}
