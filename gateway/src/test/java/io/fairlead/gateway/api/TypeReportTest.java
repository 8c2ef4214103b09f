package io.fairlead.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class TypeReportTest {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);

    private final FleetIndex index = FleetIndex.create();
    private final TypeReader reader = new TypeReader(index.types());
    private final TypeReport report = new TypeReport(index);

    @Test
    void clusterThatDrifts_isTheOddOne_withVerdictAndPath() {
        define("a", 10, "");
        define("b", 5, "");
        define("c", 10, "");

        JsonNode type = only();

        assertThat(type.path("kind").asString()).isEqualTo("Foo");
        assertThat(type.path("consistent").asBoolean()).isFalse();
        assertThat(clusters(type, 0)).containsExactly("a", "c");
        assertThat(type.at("/definitions/0").has("comparison")).isFalse();
        assertThat(clusters(type, 1)).containsExactly("b");
        JsonNode comparison = type.at("/definitions/1/comparison");
        assertThat(comparison.path("verdict").asString()).isEqualTo("Narrower");
        JsonNode difference = comparison.at("/differences/0");
        assertThat(difference.path("version").asString()).isEqualTo("v1");
        assertThat(difference.path("path").asString()).isEqualTo(".spec.size");
        assertThat(difference.path("rule").asString()).isEqualTo("maximum");
        assertThat(difference.path("new").asInt()).isEqualTo(5);
    }

    @Test
    void equalDefinitions_areOne_withEachClustersImplementation() {
        define("a", 10, "sha256:one");
        define("b", 10, "sha256:two");
        define("c", 10, "");

        JsonNode type = only();

        assertThat(type.path("consistent").asBoolean()).isTrue();
        assertThat(type.path("definitions")).hasSize(1);
        JsonNode clusters = type.at("/definitions/0/clusters");
        assertThat(clusters.at("/0/implementation").asString()).isEqualTo("sha256:one");
        assertThat(clusters.at("/1/implementation").asString()).isEqualTo("sha256:two");
        assertThat(clusters.get(2).has("implementation")).isFalse();
    }

    @Test
    void typeThatIsNotUnderstood_isUnknown() {
        define("a", 10, "");
        define("b", "10, \"x-kubernetes-future\": true", "");

        assertThat(only().at("/definitions/1/comparison/verdict").asString()).isEqualTo("Unknown");
        assertThat(only().at("/definitions/1/clusters/0/understood").asBoolean())
                .isFalse();
    }

    @Test
    void clustersThatAreNotWanted_areNotNamed() {
        define("a", 10, "");
        define("b", 5, "");
        index.open(new ClusterName("late"), CRDS);

        JsonNode some = report.types(cluster -> !cluster.value().equals("b"), "", "");

        assertThat(some.toString()).doesNotContain("\"b\"");
        assertThat(some.at("/types/0/consistent").asBoolean()).isTrue();
        assertThat(some.at("/unknown/0").asString()).isEqualTo("late");
    }

    @Test
    void typesAreChosenByKindAndGroup() {
        define("a", 10, "");

        assertThat(report.types(cluster -> true, "example.com", "Foo").path("types"))
                .hasSize(1);
        assertThat(report.types(cluster -> true, "example.com", "Bar").path("types"))
                .isEmpty();
        assertThat(report.types(cluster -> true, "example.org", "").path("types"))
                .isEmpty();
    }

    private JsonNode only() {
        JsonNode types = report.types(cluster -> true, "", "").path("types");
        assertThat(types).hasSize(1);
        return types.get(0);
    }

    private static List<String> clusters(JsonNode type, int definition) {
        return type.at("/definitions/" + definition + "/clusters")
                .valueStream()
                .map(cluster -> cluster.path("name").asString())
                .toList();
    }

    private void define(String cluster, Object maximum, String implementation) {
        byte[] spec = """
            {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Foo", "plural": "foos"}, "versions": [
              {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size":
                  {"type": "integer", "maximum": %s}}}}}}}]}
            """.formatted(maximum).getBytes(UTF_8);
        Contribution contribution = Contribution.of(new GroupVersion("example.com", "v1"), Set.of("foos"));
        ClusterLedger ledger = index.open(new ClusterName(cluster), CRDS);
        Holder holder = new Holder(
                HolderType.CRD, "foos.example.com", "u", "1", List.of(contribution), reader.read(spec), implementation);
        ledger.relist(CRDS, List.of(holder), "1");
    }
}
