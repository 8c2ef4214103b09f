package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReviewingClustersTest {
    private static final ClusterName A = new ClusterName("a");
    private static final ClusterName B = new ClusterName("b");
    private static final ClusterName C = new ClusterName("c");
    private static final List<ClusterName> OTHERS =
            IntStream.range(0, 300).mapToObj(i -> new ClusterName("other-" + i)).toList();

    private final ReviewingClusters reviewing = new ReviewingClusters();

    @Test
    void withoutAny_noNameBelongsToOne() {
        assertThat(reviewing.of(A)).isEmpty();
        reviewing.add(A);
        reviewing.remove(A);
        assertThat(reviewing.of(A)).isEmpty();
    }

    @Test
    void everyName_belongsToOne_andEachOfThemToItself() {
        reviewing.add(A);
        assertThat(OTHERS).allSatisfy(name -> assertThat(reviewing.of(name)).contains(A));
        reviewing.add(B);

        assertThat(reviewing.of(A)).contains(A);
        assertThat(reviewing.of(B)).contains(B);
        assertThat(belonging())
                .containsOnlyKeys(OTHERS)
                .allSatisfy((name, to) -> assertThat(to).isIn(A, B));
        assertThat(belonging()).isEqualTo(belonging());
    }

    /** Else those that never change over would be the clusters that there are. */
    @Test
    void clusterThatComesOrGoes_changesOverWithTheNamesThatBelongToIt_andNoOthers() {
        reviewing.add(A);
        reviewing.add(B);
        Map<ClusterName, ClusterName> before = belonging();

        reviewing.add(C);

        assertThat(belonging()).allSatisfy((name, to) -> assertThat(to).isIn(before.get(name), C));
        reviewing.remove(C);
        assertThat(belonging()).isEqualTo(before);
        reviewing.remove(B);
        assertThat(reviewing.of(B)).contains(A);
        assertThat(belonging()).allSatisfy((_, to) -> assertThat(to).isEqualTo(A));
    }

    @Test
    void order_differsFromProcessToProcess() {
        ReviewingClusters other = new ReviewingClusters();
        for (ClusterName one :
                IntStream.range(0, 20).mapToObj(i -> new ClusterName("r-" + i)).toList()) {
            reviewing.add(one);
            other.add(one);
        }

        assertThat(OTHERS).anySatisfy(name -> assertThat(reviewing.of(name)).isNotEqualTo(other.of(name)));
    }

    private Map<ClusterName, ClusterName> belonging() {
        Map<ClusterName, ClusterName> belonging = new HashMap<>();
        for (ClusterName name : OTHERS) {
            Optional<ClusterName> one = reviewing.of(name);
            assertThat(one).isPresent();
            belonging.put(name, one.get());
        }
        return belonging;
    }
}
