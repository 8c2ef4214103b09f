package io.fairlead.fleet.conditions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.schema.json.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What objects say of their conditions, and who wrote that. */
final class ConditionReaderTest {
    @Test
    void claim_hasTheManagerThatWroteTheStatusLast() {
        JsonNode pod = object("""
            metadata:
              resourceVersion: "7"
              managedFields:
              - {manager: kubelet, time: "2026-01-02T11:00:00Z", fieldsV1: {"f:status": {"f:conditions": {'k:{"type":"Ready"}': {"f:status": {}, "f:type": {}}}}}}
              - {manager: nodelifecycle, time: "2026-01-02T12:00:00Z", fieldsV1: {"f:status": {"f:conditions": {'k:{"type":"Ready"}': {"f:status": {}}}}}}
              - {manager: other, time: "2026-01-02T13:00:00Z", fieldsV1: {"f:status": {"f:conditions": {'k:{"type":"Ready"}': {"f:reason": {}}, 'k:{"type":"Other"}': {"f:status": {}}, "k:{": {"f:status": {}}}}}}
            status:
              conditions:
              - {type: Ready, status: "False", lastTransitionTime: "2026-01-02T12:00:00Z"}
              - {type: Ready, status: "True"}
              - {type: Other, status: "True"}
            """);

        assertThat(ConditionReader.claims(pod, List.of("Ready", "Absent")))
                .isEqualTo(Map.of("Ready", new ConditionClaim("False", "2026-01-02T12:00:00Z", "7", "nodelifecycle")));
    }

    @Test
    void atomicList_isOfTheManagerThatWroteIt() {
        JsonNode boat = object("""
            metadata:
              managedFields:
              - {manager: applier, time: "2026-01-02T11:00:00Z", fieldsV1: {"f:spec": {}}}
              - {manager: operator, time: "2026-01-02T10:00:00Z", fieldsV1: {"f:status": {"f:conditions": {}}}}
            status: {conditions: [{type: Ready, status: "True"}]}
            """);

        assertThat(ConditionReader.claims(boat, List.of("Ready")))
                .isEqualTo(Map.of("Ready", new ConditionClaim("True", "", "", "operator")));
    }

    @Test
    void objectThatSaysNothing_hasNoClaims() {
        assertThat(ConditionReader.claims(object("{metadata: {}, status: {conditions: none}}"), List.of("Ready")))
                .isEmpty();
        assertThat(ConditionReader.claims(object("{status: {conditions: [{type: Ready}]}}"), List.of("Ready")))
                .isEqualTo(Map.of("Ready", new ConditionClaim("", "", "", "")));
    }

    private static JsonNode object(String yaml) {
        return Yaml.read(yaml.getBytes(UTF_8));
    }
}
