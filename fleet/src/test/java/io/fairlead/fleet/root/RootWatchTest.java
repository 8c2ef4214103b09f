package io.fairlead.fleet.root;

import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterKind;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Names are told whatever happens to those who are told them. */
class RootWatchTest {
    @Test
    void error_endsNotTheWatch() {
        Set<String> told = ConcurrentHashMap.newKeySet();
        AtomicInteger errors = new AtomicInteger();
        try (RootCluster root = new RootCluster(_ -> Optional.empty());
                RootWatch watch = new RootWatch(new RootApi(root.root), ClusterKind.CLUSTERS, "", name -> {
                    if (errors.getAndIncrement() < 2) {
                        throw new OutOfMemoryError("of the test");
                    }
                    told.add(name);
                })) {
            watch.start();
            root.create(CLUSTERS, cluster("first"));
            eventually("first is told", () -> told.contains("first"));
            root.create(CLUSTERS, cluster("second"));
            eventually("second is told", () -> told.contains("second"));

            assertThat(errors.get()).isGreaterThan(2);
            assertThat(watch.work().isAlive()).isTrue();
        }
    }

    private static String cluster(String name) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + name + "}, spec: {hosted: {}}}";
    }
}
