package io.fairlead.clustersync;

import static io.fairlead.index.HolderType.CRD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.http.FieldName;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamFailure.Kind;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a probe of a CRD runtime finds, and what its servers have to prove after it. */
class CrdRuntimeProbeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final UpstreamSpec SPEC = spec("https://runtime");

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<ClusterStatus> reports = new ArrayList<>();
    private final StatusBoard board = new StatusBoard(
            FleetIndex.create().open(new ClusterName("prod"), Set.of(CRD)),
            Set.of(CRD),
            reports::add,
            InstantSource.system(),
            scheduler,
            Runnable::run,
            Duration.ofMillis(10),
            true);
    private final Tasks tasks = new Tasks(FollowedCluster.PROD, scheduler, Runnable::run, new Random(1));
    private final ManualUpstream endpoints = new ManualUpstream();
    private final ManualUpstream servers = new ManualUpstream();
    private final ClusterIdentity identity = new ClusterIdentity(endpoints, () -> null, TIMEOUT);
    private final List<CrdRuntimeScope> closed = new ArrayList<>();
    private final CrdRuntimeScope scope =
            new CrdRuntimeScope(servers, SPEC, identity, TIMEOUT, board, tasks, closed::add);

    CrdRuntimeProbeTest() {
        board.named(scope);
    }

    @Test
    void probe_isOneAtATime() {
        scope.probe();
        scope.probe();
        assertThat(endpoints.calls()).hasSize(1);
        say(endpoints, "a");
        scope.probe();
        assertThat(endpoints.calls()).hasSize(1);

        say(servers, "a");

        assertThat(found()).isEqualTo("TRUE Reachable");
        assertThat(servers.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.head().fields().contains(FieldName.AUTHORIZATION))
                        .isFalse());
        assertThat(servers.specs()).as("it need not prove itself again").isEmpty();
        scope.probe();
        assertThat(endpoints.calls()).hasSize(2);
    }

    @Test
    void serversOfAnotherCluster_proveThemselvesAnew() {
        scope.probe();
        say(endpoints, "a");
        say(servers, "b");

        assertThat(found()).isEqualTo("FALSE AnotherCluster");
        assertThat(servers.specs()).containsExactly(SPEC);
    }

    @Test
    void serversOfAClusterThatMoved_proveThemselvesAnew_beforeTheyAreAsked() {
        scope.probe();
        say(endpoints, "a");
        say(servers, "a");

        scope.probe();
        say(endpoints, "b");

        assertThat(servers.specs()).containsExactly(SPEC);
        say(servers, "b");
        assertThat(found()).isEqualTo("TRUE Reachable");
        assertThat(servers.specs()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CERTIFICATE | FALSE CertificateRefused | spec.attached.crdRuntime.caBundle",
                "ADDRESS_DENIED | FALSE AddressDenied | upstream.allowedAddresses",
                "CONNECT | FALSE ConnectionFailed | spec.attached.crdRuntime.endpoints",
                "TIMEOUT | FALSE Timeout | spec.attached.crdRuntime.endpoints"
            })
    void serversThatDoNotAnswer_areNotReachable_andItIsSaidWhatWasExpected(Kind kind, String found, String expected) {
        scope.probe();
        say(endpoints, "a");

        servers.calls().getLast().fail(new UpstreamFailure(kind, "of a test", false));

        assertThat(found()).isEqualTo(found);
        assertThat(message()).startsWith("of a test (expected ").contains(expected);
    }

    @Test
    void serversThatDidNotProveThemselves_areWhatTheyWereFoundToBe() {
        scope.probe();
        say(endpoints, "a");
        assertThat(identity.judge(200, "{\"metadata\":{\"uid\":\"b\"}}".getBytes(UTF_8))
                        .join())
                .isPresent();

        servers.calls().getLast().fail(new UpstreamFailure(Kind.IDENTITY, "of a test", false));

        assertThat(found()).isEqualTo("FALSE AnotherCluster");
        assertThat(message()).isEqualTo("of a test");
    }

    @Test
    void otherCredentials_areProbedAtOnce_andLeaveWhatWasFound() {
        probed();
        UpstreamSpec other = new UpstreamSpec(SPEC.endpoints(), null, null, "cert", "key");

        scope.reconfigure(other);

        assertThat(servers.specs()).containsExactly(other);
        assertThat(endpoints.calls()).hasSize(2);
        assertThat(found()).isEqualTo("TRUE Reachable");
    }

    @Test
    void otherServers_areNotKnownYet_andProbedAtOnce() {
        probed();
        UpstreamSpec other = spec("https://other");

        scope.reconfigure(other);

        assertThat(found()).isEqualTo("UNKNOWN Pending");
        assertThat(endpoints.calls()).hasSize(2);
        say(endpoints, "a");
        say(servers, "b");
        assertThat(servers.specs()).as("those that are used now").containsExactly(other, other);
        scope.reconfigure(SPEC);
        assertThat(found()).isEqualTo("UNKNOWN Pending");
    }

    @Test
    void whatAnEarlierProbeFinds_isOfOtherServers() {
        scope.probe();
        say(endpoints, "a");
        ManualUpstream.Call before = servers.calls().getLast();

        scope.reconfigure(spec("https://other"));
        before.answer(200, "{\"metadata\":{\"uid\":\"a\"}}");

        assertThat(found()).isEqualTo("UNKNOWN Pending");
    }

    @Test
    void doubt_hasItsServersProveThemselves_andProbesThem() {
        probed();

        scope.doubt();

        assertThat(servers.specs()).containsExactly(SPEC);
        assertThat(endpoints.calls()).hasSize(2);
    }

    @Test
    void close_isTold_andNothingIsFoundAnyMore() {
        probed();
        assertThat(scope.upstream()).isSameAs(servers);

        scope.close();

        assertThat(servers.isClosed()).isTrue();
        assertThat(closed).containsExactly(scope);
        scheduler.pass(Duration.ofMillis(10));
        assertThat(reports.getLast().crdRuntimeReachable()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void eachFailure_hasAReasonOfItsOwn(Kind kind) {
        List<String> reasons = new ArrayList<>();
        for (Kind each : Kind.values()) {
            reasons.add(
                    Findings.of(new UpstreamFailure(each, "of a test", false)).reason());
        }

        assertThat(reasons).doesNotContain("").doesNotHaveDuplicates();
        assertThat(Findings.of(new UpstreamFailure(kind, "of a test", false)).status())
                .isEqualTo(Finding.Status.FALSE);
    }

    private void probed() {
        scope.probe();
        say(endpoints, "a");
        say(servers, "a");
        assertThat(found()).isEqualTo("TRUE Reachable");
    }

    private String found() {
        scheduler.pass(Duration.ofMillis(10));
        Finding found = reports.getLast().crdRuntimeReachable().orElseThrow();
        return found.status() + " " + found.reason();
    }

    private String message() {
        return reports.getLast().crdRuntimeReachable().orElseThrow().message();
    }

    private static void say(ManualUpstream server, String uid) {
        server.calls().getLast().answer(200, "{\"metadata\":{\"uid\":\"" + uid + "\"}}");
    }

    private static UpstreamSpec spec(String url) {
        return new UpstreamSpec(List.of(URI.create(url)), null, null, null, null);
    }
}
