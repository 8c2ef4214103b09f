package io.fairlead.schema.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VersionOrderTest {
    private static final List<String> IN_ORDER = List.of(
            "v10",
            "v2",
            "v1",
            "v11beta2",
            "v10beta3",
            "v3beta1",
            "v12alpha1",
            "v11alpha2",
            "foo1",
            "foo10",
            "v0",
            "v1x");

    @Test
    void versions_areOrderedAsKubernetesOrdersThem() {
        long seed = System.nanoTime();
        List<String> shuffled = new ArrayList<>(IN_ORDER);
        Collections.shuffle(shuffled, new Random(seed));

        shuffled.sort(VersionOrder.BEST_FIRST);

        assertThat(shuffled).as("seed %d", seed).isEqualTo(IN_ORDER);
    }
}
