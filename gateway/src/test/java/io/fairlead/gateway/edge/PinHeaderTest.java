package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.BoatFleet.API;
import static io.fairlead.gateway.edge.BoatFleet.BOATS;
import static io.fairlead.gateway.edge.BoatFleet.IN_DEV;
import static io.fairlead.gateway.edge.BoatFleet.OTHER_API;
import static io.fairlead.gateway.edge.BoatFleet.PROD;
import static io.fairlead.gateway.edge.BoatFleet.SCHEMA;
import static io.fairlead.gateway.edge.BoatFleet.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request demands of its type by a header of its own, read off the answers and off what the clusters received. */
class PinHeaderTest {
    private BoatFleet fleet;

    @BeforeEach
    void start() throws Exception {
        fleet = new BoatFleet();
    }

    @AfterEach
    void stop() throws Exception {
        fleet.close();
    }

    @Test
    void header_withTheDigestOfTheApiOrTheSchema_reachesTheClusterOnceAndStaysHere() throws Exception {
        assertThat(fleet.post(BOATS, header(API)).status()).isEqualTo(200);
        assertThat(fleet.requests()).containsExactly("POST");
        assertThat(fleet.post(BOATS, header(SCHEMA)).status()).isEqualTo(200);
        assertThat(fleet.requests()).containsExactly("POST", "POST");

        assertThat(fleet.prod.received()).doesNotContainIgnoringCase("fairlead-type-digest");
    }

    @Test
    void header_withAnotherDigest_is412NamingAllAndReachesNobody() throws Exception {
        RawAnswer attached = fleet.post(BOATS, header(OTHER_API));
        RawAnswer hosted = fleet.post(IN_DEV, header(OTHER_API));

        assertThat(List.of(attached.status(), hosted.status())).containsExactly(412, 412);
        assertThat(attached.body())
                .contains("\"reason\":\"TypeDigestMismatch\"", API.text(), SCHEMA.text(), OTHER_API.text(), "prod");
        assertThat(hosted.body()).contains("dev");
        assertThat(fleet.prod.received()).isEmpty();
        assertThat(fleet.dev.requests()).isEmpty();
    }

    @Test
    void header_onARead_isRequiredToo() throws Exception {
        assertThat(fleet.get(BOATS + "/ketch", header(OTHER_API)).status()).isEqualTo(412);
        assertThat(fleet.get(BOATS + "?watch=1", header(OTHER_API)).status()).isEqualTo(412);
        assertThat(fleet.prod.received()).isEmpty();
        assertThat(fleet.get(BOATS + "/ketch", header(API)).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Fairlead-Type-Digest: sha256:00",
                "Fairlead-Type-Digest:",
                "fairlead-type-digest: v1:sha256:00, v1:sha256:11",
            })
    void header_thatIsNoDigest_is400NamingIt(String line) throws Exception {
        RawAnswer answer = fleet.post(BOATS, line);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("Fairlead-Type-Digest");
        assertThat(fleet.prod.received()).isEmpty();
    }

    @Test
    void header_twice_is400() throws Exception {
        RawAnswer answer = fleet.post(BOATS, header(API), header(API));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("more than once");
        assertThat(fleet.prod.received()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/version", "/readyz", "/fairlead/v1/types", "/metrics"})
    void header_forTheGatewayItself_is400(String path) throws Exception {
        assertThat(fleet.get(path, header(API)).body()).contains("Fairlead-Type-Digest", path, "names no resource");
    }

    @Test
    void answer_carriesTheDigestOfTheApi_whateverTheRequestSaid() throws Exception {
        for (String path : List.of(BOATS, BOATS + "/ketch", IN_DEV, BOATS + "?watch=1")) {
            assertThat(fleet.get(path).header("Fairlead-Type-Digest")).as(path).isEqualTo(API.text());
        }
        assertThat(fleet.post(BOATS, header(SCHEMA)).header("Fairlead-Type-Digest"))
                .isEqualTo(API.text());
    }

    @Test
    void answer_aboutATypeOfWhichNothingIsKnown_carriesNoDigest() throws Exception {
        fleet.aggregate("v2", "example.com");
        String rafts = BOATS.replace("boats", "rafts");
        for (String path : List.of("/clusters/prod/api/v1/pods", BOATS.replace("/v1/", "/v2/"), rafts)) {
            assertThat(fleet.get(path).header("Fairlead-Type-Digest")).as(path).isEmpty();
        }

        fleet.edge.silentNanos.put(PROD, Long.MAX_VALUE);
        assertThat(fleet.get(BOATS).header("Fairlead-Type-Digest")).as("stale").isEmpty();
    }

    @Test
    void header_forNoResource_is400() throws Exception {
        assertThat(fleet.get("/clusters/prod/apis/example.com/v1", header(API)).status())
                .isEqualTo(400);
        assertThat(fleet.prod.received()).isEmpty();
    }

    @Test
    void header_forATypeOfWhichNothingIsKnown_is412() throws Exception {
        RawAnswer builtIn = fleet.get("/clusters/prod/api/v1/pods", header(API));
        fleet.aggregate("v1", "example.com");
        RawAnswer aggregated = fleet.get(BOATS, header(API));

        assertThat(builtIn.status()).isEqualTo(412);
        assertThat(builtIn.body()).contains("nothing is known");
        assertThat(aggregated.status()).isEqualTo(412);
        assertThat(aggregated.body()).contains("aggregated");
        assertThat(fleet.prod.received()).isEmpty();
    }

    @Test
    void header_whileTheTypesAreNotListed_is503() throws Exception {
        fleet.ledger(PROD).nextEpoch();

        RawAnswer answer = fleet.post(BOATS, header(API));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(fleet.prod.received()).isEmpty();
    }
}
