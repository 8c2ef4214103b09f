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
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pins demand of the types of requests, read off the answers and off what the clusters received. */
class PinTest {
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

    @Test
    void sameAcross_deniesWhileAClusterDrifts() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));
        assertThat(fleet.post(BOATS).status()).isEqualTo(200);

        fleet.define(DEV, fleet.type(OTHER_API), "");

        RawAnswer answer = fleet.post(BOATS);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains(API.text(), OTHER_API.text(), "\\\"prod\\\"", "\\\"dev\\\"");
        assertThat(fleet.post(IN_DEV).status()).isEqualTo(403);

        fleet.define(DEV, fleet.type(API), "");
        assertThat(fleet.post(BOATS).status()).isEqualTo(200);

        fleet.ledger(DEV).relist(Set.of(HolderType.CRD), List.of(), "");
        assertThat(fleet.post(BOATS).status()).as("dev does not hold the type").isEqualTo(200);
    }

    @Test
    void sameAcross_withAClusterOfWhichLittleIsKnown_is503() throws Exception {
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));
        fleet.edge.silentNanos.put(DEV, Long.MAX_VALUE);

        RawAnswer answer = fleet.post(BOATS);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("\\\"dev\\\"");
    }

    @Test
    void sameAcross_callerWhoMayNotEnterTheOther_isToldThatThereIsOneAlone() throws Exception {
        ClusterName test = new ClusterName("test");
        fleet.edge.root.allow((_, request) -> !Set.of("dev", "test").contains(request.name()));
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV, test))), Action.DENY))));

        fleet.define(DEV, fleet.type(OTHER_API), "");
        RawAnswer forDev = fleet.post(BOATS, "Audit-ID: 1");
        fleet.define(DEV, fleet.type(API), "");
        fleet.define(test, fleet.type(SCHEMA), "");
        RawAnswer forTest = fleet.post(BOATS, "Audit-ID: 1");

        assertThat(forDev.status()).isEqualTo(403);
        assertThat(forDev.body())
                .contains("\\\"prod\\\"", API.text(), "in another cluster (expected the same)")
                .doesNotContain("dev", OTHER_API.text())
                .isEqualTo(forTest.body());
        assertThat(fleet.prod.received()).isEmpty();
    }

    @Test
    void sameAcross_warningAndStaleness_nameNoClusterThatTheCallerMayNotEnter() throws Exception {
        fleet.edge.root.allow((_, request) -> !request.name().equals("dev"));
        Requirement same = new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV)));
        fleet.define(DEV, fleet.type(OTHER_API), "");
        fleet.edge.pins.use(new PinSet(List.of(pin("same", same, Action.WARN))));

        RawAnswer warned = fleet.post(BOATS);
        fleet.edge.pins.use(new PinSet(List.of(pin("same", same, Action.DENY))));
        fleet.edge.silentNanos.put(DEV, Long.MAX_VALUE);
        RawAnswer stale = fleet.post(BOATS);

        assertThat(warned.status()).isEqualTo(200);
        assertThat(warned.header("Warning"))
                .contains("in another cluster (expected the same)", API.text())
                .doesNotContain("dev", OTHER_API.text());
        assertThat(stale.status()).isEqualTo(503);
        assertThat(stale.header("Retry-After")).isEqualTo("1");
        assertThat(stale.body())
                .contains("too little is known now of another cluster's types")
                .doesNotContain("dev");
    }

    @Test
    void sameAcross_hostedCluster_namesNoClusterThatTheCallerMayNotEnter() throws Exception {
        fleet.edge.root.allow((_, request) -> !request.name().equals("prod"));
        fleet.define(PROD, fleet.type(OTHER_API), "");
        fleet.edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));

        RawAnswer answer = fleet.post(IN_DEV);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("\\\"dev\\\"").doesNotContain("prod", OTHER_API.text());
    }

    @Test
    void compatibleWith_allowsEqualAndWider_onceItIsWorkedOut() throws Exception {
        fleet.define(DEV, Boats.upTo(10, fleet.edge.index), "");
        TypeDigest wanted = Boats.upTo(10, fleet.edge.index).api();
        fleet.edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(wanted), Action.DENY))));

        assertThat(fleet.post(IN_DEV).status()).as("equal").isEqualTo(200);
        fleet.define(DEV, Boats.upTo(12, fleet.edge.index), "");
        assertThat(fleet.post(IN_DEV).status()).as("not compared yet").isEqualTo(503);
        fleet.edge.judge.work();
        assertThat(fleet.post(IN_DEV).status()).as("wider").isEqualTo(200);

        fleet.define(DEV, Boats.upTo(8, fleet.edge.index), "");
        fleet.post(IN_DEV);
        fleet.edge.judge.work();
        RawAnswer narrower = fleet.post(IN_DEV);
        assertThat(narrower.status()).isEqualTo(403);
        assertThat(narrower.body()).contains("Narrower", wanted.text());
    }

    @Test
    void compatibleWith_aTypeThatNobodyDefines_isDenied() throws Exception {
        fleet.define(DEV, Boats.upTo(10, fleet.edge.index), "");
        fleet.edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(OTHER_API), Action.DENY))));
        fleet.post(IN_DEV);
        fleet.edge.judge.work();

        RawAnswer answer = fleet.post(IN_DEV);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("Unknown", OTHER_API.text());

        fleet.ledger(new ClusterName("test"));
        answer = fleet.post(IN_DEV);
        assertThat(answer.status()).as("test may define it").isEqualTo(503);
        assertThat(answer.body()).contains("not listed", OTHER_API.text());
    }

    @Test
    void compatibleWith_aTypeThatIsListedAtLast_isStillToBeCompared() throws Exception {
        fleet.define(DEV, Boats.upTo(10, fleet.edge.index), "");
        FleetIndex elsewhere = FleetIndex.create();
        TypeDigest wanted = Boats.upTo(8, elsewhere).api();
        fleet.edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(wanted), Action.DENY))));
        fleet.post(IN_DEV);
        fleet.edge.judge.work();
        assertThat(fleet.post(IN_DEV).status()).isEqualTo(403);

        fleet.define(PROD, Boats.upTo(8, fleet.edge.index), "");

        assertThat(fleet.post(IN_DEV).status()).isEqualTo(503);
        fleet.edge.judge.work();
        assertThat(fleet.post(IN_DEV).status()).isEqualTo(200);
    }

    @Test
    void implementation_mustBeOneOfThose() throws Exception {
        TypePin pin = allow("p", Action.DENY, API);
        fleet.edge.pins.use(new PinSet(List.of(new TypePin(
                "p",
                pin.clusters(),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                new Requirement.Anything(),
                Set.of("sha256:good"),
                Action.DENY))));

        assertThat(fleet.post(BOATS).body()).contains("not recorded", "sha256:good");
        fleet.define(PROD, fleet.type(API), "sha256:bad");
        assertThat(fleet.post(BOATS).body()).contains("sha256:bad", "sha256:good");
        fleet.define(PROD, fleet.type(API), "sha256:good");
        assertThat(fleet.post(BOATS).status()).isEqualTo(200);
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

    private static TypePin allow(String name, Action action, TypeDigest digest) {
        return pin(name, new Requirement.OneOf(Set.of(digest)), action);
    }

    private static TypePin pin(String name, Requirement requirement, Action action) {
        return new TypePin(
                name,
                new ClusterSet.All(Map::of),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                requirement,
                Set.of(),
                action);
    }
}
