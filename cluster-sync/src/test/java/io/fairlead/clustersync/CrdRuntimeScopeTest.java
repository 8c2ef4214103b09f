package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.builtIn;
import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.Sync;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import io.netty.pkitesting.CertificateBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that take what CRDs serve: what is found of them, and that they are sent nothing unless they are of the cluster. */
final class CrdRuntimeScopeTest {
    private static final String THINGS = "/apis/example.com/v1/things";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FollowedCluster prod = new FollowedCluster();

    @AfterEach
    void close() {
        prod.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void serverOfTheSameCluster_isReachable_andSentRequests(String protocol) {
        FakeApiServer runtime = server(protocol, "uid-a");
        AttachedScope scope = prod.attach(server(protocol, "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));

        eventually(() -> found().equals("TRUE Reachable"));

        assertThat(message()).contains("uid-a");
        assertThat(ask(opened)).isEqualTo("200");
        assertThat(runtime.requests())
                .contains("GET " + THINGS)
                .noneMatch(line -> line.contains("resourcedefinitions"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void serverOfAnotherCluster_isNotReachable_andSentNothingButTheQuestion(String protocol) {
        FakeApiServer runtime = server(protocol, "uid-b");
        AttachedScope scope = prod.attach(server(protocol, "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));

        eventually(() -> found().equals("FALSE AnotherCluster"));

        assertThat(message()).contains("uid-a", "uid-b", runtime.url().toString(), "expected");
        assertThat(ask(opened)).startsWith("IDENTITY").contains("uid-a", "uid-b");
        assertThat(runtime.requests()).containsOnly("GET " + ClusterIdentity.PATH);
    }

    @ParameterizedTest
    @CsvSource({
        "401, FALSE CredentialRefused, 401",
        "403, FALSE CredentialForbidden, --print-rbac",
        "404, FALSE NotKubernetes, 404",
        "500, FALSE UnexpectedAnswer, 500",
    })
    void serverThatDoesNotSay_isNotReachable_andSentNothingButTheQuestion(int code, String finding, String told) {
        FakeApiServer runtime = server("h2", "uid-a");
        runtime.refuseWith(code);
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));

        eventually(() -> found().equals(finding));

        assertThat(message()).contains(told, runtime.url().toString());
        assertThat(ask(opened)).startsWith("IDENTITY");
        assertThat(runtime.requests()).containsOnly("GET " + ClusterIdentity.PATH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "[]", "nonsense", "{\"metadata\":{\"uid\":\"\"}}", "{\"metadata\":{\"uid\":\"a b\"}}"})
    void answerWithoutAUid_isNoProof(String answer) {
        FakeApiServer runtime = server("h2", "uid-a");
        runtime.document(ClusterIdentity.PATH, answer);
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));

        eventually(() -> found().equals("FALSE NotKubernetes"));
        assertThat(ask(opened)).startsWith("IDENTITY");
    }

    @Test
    void serverThatIsDown_isNotReachable_untilItIsBack() {
        FakeApiServer runtime = server("h2", "uid-a");
        runtime.down();
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));

        eventually(() -> found().equals("FALSE ConnectionFailed"));
        assertThat(message()).contains("spec.attached.crdRuntime.endpoints", "503");
        assertThat(ask(opened)).startsWith("CONNECT");

        runtime.listen();

        eventually(() -> found().equals("TRUE Reachable"));
        assertThat(ask(opened)).isEqualTo("200");
    }

    @Test
    void serverThatIsSilent_isNotReachable_andRequestsWaitNoLongerThanTheProbe() {
        FakeApiServer runtime = server("h2", "uid-a");
        runtime.neverAnswer(true);
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));

        assertThat(ask(opened)).startsWith("TIMEOUT");
        eventually(() -> found().equals("FALSE Timeout"));
        assertThat(runtime.requests()).containsOnly("GET " + ClusterIdentity.PATH);
    }

    @Test
    void serverWithAnotherCertificate_isNotReachable() throws Exception {
        FakeApiServer runtime = server("h2", "uid-a");
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        String otherCa = new CertificateBuilder()
                .ecp256()
                .subject("CN=other")
                .setIsCertificateAuthority(true)
                .buildSelfSigned()
                .getCertificatePEM();
        scope.openCrdRuntime(new UpstreamSpec(List.of(runtime.url()), otherCa, null, null, null));

        eventually(() -> found().equals("FALSE CertificateRefused"));
        assertThat(message()).contains("spec.attached.crdRuntime.caBundle", "spec.attached.crdRuntime.tlsServerName");
    }

    @Test
    void clusterThatDoesNotSay_provesNothing() {
        FakeApiServer base = server("h2", "uid-a");
        base.document(ClusterIdentity.PATH, "{}");
        FakeApiServer runtime = server("h2", "uid-a");
        AttachedScope scope = prod.attach(base, null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));

        eventually(() -> found().equals("UNKNOWN IdentityNotKnown"));
        assertThat(message()).contains("spec.attached.endpoints do not say");
        assertThat(ask(opened)).startsWith("IDENTITY");

        base.document(ClusterIdentity.PATH, namespace("uid-a"));

        eventually(() -> found().equals("TRUE Reachable"));
        assertThat(ask(opened)).isEqualTo("200");
    }

    /** Behind one address another cluster's server may come up: it takes a new connection to reach it. */
    @Test
    void serverThatComesBackAsAnotherClusters_isSentNothing() {
        FakeApiServer runtime = server("h2", "uid-a");
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));
        assertThat(ask(opened)).isEqualTo("200");
        runtime.down();
        int before = runtime.requests().size();
        runtime.document(ClusterIdentity.PATH, namespace("uid-b"));
        runtime.listen();

        eventually(() -> ask(opened).startsWith("IDENTITY"));
        eventually(() -> found().equals("FALSE AnotherCluster"));
        assertThat(runtime.requests().subList(before, runtime.requests().size()))
                .containsOnly("GET " + ClusterIdentity.PATH);
    }

    /** A proxy may lead the connection that stands to another server. */
    @Test
    void serverThatTurnsIntoAnotherClustersOnAConnection_isFoundByTheProbe() {
        FakeApiServer runtime = server("h2", "uid-a");
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));
        assertThat(ask(opened)).isEqualTo("200");

        runtime.document(ClusterIdentity.PATH, namespace("uid-b"));

        eventually(() -> found().equals("FALSE AnotherCluster"));
        eventually(() -> ask(opened).startsWith("IDENTITY"));
    }

    @Test
    void clusterThatTurnsOutToBeAnother_hasItsRuntimeProveItselfAnew() {
        FakeApiServer base = server("h2", "uid-a");
        FakeApiServer runtime = server("h2", "uid-a");
        AttachedScope scope = prod.attach(base, null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));
        assertThat(ask(opened)).isEqualTo("200");

        base.document(ClusterIdentity.PATH, namespace("uid-b"));

        eventually(() -> found().equals("FALSE AnotherCluster"));
        assertThat(ask(opened)).startsWith("IDENTITY");

        runtime.document(ClusterIdentity.PATH, namespace("uid-b"));

        eventually(() -> found().equals("TRUE Reachable"));
        assertThat(ask(opened)).isEqualTo("200");
    }

    @Test
    void endpointsOfAnotherCluster_haveTheRuntimeProveItselfAnew() {
        FakeApiServer other = server("h2", "uid-b");
        FakeApiServer runtime = server("h2", "uid-a");
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));
        assertThat(ask(opened)).isEqualTo("200");

        scope.reconfigure(new AttachedCluster(FollowedCluster.PROD, FollowedCluster.spec(other.url()), null));

        assertThat(ask(opened)).startsWith("IDENTITY");
        eventually(() -> found().equals("FALSE AnotherCluster"));
    }

    /** The watch tells of it long before the next probe would. */
    @Test
    void historyThatIsReplaced_hasTheRuntimeProveItselfAnew() {
        FakeApiServer base = server("h2", "uid-a");
        base.put(API_SERVICES, "v1.", builtIn("", "v1"));
        FakeApiServer other = server("h2", "uid-b");
        other.put(CRDS, "things.example.com", crd("things", "example.com", "v1"));
        other.put(API_SERVICES, "v1.", builtIn("", "v1"));
        FakeApiServer runtime = server("h2", "uid-a");
        try (ClusterSync unhurried = prod.sync(FollowedCluster.UNPROBED)) {
            AttachedScope scope =
                    unhurried.attach(new AttachedCluster(FollowedCluster.PROD, FollowedCluster.spec(base.url()), null));
            CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(runtime.url()));
            assertThat(ask(opened)).isEqualTo("200");
            eventually(() -> prod.sync() == Sync.SYNCED);

            base.document(ClusterIdentity.PATH, namespace("uid-b"));
            base.gap(() -> base.restore(other.copy()));

            eventually(() -> ask(opened).startsWith("IDENTITY"));
        }
    }

    @Test
    void otherServers_areProbedAtOnce() {
        FakeApiServer wrong = server("h2", "uid-b");
        FakeApiServer right = server("h2", "uid-a");
        AttachedScope scope = prod.attach(server("h2", "uid-a"), null);
        CrdRuntimeScope opened = scope.openCrdRuntime(FollowedCluster.spec(wrong.url()));
        eventually(() -> found().equals("FALSE AnotherCluster"));

        opened.reconfigure(FollowedCluster.spec(right.url()));

        eventually(() -> found().equals("TRUE Reachable"));
        assertThat(ask(opened)).isEqualTo("200");
    }

    @Test
    void withoutARuntime_nothingIsSaidOfOne() {
        FakeApiServer base = server("h2", "uid-a");
        AttachedScope scope = prod.attach(base, null);
        eventually(() -> prod.reachable().equals("Reachable"));
        assertThat(prod.last().crdRuntimeReachable()).isEmpty();

        CrdRuntimeScope opened =
                scope.openCrdRuntime(FollowedCluster.spec(server("h2", "uid-a").url()));
        eventually(() -> found().equals("TRUE Reachable"));
        opened.close();

        eventually(() -> prod.last().crdRuntimeReachable().isEmpty());
        assertThat(ask(opened)).startsWith("CLOSED");
    }

    private FakeApiServer server(String protocol, String uid) {
        FakeApiServer server = prod.server(protocol);
        server.document(ClusterIdentity.PATH, namespace(uid));
        server.document(THINGS, "{}");
        return server;
    }

    private static String namespace(String uid) {
        return "{\"kind\":\"Namespace\",\"metadata\":{\"name\":\"kube-system\",\"uid\":\"" + uid + "\"}}";
    }

    private String found() {
        return finding()
                .map(finding -> finding.status() + " " + finding.reason())
                .orElse("");
    }

    private String message() {
        return finding().orElseThrow().message();
    }

    private Optional<Finding> finding() {
        ClusterStatus last = prod.reports.peekLast();
        return last == null ? Optional.empty() : last.crdRuntimeReachable();
    }

    /** The status of an answer to what a CRD serves, or the kind and message of the failure. */
    private static String ask(CrdRuntimeScope scope) {
        DocumentRequest.Outcome outcome =
                Objects.requireNonNull(DocumentRequest.get(scope.upstream(), THINGS, null, PATIENCE, 1024)
                        .orTimeout(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS)
                        .join());
        return switch (outcome) {
            case DocumentRequest.Outcome.Answered answered -> String.valueOf(answered.status());
            case DocumentRequest.Outcome.Failed(UpstreamFailure failure) -> failure.kind() + " " + failure.message();
        };
    }
}
