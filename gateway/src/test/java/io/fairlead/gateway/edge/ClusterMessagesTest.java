package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Why a cluster is not ready can name Secrets and other clusters, which its callers need not know. */
class ClusterMessagesTest {
    private static final String MALLORY = "Authorization: Bearer token-of-mallory";

    @Test
    void message_isForThoseWhoMayReadTheRegistration(@TempDir Path folder) throws Exception {
        try (var gateway = new WholeGateway(new TestPki(), folder, "token-of-mallory,mallory,2\n", Map.of())) {
            gateway.create(
                    "/clusters/root/apis/fairlead.io/v1alpha1/clusters",
                    WholeGateway.cluster(
                            "broken", gateway.attached(URI.create("https://127.0.0.1:9"), "secret-of-others", "")));
            gateway.admit("mallory", "broken");
            Await.until(() -> message(gateway, WholeGateway.MASTER).contains("secret-of-others"));

            assertThat(message(gateway, MALLORY)).isEmpty();
            assertThat(gateway.send("GET", "/fairlead/v1/clusters", "", MALLORY).body())
                    .contains("\"broken\"")
                    .doesNotContain("secret-of-others");
        }
    }

    private static String message(WholeGateway gateway, String credential) {
        try {
            RawClient.RawAnswer answer = gateway.send("GET", "/fairlead/v1/clusters/broken", "", credential);
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            JsonNode summary = Json.read(answer.body().getBytes(StandardCharsets.UTF_8));
            return summary.path("message").asString("");
        } catch (IOException lost) {
            throw new AssertionError(lost);
        }
    }
}
