package io.fairlead.fleet.pins.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Clusters are selected as they are labelled when it is asked. */
class ClusterSetTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final ClusterName DEV = new ClusterName("dev");

    private Map<ClusterName, Map<String, String>> registered = Map.of();
    private final ClusterSet labelled = new ClusterSet.Labelled(Map.of("stage", "prod"), () -> registered);

    @Test
    void clusterWhoseLabelsAreNotKnown_mayBeOne() {
        assertThat(labelled.has(PROD)).isTrue();
        assertThat(labelled.names()).isEmpty();
    }

    @Test
    void labels_countAtOnce() {
        registered = Map.of(PROD, Map.of("stage", "prod", "region", "north"), DEV, Map.of("stage", "dev"));
        assertThat(labelled.has(PROD)).isTrue();
        assertThat(labelled.has(DEV)).isFalse();
        assertThat(labelled.names()).containsExactly(PROD);

        registered = Map.of(PROD, Map.of(), DEV, Map.of("stage", "prod"));

        assertThat(labelled.has(PROD)).isFalse();
        assertThat(labelled.has(DEV)).isTrue();
        assertThat(labelled.names()).containsExactly(DEV).isSameAs(labelled.names());
    }

    @Test
    void all_areThoseRegisteredNow() {
        ClusterSet all = new ClusterSet.All(() -> registered);
        registered = Map.of(PROD, Map.of());

        assertThat(all.has(DEV)).isTrue();
        assertThat(all.names()).isEqualTo(Set.of(PROD));
    }
}
