package io.fairlead.fleet.required;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.availability.Requirement;
import io.fairlead.fleet.informers.FakeServer;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an attached and a hosted cluster require, and what is said of it. */
final class RequiredServicesTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final ClusterName HOSTED = new ClusterName("hosted");
    private static final String AVAILABLE = "{\"type\": \"Available\", \"status\": \"True\", \"reason\": \"Passed\"}";

    private final Map<String, String> services = new ConcurrentHashMap<>();
    private final List<FakeServer.Answer> watches = new CopyOnWriteArrayList<>();
    private final FakeServer server = new FakeServer(this::answer);
    private final Informers informers = new Informers(this::lookup, _ -> 1, Instant::now);
    private final Map<ClusterName, Requirement> required = new ConcurrentHashMap<>();
    private final Map<ClusterName, Map<String, Finding>> publications = new ConcurrentHashMap<>();
    private final Set<String> served = ConcurrentHashMap.newKeySet();
    private volatile Finding hostedState = Finding.yes("Synced", "all are known");
    private final AtomicInteger errors = new AtomicInteger();
    private volatile Map<ClusterName, Requirement.Look> told = Map.of();
    private volatile boolean isDown;

    private final RequiredServices look = new RequiredServices(
            informers,
            () -> required,
            cluster -> Optional.ofNullable(publications.get(cluster)),
            _ -> new Hosted(),
            this::tell);

    private final class Hosted implements OwnServices {
        @Override
        public Finding state() {
            return hostedState;
        }

        @Override
        public Finding of(String name) {
            return served.contains(name) ? Finding.yes("Local", "") : Finding.no("APIServiceNotFound", "not served");
        }
    }

    @AfterEach
    void close() {
        look.close();
        informers.close();
    }

    private ClusterEntry lookup(ClusterName name) {
        return name.equals(PROD) ? server.entry(PROD, false) : new ClusterEntry.NotRegistered(name);
    }

    private void tell(Map<ClusterName, Requirement.Look> looks) {
        if (errors.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("of the test");
        }
        told = looks;
    }

    private void answer(FakeServer.Answer answer) {
        if (isDown) {
            answer.of(503, "{\"kind\": \"Status\", \"code\": 503, \"reason\": \"ServiceUnavailable\"}");
        } else if (answer.target().contains("watch=")) {
            answer.receiver().onHead(200, new MutableFields());
            watches.add(answer);
        } else {
            answer.of(
                    200,
                    "{\"kind\": \"APIServiceList\", \"metadata\": {\"resourceVersion\": \"1\"}, \"items\": ["
                            + String.join(",", services.values()) + "]}");
        }
    }

    private static String service(String name, String... conditions) {
        return "{\"metadata\": {\"name\": \"" + name + "\", \"uid\": \"" + name + "\", \"resourceVersion\": \"1\"},"
                + " \"status\": {\"conditions\": [" + String.join(",", conditions) + "]}}";
    }

    private static String not(String status, String reason) {
        return "{\"type\": \"Available\", \"status\": \"" + status + "\", \"reason\": \"" + reason
                + "\", \"message\": \"of the cluster\"}";
    }

    private void event(String type, String object) {
        watches.getLast().data("{\"type\": \"" + type + "\", \"object\": " + object + "}\n");
    }

    private static Requirement requirement(String... names) {
        return new Requirement("uid", true, Set.of(names));
    }

    private static Requirement hosted(String... names) {
        return new Requirement("uid", false, Set.of(names));
    }

    private void await(ClusterName cluster, String expected) {
        eventually(
                cluster + " is " + expected + "; " + said(cluster),
                () -> said(cluster).equals(expected));
    }

    private String said(ClusterName cluster) {
        Requirement.Look look = told.get(cluster);
        if (look == null) {
            return "";
        }
        Finding finding = look.available();
        return finding.status() + " " + finding.reason() + " " + finding.message();
    }

    /** Two of the three are there; the third is as a row says. */
    @ParameterizedTest
    @CsvSource({
        "missing, FALSE APIServiceNotFound 1 of 3 not available: APIService v1.c: APIServiceNotFound: it is not"
                + " there",
        "none, FALSE AvailabilityUnknown 1 of 3 not available: APIService v1.c: AvailabilityUnknown: the cluster"
                + " has not said so yet",
        "Unknown, FALSE Waiting 1 of 3 not available: APIService v1.c: Waiting: of the cluster",
        "False, FALSE Waiting 1 of 3 not available: APIService v1.c: Waiting: of the cluster",
        "other, FALSE AvailabilityUnknown 1 of 3 not available: APIService v1.c: AvailabilityUnknown: the cluster"
                + " has not said so yet",
        "True, TRUE AllAvailable 3 of 3 available"
    })
    void requiredAPIService_isAvailableOnlyIfItsOwnClusterSaysTrue(String third, String expected) {
        services.put("a", service("v1.a", AVAILABLE));
        services.put("b", service("v1.b", AVAILABLE));
        switch (third) {
            case "missing" -> services.put("d", service("v1.d", AVAILABLE));
            case "none" -> services.put("c", service("v1.c"));
            case "other" -> services.put("c", service("v1.c", "{\"type\": \"Ready\", \"status\": \"True\"}"));
            default -> services.put("c", service("v1.c", not(third, "Waiting")));
        }
        required.put(PROD, requirement("v1.a", "v1.b", "v1.c"));
        publications.put(PROD, Map.of());

        look.start();

        await(PROD, expected);
    }

    @Test
    void changesAreSeen_andAnAPIServiceThatFlapsIsToldEachTime() {
        required.put(PROD, requirement("v1.a"));
        publications.put(PROD, Map.of());
        look.start();
        String absent = "1 of 1 not available: APIService v1.a: APIServiceNotFound: it is not there";
        await(PROD, "FALSE APIServiceNotFound " + absent);
        eventually("it is watched", () -> !watches.isEmpty());

        for (int flap = 0; flap < 3; flap++) {
            event("MODIFIED", service("v1.a", AVAILABLE));
            await(PROD, "TRUE AllAvailable 1 of 1 available");
            event("MODIFIED", service("v1.a", not("False", "MissingEndpoints")));
            await(
                    PROD,
                    "FALSE MissingEndpoints 1 of 1 not available: APIService v1.a: MissingEndpoints: of the"
                            + " cluster");
        }
        event("DELETED", service("v1.a", AVAILABLE));
        await(PROD, "FALSE APIServiceNotFound " + absent);
    }

    @Test
    void withoutAnAnswerOfTheCluster_nothingIsKnown() {
        isDown = true;
        required.put(PROD, requirement("v1.a"));
        publications.put(PROD, Map.of());

        look.start();

        eventually("it is unknown; " + said(PROD), () -> said(PROD).startsWith("UNKNOWN NotObserved its APIServices"));
    }

    @Test
    void whatIsRequiredMayChange_andIsFollowedOnlyWhereItIs() {
        services.put("b", service("v1.b", AVAILABLE));
        required.put(PROD, requirement("v1.a"));
        publications.put(PROD, Map.of());
        look.start();
        await(
                PROD,
                "FALSE APIServiceNotFound 1 of 1 not available: APIService v1.a: APIServiceNotFound: it is not"
                        + " there");

        required.put(PROD, requirement("v1.b"));
        await(PROD, "TRUE AllAvailable 1 of 1 available");

        int cancelled = server.cancelled.get();
        required.put(PROD, requirement());
        await(PROD, "TRUE NoneRequired no APIService is required");
        assertThat(server.cancelled.get()).as("the watch is closed").isGreaterThan(cancelled);
        required.remove(PROD);
        eventually("it is forgotten", () -> told.isEmpty());
    }

    @Test
    void whatAnotherClusterOfTheSameNameSaid_saysNothing() {
        services.put("a", service("v1.a", AVAILABLE));
        required.put(PROD, requirement("v1.a"));
        publications.put(PROD, Map.of());
        look.start();
        await(PROD, "TRUE AllAvailable 1 of 1 available");

        services.clear();
        Requirement other = new Requirement("uid of another", true, Set.of("v1.a"));
        required.put(PROD, other);

        eventually(
                "it is looked at; " + said(PROD),
                () -> told.containsKey(PROD) && told.get(PROD).requirement().equals(other));
        assertThat(said(PROD)).startsWith("FALSE APIServiceNotFound");
    }

    @Test
    void publicationsThatAreRequired_countAsWell_andAreAwaitedUntilTheyWereLookedAt() {
        required.put(PROD, requirement());
        required.put(HOSTED, hosted());
        publications.put(HOSTED, Map.of());
        look.start();
        await(HOSTED, "TRUE NoneRequired no APIService is required");
        assertThat(told).doesNotContainKey(PROD);

        publications.put(PROD, Map.of("widgets", Finding.no("EndpointsNotFound", "just made")));
        await(
                PROD,
                "FALSE EndpointsNotFound 1 of 1 not available: APIPublication widgets: EndpointsNotFound: just"
                        + " made");

        publications.put(PROD, Map.of("widgets", Finding.yes("Passed", "it is available")));
        await(PROD, "TRUE AllAvailable 1 of 1 available");
    }

    @Test
    void inAHostedCluster_aServedGroupAndVersionIsAvailable() {
        required.put(HOSTED, hosted("v1.example.com", "v1."));
        publications.put(HOSTED, Map.of());
        served.add("v1.");
        look.start();
        await(
                HOSTED,
                "FALSE APIServiceNotFound 1 of 2 not available: APIService v1.example.com: APIServiceNotFound: not"
                        + " served");

        served.add("v1.example.com");
        await(HOSTED, "TRUE AllAvailable 2 of 2 available");
    }

    @Test
    void ofAHostedCluster_nothingIsToldUntilItIsKnownWhatItServes() {
        required.put(HOSTED, hosted("v1.example.com"));
        required.put(PROD, requirement());
        publications.put(HOSTED, Map.of());
        publications.put(PROD, Map.of());
        hostedState = Finding.unknown("NotSyncedYet", "");
        look.start();
        await(PROD, "TRUE NoneRequired no APIService is required");
        assertThat(told).doesNotContainKey(HOSTED);

        hostedState = Finding.no("Paused", "spec.paused is true");
        await(HOSTED, "UNKNOWN NotObserved its APIServices: Paused: spec.paused is true");
    }

    @Test
    void nameWithoutAVersion_isToldHowToBeWritten() {
        required.put(PROD, requirement("boats.example.com"));
        publications.put(PROD, Map.of());

        look.start();

        await(
                PROD,
                "FALSE APIServiceNotFound 1 of 1 not available: APIService boats.example.com: APIServiceNotFound: it is"
                        + " not there (expected VERSION.GROUP, for example v1.example.com)");
    }

    @Test
    void ofManyThatAreMissing_theFirstAreNamed_andTheRestCounted() {
        Map<String, Finding> many = new HashMap<>();
        for (int each = 100; each < 200; each++) {
            many.put("p" + each, Finding.no("Missing", "x".repeat(500)));
        }
        required.put(PROD, requirement());
        publications.put(PROD, many);

        look.start();

        eventually("it is told", () -> said(PROD).startsWith("FALSE Missing 100 of 100 not available"));
        assertThat(said(PROD))
                .contains("APIPublication p103")
                .doesNotContain("APIPublication p104")
                .endsWith("; and 96 more");
    }

    @Test
    void longTexts_areCut() {
        services.put(
                "a",
                service("v1.a", not("False", "No reason for a program").replace("of the cluster", "x".repeat(9000))));
        required.put(PROD, requirement("v1.a"));
        publications.put(PROD, Map.of());

        look.start();

        eventually("it is told", () -> said(PROD).startsWith("FALSE AvailabilityUnknown 1 of 1"));
        assertThat(said(PROD)).hasSizeLessThan(700);
    }

    @Test
    void error_endsNotTheLook() {
        errors.set(1);
        required.put(HOSTED, hosted());
        publications.put(HOSTED, Map.of());

        look.start();

        await(HOSTED, "TRUE NoneRequired no APIService is required");
        assertThat(errors).hasValue(0);
        assertThat(look.work().isAlive()).isTrue();
    }
}
