package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.EdgeServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The series of a whole gateway when types come and go. */
class SeriesOfTypesTest {
    private static final int TYPES = 200;

    @TempDir
    private Path folder;

    @Test
    void typesThatAreDeleted_ofAHostedAndAnAttachedCluster_leaveNoSeries() throws Exception {
        try (TwoGateways both = new TwoGateways(folder)) {
            EdgeServer edge =
                    RunningParts.of(both.gateway("near")).all(EdgeServer.class).getFirst();
            for (String cluster : List.of("dev", "far")) {
                String unknown = "/clusters/" + cluster + "/apis/unknown.test/v1/boats";
                assertThat(both.get("near", unknown).statusCode()).isEqualTo(404);
                assertThat(both.get("near", unknown + "/none").statusCode()).isEqualTo(404);
                useType(both, cluster, "first");
            }
            TwoGateways.await("the first types are gone", () -> {
                edge.forgetUnused();
                return series(both).stream().noneMatch(line -> line.contains("first.test"));
            });
            List<String> before = series(both);

            for (String cluster : List.of("dev", "far")) {
                for (int i = 0; i < TYPES; i++) {
                    useType(both, cluster, "t" + i);
                }
                assertThat(series(both))
                        .as("those of the last one")
                        .anyMatch(
                                line -> line.contains("cluster=\"" + cluster + "\",code=\"200\",group=\"t199.test\""));
            }

            List<String> left = new ArrayList<>();
            TwoGateways.await(
                    () -> left.size() + " series are left, such as "
                            + left.stream().limit(9).toList(),
                    () -> {
                        edge.forgetUnused();
                        left.clear();
                        left.addAll(series(both));
                        left.removeAll(before);
                        return left.isEmpty();
                    });
            assertThat(series(both)).isEqualTo(before);
        }
    }

    /** Makes a type, asks for its objects, and deletes it. */
    private static void useType(TwoGateways both, String cluster, String name) throws Exception {
        String path = "/clusters/" + cluster;
        String objects = path + "/apis/" + name + ".test/v1/boats";
        both.create("near", path + TwoGateways.CRDS, TwoGateways.definition(name));
        TwoGateways.await("objects are served", () -> both.exists("near", objects));
        assertThat(both.get("near", objects + "/none").statusCode()).isEqualTo(404);
        both.delete("near", path + TwoGateways.CRDS + "/boats." + name + ".test");
    }

    /** Those of requests, without their values. */
    private static List<String> series(TwoGateways both) throws Exception {
        return both.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("apiserver_") || line.startsWith("fairlead_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .sorted()
                .toList();
    }
}
