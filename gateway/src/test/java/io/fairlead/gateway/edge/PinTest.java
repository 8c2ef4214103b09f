package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.BoatFleet.API;
import static io.fairlead.gateway.edge.BoatFleet.BOATS;
import static io.fairlead.gateway.edge.BoatFleet.DEV;
import static io.fairlead.gateway.edge.BoatFleet.IN_DEV;
import static io.fairlead.gateway.edge.BoatFleet.OTHER_API;
import static io.fairlead.gateway.edge.BoatFleet.PROD;
import static io.fairlead.gateway.edge.BoatFleet.SCHEMA;
import static io.fairlead.gateway.edge.BoatFleet.header;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.pins.judge.Boats;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.index.DefinedType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pin of one cluster's types allows, denies and tells. */
final class PinTest extends PinFixture {
    @Test
    void evidence_thatIsTooOld_is503UntilItIsHeardOfAgain() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("p", Action.DENY, API))));
        fleet.edge.silentNanos.put(PROD, Duration.ofSeconds(121).toNanos());

        RawAnswer byHeader = fleet.post(BOATS, header(API));
        RawAnswer byPin = fleet.post(BOATS);

        assertThat(List.of(byHeader.status(), byPin.status())).containsExactly(503, 503);
        assertThat(byPin.header("Retry-After")).isEqualTo("1");
        assertThat(byPin.body()).contains("TypePin \\\"p\\\"", "121 s ago", "types.maxStaleness");
        assertThat(fleet.prod.received()).isEmpty();

        fleet.edge.silentNanos.put(PROD, Duration.ofSeconds(119).toNanos());

        assertThat(fleet.post(BOATS, header(API)).status()).isEqualTo(200);
    }

    @Test
    void deny_ofADigestThatIsNotAllowed_is403NamingPinClusterTypeAndDigests() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("no-boats", Action.DENY, OTHER_API))));

        RawAnswer attached = fleet.post(BOATS);
        RawAnswer hosted = fleet.post(IN_DEV);

        assertThat(attached.status()).isEqualTo(403);
        assertThat(attached.body())
                .contains(
                        "boats.example.com is forbidden: TypePin \\\"no-boats\\\" denied the request",
                        "\\\"prod\\\"",
                        "Boat.example.com",
                        API.text(),
                        OTHER_API.text());
        assertThat(hosted.status()).isEqualTo(403);
        assertThat(fleet.prod.received()).isEmpty();
        assertThat(fleet.dev.requests()).isEmpty();
    }

    @Test
    void deny_leavesReadsOtherVersionsOtherKindsAndOtherGroupsAlone() throws Exception {
        TypePin pin = allow("no-boats", Action.DENY, OTHER_API);
        fleet.edge.pins.use(new PinSet(List.of(
                pin,
                new TypePin(
                        "other-kind",
                        pin.clusters(),
                        "example.com",
                        "Ship",
                        Set.of(),
                        TypePin.WRITES,
                        pin.requirement(),
                        Set.of(),
                        Action.DENY))));

        assertThat(fleet.get(BOATS).status()).isEqualTo(200);
        assertThat(fleet.post(BOATS.replace("example.com", "example.org")).status())
                .isEqualTo(200);
        assertThat(fleet.post("/clusters/prod/api/v1/namespaces").status()).isEqualTo(200);

        fleet.edge.pins.use(new PinSet(List.of(new TypePin(
                "v2-alone",
                pin.clusters(),
                "example.com",
                TypePin.EVERY,
                Set.of("v2"),
                TypePin.WRITES,
                pin.requirement(),
                Set.of(),
                Action.DENY))));
        assertThat(fleet.post(BOATS).status()).isEqualTo(200);
    }

    @Test
    void schemaDigest_isAllowedForItsVersionAlone() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("p", Action.DENY, SCHEMA))));

        assertThat(fleet.post(BOATS).status()).isEqualTo(200);
        assertThat(fleet.post(BOATS.replace("/v1/", "/v2/")).status()).isEqualTo(403);
    }

    @Test
    void kindThatIsNotKnown_countsAsPinned() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("p", Action.DENY, API))));

        assertThat(fleet.post(BOATS.replace("boats", "rafts")).body()).contains("no CRD", "rafts.example.com");
    }

    @Test
    void keywordsThatAreNotUnderstood_areDeniedWhateverTheDigest() throws Exception {
        DefinedType future = Boats.with("\"x-kubernetes-future\": true", fleet.edge.index);
        fleet.define(PROD, future, "");
        fleet.define(DEV, future, "");

        for (Requirement requirement : List.of(
                new Requirement.OneOf(Set.of(future.api())),
                new Requirement.CompatibleWith(future.api()),
                new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))))) {
            fleet.edge.pins.use(new PinSet(List.of(pin("p", requirement, Action.DENY))));
            RawAnswer answer = fleet.post(BOATS);

            assertThat(answer.status()).as("%s", requirement).isEqualTo(403);
            assertThat(answer.body()).contains("not understood");
        }
    }

    @Test
    void warn_tellsTheCallerBesideTheAnswer() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("soft", Action.WARN, OTHER_API))));

        for (String path : List.of(BOATS, IN_DEV)) {
            RawAnswer answer = fleet.post(path);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Warning"))
                    .startsWith("299 - \"TypePin \\\"soft\\\": cluster \\\"")
                    .endsWith("\"")
                    .contains(API.text(), OTHER_API.text());
        }
    }

    @Test
    void warn_ofStaleEvidence_warns() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("soft", Action.WARN, API))));
        fleet.edge.silentNanos.put(PROD, Long.MAX_VALUE);

        RawAnswer answer = fleet.post(BOATS);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Warning")).contains("stale");
    }

    @Test
    void audit_saysNothingToTheCaller() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("quiet", Action.AUDIT, OTHER_API))));

        RawAnswer answer = fleet.post(BOATS);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.fields())
                .noneMatch(field -> field.toLowerCase(java.util.Locale.ROOT).startsWith("warning"));
    }

    @Test
    void checks_areCountedByWhatCameOfThem() throws Exception {
        fleet.post(BOATS, header(API));
        fleet.post(BOATS, header(OTHER_API));
        fleet.edge.pins.use(new PinSet(List.of(
                allow("a", Action.WARN, OTHER_API),
                allow("b", Action.AUDIT, OTHER_API),
                allow("c", Action.DENY, API))));
        fleet.post(BOATS);
        fleet.edge.silentNanos.put(PROD, Long.MAX_VALUE);
        fleet.post(BOATS, header(API));

        assertThat(fleet.edge.metrics.scrape())
                .contains(
                        "fairlead_pin_checks_total{result=\"allowed\"} 2.0",
                        "fairlead_pin_checks_total{result=\"denied\"} 1.0",
                        "fairlead_pin_checks_total{result=\"warned\"} 1.0",
                        "fairlead_pin_checks_total{result=\"audited\"} 1.0",
                        "fairlead_pin_checks_total{result=\"stale\"} 1.0");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, apiextensions.k8s.io/v1/customresourcedefinitions, 201, prod CRD",
        "PUT, apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com, 200, prod CRD",
        "PATCH, apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com/status, 200, prod CRD",
        "DELETE, apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com, 200, prod CRD",
        "DELETE, apiextensions.k8s.io/v1/customresourcedefinitions, 200, prod CRD",
        "PUT, apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com, 504, prod CRD",
        "PUT, apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com, 409, ",
        "GET, apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com, 200, ",
        "POST, apiregistration.k8s.io/v1/apiservices, 201, prod API_SERVICE",
        "POST, example.com/v1/namespaces/default/customresourcedefinitions, 201, "
    })
    void definition_thatIsWrittenThroughTheGateway_isInDoubtBeforeTheAnswerIsThere(
            String method, String path, int status, @Nullable String doubt) throws Exception {
        fleet.prod.answer((head, in, out) ->
                out.write(("HTTP/1.1 " + status + " X\r\nContent-Length: 2\r\n\r\n{}").getBytes(US_ASCII)));

        RawAnswer answer = fleet.exchange(method, "/clusters/prod/apis/" + path);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(fleet.edge.doubts).containsExactlyElementsOf(doubt == null ? List.of() : List.of(doubt));
    }

    @Test
    void definition_ofWhichNobodySaysWhetherItWasWritten_isInDoubt() throws Exception {
        fleet.prod.talk((head, connection, in) -> fleet.prod.vanish(connection, false));

        RawAnswer answer =
                fleet.exchange("POST", "/clusters/prod/apis/apiextensions.k8s.io/v1/customresourcedefinitions");

        assertThat(answer.status()).isGreaterThanOrEqualTo(500);
        assertThat(fleet.edge.doubts).containsExactly("prod CRD");
    }

    @Test
    void doubt_isTold() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(allow("p", Action.DENY, API))));
        fleet.edge.silentNanos.put(PROD, Long.MAX_VALUE);

        assertThat(fleet.post(BOATS).body()).contains("is stale", "\\\"prod\\\"", "expected to be confirmed");
    }
}
