package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.EndpointFinding;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class EndpointDocumentTest {
    private static final String A = "https://a:6443";
    private static final String B = "https://b:6443";
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    private static final Finding READY = Finding.yes("Ready", "it is");
    private static final Finding REFUSES = Finding.no("ConnectionFailed", "https://b:6443 refuses connections");

    @Test
    void endpoint_isShownWithWhatIsKnownOfIt() {
        ObjectNode status =
                written(Json.object(), NOON, new EndpointFinding(A, READY), new EndpointFinding(B, REFUSES));

        assertThat(status).hasToString("""
            {"endpoints":[\
            {"url":"https://a:6443","ready":"True","reason":"Ready","message":"it is",\
            "lastTransitionTime":"2026-01-02T12:00:00Z"},\
            {"url":"https://b:6443","ready":"False","reason":"ConnectionFailed",\
            "message":"https://b:6443 refuses connections","lastTransitionTime":"2026-01-02T12:00:00Z"}]}\
            """);
    }

    @Test
    void transition_isThatOfTheSameUrl_wheneverItIsAnother() {
        ObjectNode first = written(Json.object(), NOON, new EndpointFinding(A, READY), new EndpointFinding(B, REFUSES));

        ObjectNode swapped =
                written(first, NOON.plusSeconds(60), new EndpointFinding(B, READY), new EndpointFinding(A, READY));

        assertThat(swapped.at("/endpoints/0/lastTransitionTime").asString("")).isEqualTo("2026-01-02T12:01:00Z");
        assertThat(swapped.at("/endpoints/1/lastTransitionTime").asString("")).isEqualTo("2026-01-02T12:00:00Z");
    }

    @Test
    void reasonAlone_isNoTransition() {
        ObjectNode first = written(Json.object(), NOON, new EndpointFinding(B, REFUSES));
        Finding slow = Finding.no("Timeout", "it is slow");

        ObjectNode next = written(first, NOON.plusSeconds(60), new EndpointFinding(B, slow));

        assertThat(next.at("/endpoints/0/reason").asString("")).isEqualTo("Timeout");
        assertThat(next.at("/endpoints/0/lastTransitionTime").asString("")).isEqualTo("2026-01-02T12:00:00Z");
    }

    @Test
    void message_makesATerminalDoNothing() {
        ObjectNode status = written(Json.object(), NOON, new EndpointFinding(A, Finding.no("X", "\u001b[2J")));

        assertThat(status.at("/endpoints/0/message").asString("")).isEqualTo("\\u001B[2J");
    }

    @Test
    void clusterWithoutEndpoints_hasNoField() {
        assertThat(written(Json.object(), NOON)).isEmpty();
    }

    private static ObjectNode written(ObjectNode before, Instant now, EndpointFinding... endpoints) {
        ObjectNode status = Json.object();
        EndpointDocument.write(status, before, List.of(endpoints), now);
        return status;
    }
}
