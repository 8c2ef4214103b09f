package io.fairlead.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.Finding;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionTest {
    @Test
    void messageThatQuotesOthers_makesATerminalDoNothing() {
        Condition condition = new Condition(
                Condition.REACHABLE, Finding.no("CertificateRefused", "issued by \"CN=x\n\u001b[2J\u202e\""));

        assertThat(Condition.merge(Json.array(), List.of(condition), 1, Instant.EPOCH)
                        .path(0)
                        .path("message")
                        .asString(""))
                .isEqualTo("issued by \"CN=x\\u000A\\u001B[2J\\u202E\"");
    }
}
