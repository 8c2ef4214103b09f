package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PerClusterTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final ClusterName PROD = new ClusterName("prod");

    private final PerCluster<String> colours = new PerCluster<>();

    @Test
    void snapshot_isTheSameUntilSomethingChanges_andStaysAsItWas() {
        colours.put(DEV, "red");
        Map<ClusterName, String> before = colours.all();

        colours.put(DEV, "red");
        colours.remove(PROD);
        assertThat(colours.all()).isSameAs(before);

        colours.put(PROD, "blue");
        colours.remove(DEV);
        assertThat(colours.all()).isEqualTo(Map.of(PROD, "blue"));
        assertThat(before).isEqualTo(Map.of(DEV, "red"));
    }

    @Test
    void oneCluster_isReadAtOnce() {
        assertThat(colours.get(DEV)).isNull();
        colours.put(DEV, "red");
        assertThat(colours.get(DEV)).isEqualTo("red");
        colours.put(DEV, "green");
        assertThat(colours.get(DEV)).isEqualTo("green");
        colours.remove(DEV);
        assertThat(colours.get(DEV)).isNull();
    }
}
