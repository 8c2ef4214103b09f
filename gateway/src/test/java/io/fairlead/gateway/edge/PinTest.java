package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.pin.Boats;
import io.fairlead.gateway.pin.ClusterSet;
import io.fairlead.gateway.pin.PinSet;
import io.fairlead.gateway.pin.TypePin;
import io.fairlead.gateway.pin.TypePin.Action;
import io.fairlead.gateway.pin.TypePin.Requirement;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.TypeDigest;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request's type must be, read off the answers and off the bytes that the clusters received. */
class PinTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final ClusterName DEV = new ClusterName("dev");
    private static final TypeDigest API = digest("api");
    private static final TypeDigest OTHER_API = digest("another api");
    private static final TypeDigest SCHEMA = digest("schema of v1");
    private static final String BOATS = "/clusters/prod/apis/example.com/v1/namespaces/default/boats";
    private static final String IN_DEV = BOATS.replace("prod", "dev");
    private static final String NO_BODY = "Content-Length: 0";

    private TestEdge edge;
    private RawUpstream prod;
    private FakeHosted dev;
    private final Map<ClusterName, ClusterLedger> ledgers = new HashMap<>();

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        prod = edge.attach("prod");
        dev = edge.host("dev");
        define(PROD, type(API, true), "");
        define(DEV, type(API, true), "");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void header_withTheDigestOfTheApiOrTheSchema_reachesTheClusterOnceAndStaysHere() throws Exception {
        assertThat(post(BOATS, header(API)).status()).isEqualTo(200);
        assertThat(requests()).containsExactly("POST");
        assertThat(post(BOATS, header(SCHEMA)).status()).isEqualTo(200);
        assertThat(requests()).containsExactly("POST", "POST");

        assertThat(prod.received()).doesNotContainIgnoringCase("fairlead-type-digest");
    }

    @Test
    void header_withAnotherDigest_is412NamingAllAndReachesNobody() throws Exception {
        RawAnswer attached = post(BOATS, header(OTHER_API));
        RawAnswer hosted = post(IN_DEV, header(OTHER_API));

        assertThat(List.of(attached.status(), hosted.status())).containsExactly(412, 412);
        assertThat(attached.body())
                .contains("\"reason\":\"TypeDigestMismatch\"", API.text(), SCHEMA.text(), OTHER_API.text(), "prod");
        assertThat(hosted.body()).contains("dev");
        assertThat(prod.received()).isEmpty();
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void header_onARead_isRequiredToo() throws Exception {
        assertThat(get(BOATS + "/ketch", header(OTHER_API)).status()).isEqualTo(412);
        assertThat(get(BOATS + "?watch=1", header(OTHER_API)).status()).isEqualTo(412);
        assertThat(prod.received()).isEmpty();
        assertThat(get(BOATS + "/ketch", header(API)).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Fairlead-Type-Digest: sha256:00",
                "Fairlead-Type-Digest:",
                "fairlead-type-digest: v1:sha256:00, v1:sha256:11",
            })
    void header_thatIsNoDigest_is400NamingIt(String line) throws Exception {
        RawAnswer answer = post(BOATS, line);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("Fairlead-Type-Digest");
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void header_twice_is400() throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.exchange("POST", BOATS, TestEdge.JANE, NO_BODY, header(API), header(API));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("more than once");
        }
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void header_forNoResource_is400() throws Exception {
        assertThat(get("/clusters/prod/apis/example.com/v1", header(API)).status())
                .isEqualTo(400);
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void header_forATypeOfWhichNothingIsKnown_is412() throws Exception {
        RawAnswer builtIn = get("/clusters/prod/api/v1/pods", header(API));
        aggregate("v1", "example.com");
        RawAnswer aggregated = get(BOATS, header(API));

        assertThat(builtIn.status()).isEqualTo(412);
        assertThat(builtIn.body()).contains("nothing is known");
        assertThat(aggregated.status()).isEqualTo(412);
        assertThat(aggregated.body()).contains("aggregated");
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void header_whileTheTypesAreNotListed_is503() throws Exception {
        ledger(PROD).nextEpoch();

        RawAnswer answer = post(BOATS, header(API));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void evidence_thatIsTooOld_is503UntilItIsHeardOfAgain() throws Exception {
        edge.pins.use(new PinSet(List.of(allow("p", Action.DENY, API))));
        edge.silentNanos.put(PROD, Duration.ofSeconds(121).toNanos());

        RawAnswer byHeader = post(BOATS, header(API));
        RawAnswer byPin = post(BOATS);

        assertThat(List.of(byHeader.status(), byPin.status())).containsExactly(503, 503);
        assertThat(byPin.header("Retry-After")).isEqualTo("1");
        assertThat(byPin.body()).contains("TypePin \\\"p\\\"", "121 s ago", "types.maxStaleness");
        assertThat(prod.received()).isEmpty();

        edge.silentNanos.put(PROD, Duration.ofSeconds(119).toNanos());

        assertThat(post(BOATS, header(API)).status()).isEqualTo(200);
    }

    @Test
    void deny_ofADigestThatIsNotAllowed_is403NamingPinClusterTypeAndDigests() throws Exception {
        edge.pins.use(new PinSet(List.of(allow("no-boats", Action.DENY, OTHER_API))));

        RawAnswer attached = post(BOATS);
        RawAnswer hosted = post(IN_DEV);

        assertThat(attached.status()).isEqualTo(403);
        assertThat(attached.body())
                .contains(
                        "boats.example.com is forbidden: TypePin \\\"no-boats\\\" denied the request",
                        "\\\"prod\\\"",
                        "Boat.example.com",
                        API.text(),
                        OTHER_API.text());
        assertThat(hosted.status()).isEqualTo(403);
        assertThat(prod.received()).isEmpty();
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void deny_leavesReadsOtherVersionsOtherKindsAndOtherGroupsAlone() throws Exception {
        TypePin pin = allow("no-boats", Action.DENY, OTHER_API);
        edge.pins.use(new PinSet(List.of(
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

        assertThat(get(BOATS).status()).isEqualTo(200);
        assertThat(post(BOATS.replace("example.com", "example.org")).status()).isEqualTo(200);
        assertThat(post("/clusters/prod/api/v1/namespaces").status()).isEqualTo(200);

        edge.pins.use(new PinSet(List.of(new TypePin(
                "v2-alone",
                pin.clusters(),
                "example.com",
                TypePin.EVERY,
                Set.of("v2"),
                TypePin.WRITES,
                pin.requirement(),
                Set.of(),
                Action.DENY))));
        assertThat(post(BOATS).status()).isEqualTo(200);
    }

    @Test
    void schemaDigest_isAllowedForItsVersionAlone() throws Exception {
        edge.pins.use(new PinSet(List.of(allow("p", Action.DENY, SCHEMA))));

        assertThat(post(BOATS).status()).isEqualTo(200);
        assertThat(post(BOATS.replace("/v1/", "/v2/")).status()).isEqualTo(403);
    }

    @Test
    void kindThatIsNotKnown_countsAsPinned() throws Exception {
        edge.pins.use(new PinSet(List.of(allow("p", Action.DENY, API))));

        assertThat(post(BOATS.replace("boats", "rafts")).body()).contains("no CRD", "rafts.example.com");
    }

    @Test
    void keywordsThatAreNotUnderstood_areDeniedWhateverTheDigest() throws Exception {
        DefinedType future = Boats.with("\"x-kubernetes-future\": true", edge.index);
        define(PROD, future, "");
        define(DEV, future, "");

        for (Requirement requirement : List.of(
                new Requirement.OneOf(Set.of(future.api())),
                new Requirement.CompatibleWith(future.api()),
                new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))))) {
            edge.pins.use(new PinSet(List.of(pin("p", requirement, Action.DENY))));
            RawAnswer answer = post(BOATS);

            assertThat(answer.status()).as("%s", requirement).isEqualTo(403);
            assertThat(answer.body()).contains("not understood");
        }
    }

    @Test
    void warn_tellsTheCallerBesideTheAnswer() throws Exception {
        edge.pins.use(new PinSet(List.of(allow("soft", Action.WARN, OTHER_API))));

        for (String path : List.of(BOATS, IN_DEV)) {
            RawAnswer answer = post(path);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Warning"))
                    .startsWith("299 - \"TypePin \\\"soft\\\": cluster \\\"")
                    .endsWith("\"")
                    .contains(API.text(), OTHER_API.text());
        }
    }

    @Test
    void warn_ofStaleEvidence_warns() throws Exception {
        edge.pins.use(new PinSet(List.of(allow("soft", Action.WARN, API))));
        edge.silentNanos.put(PROD, Long.MAX_VALUE);

        RawAnswer answer = post(BOATS);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Warning")).contains("stale");
    }

    @Test
    void audit_saysNothingToTheCaller() throws Exception {
        edge.pins.use(new PinSet(List.of(allow("quiet", Action.AUDIT, OTHER_API))));

        RawAnswer answer = post(BOATS);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.fields())
                .noneMatch(field -> field.toLowerCase(java.util.Locale.ROOT).startsWith("warning"));
    }

    @Test
    void checks_areCountedByWhatCameOfThem() throws Exception {
        post(BOATS, header(API));
        post(BOATS, header(OTHER_API));
        edge.pins.use(new PinSet(List.of(
                allow("a", Action.WARN, OTHER_API),
                allow("b", Action.AUDIT, OTHER_API),
                allow("c", Action.DENY, API))));
        post(BOATS);
        edge.silentNanos.put(PROD, Long.MAX_VALUE);
        post(BOATS, header(API));

        assertThat(edge.metrics.scrape())
                .contains(
                        "fairlead_pin_checks_total{result=\"allowed\"} 2.0",
                        "fairlead_pin_checks_total{result=\"denied\"} 1.0",
                        "fairlead_pin_checks_total{result=\"warned\"} 1.0",
                        "fairlead_pin_checks_total{result=\"audited\"} 1.0",
                        "fairlead_pin_checks_total{result=\"stale\"} 1.0");
    }

    @Test
    void sameAcross_deniesWhileAClusterDrifts() throws Exception {
        edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));
        assertThat(post(BOATS).status()).isEqualTo(200);

        define(DEV, type(OTHER_API, true), "");

        RawAnswer answer = post(BOATS);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains(API.text(), OTHER_API.text(), "\\\"prod\\\"", "\\\"dev\\\"");
        assertThat(post(IN_DEV).status()).isEqualTo(403);

        define(DEV, type(API, true), "");
        assertThat(post(BOATS).status()).isEqualTo(200);

        ledger(DEV).relist(Set.of(HolderType.CRD), List.of(), "");
        assertThat(post(BOATS).status()).as("dev does not hold the type").isEqualTo(200);
    }

    @Test
    void sameAcross_withAClusterOfWhichLittleIsKnown_is503() throws Exception {
        edge.pins.use(new PinSet(List.of(
                pin("same", new Requirement.SameAcross(new ClusterSet.Named(Set.of(PROD, DEV))), Action.DENY))));
        edge.silentNanos.put(DEV, Long.MAX_VALUE);

        RawAnswer answer = post(BOATS);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("\\\"dev\\\"");
    }

    @Test
    void compatibleWith_allowsEqualAndWider_onceItIsWorkedOut() throws Exception {
        define(DEV, Boats.upTo(10, edge.index), "");
        TypeDigest wanted = Boats.upTo(10, edge.index).api();
        edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(wanted), Action.DENY))));

        assertThat(post(IN_DEV).status()).as("equal").isEqualTo(200);
        define(DEV, Boats.upTo(12, edge.index), "");
        assertThat(post(IN_DEV).status()).as("not compared yet").isEqualTo(503);
        edge.judge.work();
        assertThat(post(IN_DEV).status()).as("wider").isEqualTo(200);

        define(DEV, Boats.upTo(8, edge.index), "");
        post(IN_DEV);
        edge.judge.work();
        RawAnswer narrower = post(IN_DEV);
        assertThat(narrower.status()).isEqualTo(403);
        assertThat(narrower.body()).contains("Narrower", wanted.text());
    }

    @Test
    void compatibleWith_aTypeThatNobodyDefines_isDenied() throws Exception {
        define(DEV, Boats.upTo(10, edge.index), "");
        edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(OTHER_API), Action.DENY))));
        post(IN_DEV);
        edge.judge.work();

        RawAnswer answer = post(IN_DEV);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("Unknown", OTHER_API.text());

        ledger(new ClusterName("test"));
        answer = post(IN_DEV);
        assertThat(answer.status()).as("test may define it").isEqualTo(503);
        assertThat(answer.body()).contains("not listed", OTHER_API.text());
    }

    @Test
    void compatibleWith_aTypeThatIsListedAtLast_isStillToBeCompared() throws Exception {
        define(DEV, Boats.upTo(10, edge.index), "");
        FleetIndex elsewhere = FleetIndex.create();
        TypeDigest wanted = Boats.upTo(8, elsewhere).api();
        edge.pins.use(new PinSet(List.of(pin("fits", new Requirement.CompatibleWith(wanted), Action.DENY))));
        post(IN_DEV);
        edge.judge.work();
        assertThat(post(IN_DEV).status()).isEqualTo(403);

        define(PROD, Boats.upTo(8, edge.index), "");

        assertThat(post(IN_DEV).status()).isEqualTo(503);
        edge.judge.work();
        assertThat(post(IN_DEV).status()).isEqualTo(200);
    }

    @Test
    void implementation_mustBeOneOfThose() throws Exception {
        TypePin pin = allow("p", Action.DENY, API);
        edge.pins.use(new PinSet(List.of(new TypePin(
                "p",
                pin.clusters(),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                new Requirement.Anything(),
                Set.of("sha256:good"),
                Action.DENY))));

        assertThat(post(BOATS).body()).contains("not recorded", "sha256:good");
        define(PROD, type(API, true), "sha256:bad");
        assertThat(post(BOATS).body()).contains("sha256:bad", "sha256:good");
        define(PROD, type(API, true), "sha256:good");
        assertThat(post(BOATS).status()).isEqualTo(200);
    }

    private RawAnswer post(String path, String... lines) throws Exception {
        return exchange("POST", path, Stream.concat(Stream.of(NO_BODY), Stream.of(lines)));
    }

    private RawAnswer get(String path, String... lines) throws Exception {
        return exchange("GET", path, Stream.of(lines));
    }

    private RawAnswer exchange(String method, String path, Stream<String> lines) throws Exception {
        try (RawClient client = edge.client()) {
            return client.exchange(
                    method, path, Stream.concat(Stream.of(TestEdge.JANE), lines).toArray(String[]::new));
        }
    }

    /** The methods of all requests that prod received. */
    private List<String> requests() {
        return prod.received()
                .lines()
                .filter(line -> line.endsWith(" HTTP/1.1"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    private void define(ClusterName cluster, DefinedType type, String implementation) {
        Holder crd = new Holder(
                HolderType.CRD,
                "boats.example.com",
                "uid",
                "",
                List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of("boats"))),
                type,
                implementation);
        ledger(cluster).relist(EnumSet.of(HolderType.CRD, HolderType.API_SERVICE), List.of(crd), "");
    }

    private void aggregate(String version, String group) {
        ledger(PROD)
                .upsert(new Holder(
                        HolderType.API_SERVICE,
                        version + "." + group,
                        "uid-of-service",
                        "",
                        List.of(Contribution.unlisted(new GroupVersion(group, version))),
                        null,
                        ""));
    }

    private ClusterLedger ledger(ClusterName cluster) {
        return ledgers.computeIfAbsent(
                cluster, name -> edge.index.open(name, EnumSet.of(HolderType.CRD, HolderType.API_SERVICE)));
    }

    private DefinedType type(TypeDigest api, boolean understood) {
        return new DefinedType(
                "example.com",
                "Boat",
                edge.index.types().keep(api, () -> api.text().getBytes(UTF_8)),
                digest("full"),
                List.of(new DefinedVersion("v1", SCHEMA), new DefinedVersion("v2", digest("schema of v2"))),
                understood);
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

    private static String header(TypeDigest digest) {
        return "Fairlead-Type-Digest: " + digest;
    }

    private static TypeDigest digest(String of) {
        return TypeDigest.of(of.getBytes(UTF_8));
    }
}
