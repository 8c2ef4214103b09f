package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams that the RBAC of an attached cluster refuses: the caller is told, and nothing of the stream goes anywhere. */
final class RefusedStreamsIT {
    private static final KubeCluster.User STRANGER = SharedKube.STRANGER;
    private static final Path FOLDER = Checkout.scratch("RefusedStreamsIT");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);
    private static final String EXEC = "/api/v1/namespaces/refused-streams/pods/web/exec";
    private static final String WITH_THE_HEAD = "sent0with0the0head";
    private static final String AFTER_THE_REFUSAL = "sent0after0the0refusal";

    /** The pod never runs: no node takes it. */
    private static final String POD = """
        apiVersion: v1
        kind: Namespace
        metadata: {name: refused-streams}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: default, namespace: refused-streams}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: web, namespace: refused-streams}
        spec: {automountServiceAccountToken: false, containers: [{name: main, image: none}]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: see-pods, namespace: refused-streams}
        rules:
        - {apiGroups: [""], resources: [pods], verbs: [get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: stranger-sees-pods, namespace: refused-streams}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: stranger}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: see-pods}
        """;

    private static Kubectl direct;
    private static Kubectl through;

    enum Protocol {
        WEBSOCKET(
                "true",
                "GET",
                "get",
                List.of(
                        "Upgrade: websocket",
                        "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                        "Sec-WebSocket-Protocol: v5.channel.k8s.io")),
        SPDY("false", "POST", "create", List.of("Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: v4.channel.k8s.io"));

        private final String isWebSocket;
        private final String method;
        private final String verb;
        private final String fields;

        Protocol(String isWebSocket, String method, String verb, List<String> fields) {
            this.isWebSocket = isWebSocket;
            this.method = method;
            this.verb = verb;
            this.fields = String.join("\r\n", fields) + "\r\n";
        }
    }

    @BeforeAll
    static void start() throws IOException {
        ATTACHED.startRelayed();
        new Kubectl(FOLDER.resolve("admin"), ATTACHED.kube().kubeconfig()).succeedWith(POD, "apply", "-f", "-");
        through = new Kubectl(
                FOLDER.resolve("through"),
                FairleadUsers.admit(ATTACHED.fairlead(), STRANGER.name(), STRANGER.token(), "prod"));
        direct = asStranger(ATTACHED.kube().kubeconfig());
    }

    /** The kubeconfig of an administrator with another token. */
    private static Kubectl asStranger(Path admin) throws IOException {
        Path theirs = Files.writeString(
                FOLDER.resolve("direct.kubeconfig"),
                Files.readString(admin).replace(KubeCluster.ADMIN_TOKEN, STRANGER.token()));
        return new Kubectl(FOLDER.resolve("direct"), theirs);
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @BeforeEach
    void forget() {
        ATTACHED.relay().forget();
    }

    @ParameterizedTest
    @EnumSource
    void exec_thatTheClusterForbids_saysSoAsDirectly(Protocol protocol) {
        Map<String, String> environment = Map.of("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", protocol.isWebSocket);
        List<String> exec = List.of("exec", "-i", "-n", "refused-streams", "web", "--", "cat");

        Output refused = through.run(AFTER_THE_REFUSAL, environment, exec);

        assertThat(refused).isEqualTo(direct.run(AFTER_THE_REFUSAL, environment, exec));
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors())
                .contains("User \"stranger\" cannot create resource \"pods/exec\" in API group \"\"");
        assertThat(ATTACHED.relay().received()).contains(EXEC).doesNotContain(AFTER_THE_REFUSAL);
        awaitEndUpstream();
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatAClientSendsNevertheless_goNowhere_andBothConnectionsEnd(Protocol protocol) throws Exception {
        int port = URI.create(ATTACHED.fairlead().endpoint()).getPort();
        try (WireConnection client = WireConnection.open(port, 1)) {
            client.send(WireConnection.head(
                            protocol.method,
                            "/clusters/prod" + EXEC + "?command=cat&stdin=true&stdout=true",
                            STRANGER.token())
                    + "Connection: Upgrade\r\n" + protocol.fields + "\r\n" + WITH_THE_HEAD);

            WireConnection.Answer answer = client.answer();

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains("cannot " + protocol.verb + " resource \\\"pods/exec\\\"");
            Await.until("the client's connection ends", SOON, () -> hasEnded(client));
        }
        awaitEndUpstream();
        assertThat(ATTACHED.relay().received()).contains(EXEC).doesNotContain(WITH_THE_HEAD, AFTER_THE_REFUSAL);
    }

    /** Whether nothing can be sent on it any more. */
    private static boolean hasEnded(WireConnection client) {
        try {
            client.send(AFTER_THE_REFUSAL);
            return client.hasAnswer(Duration.ofMillis(100)) && client.read(new byte[1]) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private static void awaitEndUpstream() {
        Await.until(
                "the connection to the cluster ends",
                SOON,
                () -> ATTACHED.relay().openThatLastSent(EXEC) == 0);
    }
}
