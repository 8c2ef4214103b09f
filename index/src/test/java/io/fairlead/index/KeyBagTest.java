package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyBagTest {
    @Test
    void repeats_areAllButOneOfEach() {
        KeyBag bag = KeyBag.repeatsIn(new int[] {1, 2, 2, 3, 3, 3, 9});

        assertThat(bag).hasToString("[2, 3, 3]");
        assertThat(bag.contains(1)).isFalse();
        assertThat(KeyBag.repeatsIn(new int[] {1, 2, 9})).isEqualTo(KeyBag.EMPTY);
    }

    @Test
    void whatIsPutIn_comesOutAsOften() {
        KeyBag bag = KeyBag.EMPTY.with(5).with(3).with(5).with(8);

        assertThat(bag).hasToString("[3, 5, 5, 8]");
        assertThat(bag.with(3)).as("the first once more").hasToString("[3, 3, 5, 5, 8]");
        assertThat(bag).hasSameHashCodeAs(KeyBag.repeatsIn(new int[] {3, 3, 5, 5, 5, 8, 8}));
        assertThat(bag.without(5)).hasToString("[3, 5, 8]");
        assertThat(bag.without(5).without(5).contains(5)).isFalse();
        assertThat(bag.without(8).without(3).without(5).without(5)).isEqualTo(KeyBag.EMPTY);
    }
}
