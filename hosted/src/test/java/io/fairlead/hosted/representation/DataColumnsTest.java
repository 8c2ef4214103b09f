package io.fairlead.hosted.representation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.kinds.data.DataKinds;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is shown of the kinds that are served as data, also of objects that clients make as large as they can. */
class DataColumnsTest {
    private static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");
    /** Of these kube-apiserver shows names and times alone. */
    private static final Set<String> WITHOUT_COLUMNS = Set.of("LimitRange", "CSIStorageCapacity");

    @Test
    void everyKind_hasColumns_thatShowAnEmptyObject() {
        for (BuiltInKind kind : DataKinds.all()) {
            ResourceType type = kind.type();
            List<Column> columns = Columns.of(type, "");

            assertThat(columns).hasSizeGreaterThan(WITHOUT_COLUMNS.contains(type.kind()) ? 1 : 0);
            for (Column column : columns) {
                assertThat(column.cell().apply(Json.object(), NOW))
                        .as("%s of an empty %s", column.name(), type.kind())
                        .isNotNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "storageclasses.storage.k8s.io, storageclass.kubernetes.io/is-default-class, true, a (default)",
        "storageclasses.storage.k8s.io, storageclass.beta.kubernetes.io/is-default-class, true, a (default)",
        "storageclasses.storage.k8s.io, storageclass.kubernetes.io/is-default-class, false, a",
        "ingressclasses.networking.k8s.io, ingressclass.kubernetes.io/is-default-class, true, a (default)",
    })
    void defaultClass_isShownAsSuch(String resource, String annotation, String value, String shown) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("name", "a").putObject("annotations").put(annotation, value);

        Column name = Objects.requireNonNull(DataColumns.of(resource)).getFirst();

        assertThat(name.cell().apply(object, NOW).asString()).isEqualTo(shown);
    }

    @Test
    @Timeout(20)
    void endpoints_areCounted_notWrittenOut() {
        ObjectNode endpoints = Json.object();
        ObjectNode subset = endpoints.putArray("subsets").addObject();
        ArrayNode addresses = subset.putArray("addresses");
        ArrayNode ports = subset.putArray("ports");
        IntStream.range(0, 100_000).forEach(i -> {
            addresses.addObject().put("ip", "10.0.0.1");
            ports.addObject().put("port", 1 + i);
        });

        assertThat(cell("endpoints", endpoints)).isEqualTo("10.0.0.1:1,10.0.0.1:2,10.0.0.1:3 + 9999999997 more...");
    }

    @Test
    @Timeout(20)
    void readinessGatesAndSelectors_areComputedInOnePass() {
        ObjectNode pod = Json.object();
        ArrayNode gates = pod.putObject("spec").putArray("readinessGates");
        ArrayNode conditions = pod.putObject("status").putArray("conditions");
        IntStream.range(0, 100_000).forEach(i -> {
            gates.addObject().put("conditionType", "a" + i);
            conditions.addObject().put("type", "a" + i).put("status", i % 2 == 0 ? "True" : "False");
        });
        ObjectNode policy = Json.object();
        ArrayNode expressions =
                policy.putObject("spec").putObject("podSelector").putArray("matchExpressions");
        IntStream.range(0, 100_000)
                .forEach(i -> expressions.addObject().put("key", "a").put("operator", "Exists"));

        assertThat(cell("readinessGates", pod)).isEqualTo("50000/100000");
        assertThat(cell("podSelector", policy)).hasSize(199_999);
    }

    private static String cell(String name, ObjectNode object) {
        return DataCells.of(name).apply(object, NOW).asString("");
    }
}
