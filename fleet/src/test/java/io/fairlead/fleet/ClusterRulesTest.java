package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.Status;
import io.fairlead.schema.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ClusterRulesTest {
    private final ClusterRules rules = new ClusterRules();

    @Test
    void validateUpdate_pausedRoot_isForbidden() {
        assertThat(rules.validateUpdate(hosted("root", true), hosted("root", false)))
                .extracting(Status.Cause::field)
                .containsExactly("spec.paused");
    }

    @Test
    void validateUpdate_pausedOther_isAccepted() {
        assertThat(rules.validateUpdate(hosted("dev", true), hosted("dev", false)))
                .isEmpty();
    }

    private static ObjectNode hosted(String name, boolean paused) {
        ObjectNode cluster = Json.object();
        cluster.putObject("metadata").put("name", name);
        cluster.putObject("spec").put("paused", paused).putObject("hosted");
        return cluster;
    }
}
