package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What people do with pods all day, through Fairlead, over both protocols that kubectl speaks. */
final class StreamsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int STREAMS_AT_ONCE = 200;
    private static final int LOG_LINES = 20_000;
    private static final Pattern FORWARDING = Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern SERVER = Pattern.compile("server: (https://\\S+)");
    private static final Path FOLDER = Checkout.scratch("StreamsIT");

    private static KubeCluster kube;
    private static SimulatedNode node;
    private static FairleadProcess fairlead;
    private static HttpServer workload;
    private static Path throughFairlead;

    /** How kubectl streams. */
    @SuppressWarnings("ImmutableEnumChecker") // the maps are
    enum Protocol {
        WEBSOCKET(Map.of()),
        SPDY(Map.of("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false", "KUBECTL_PORT_FORWARD_WEBSOCKETS", "false"));

        private final Map<String, String> environment;

        Protocol(Map<String, String> environment) {
            this.environment = environment;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        workload = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        workload.createContext("/", exchange -> {
            byte[] body = ("you asked for " + exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        workload.start();
        kube = KubeCluster.start(subfolder("kube"), List.of("--disable-admission-plugins=ServiceAccount"));
        node = SimulatedNode.start(
                subfolder("node"), kube, workload.getAddress().getPort());
        fairlead = FairleadProcess.start(subfolder("fairlead"), "--token-auth-file", tokens().toString());
        fairlead.attach("prod", kube.kubeconfig());
        throughFairlead = fairlead.kubeconfigOf("prod");
    }

    @AfterAll
    static void stop() {
        close(fairlead);
        close(node);
        close(kube);
        if (workload != null) {
            workload.stop(0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void exec_hasInputOutputErrorsAndExitCodeAsDirectly(Protocol protocol) {
        String[] failing = {"exec", "web", "--", "sh", "-c", "echo out; echo err >&2; exit 7"};
        Output direct = run(direct(), protocol, "", failing);
        assertThat(run(through(), protocol, "", failing)).isEqualTo(direct);
        assertThat(direct.output()).isEqualTo("out\n");
        assertThat(direct.errors()).contains("err\n");

        Output answered = run(
                through(), protocol, "a line\n", "-v=6", "exec", "-i", "web", "--", "sh", "-c", "read x; echo got $x");
        assertThat(answered.output()).as("%s", answered).isEqualTo("got a line\n");
        assertThat(answered.errors().contains("Subprotocol negotiated")).isEqualTo(protocol == Protocol.WEBSOCKET);
    }

    @ParameterizedTest
    @EnumSource
    void exec_thatIsForbidden_saysSo(Protocol protocol) {
        Output refused = run(through(), protocol, "", "exec", "nowhere", "--", "true");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors()).contains("pods \"nowhere\" not found");
    }

    @ParameterizedTest
    @EnumSource
    void attachAndLogs_showWhatThePodSays(Protocol protocol) {
        try (var attached = through().start("attach-" + protocol, protocol.environment, "attach", "web");
                var followed =
                        through().start("logs-" + protocol, protocol.environment, "logs", "-f", "--tail=1", "web")) {
            String line = "seen by " + protocol;
            Await.until(line, TIMEOUT, () -> {
                node.log(line);
                return attached.output().contains(line) && followed.output().contains(line);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void portForward_carriesManyConnections(Protocol protocol) throws Exception {
        try (var forwarding =
                        through().start("forward-" + protocol, protocol.environment, "port-forward", "pod/web", ":80");
                var browser = HttpClient.newHttpClient()) {
            Await.until(
                    "port-forward listens; " + forwarding.tail(),
                    TIMEOUT,
                    () -> FORWARDING.matcher(forwarding.output()).find());
            String base = "http://127.0.0.1:" + first(FORWARDING, forwarding.output());
            for (int i = 0; i < 20; i++) {
                HttpRequest request =
                        HttpRequest.newBuilder(URI.create(base + "/" + i)).build();
                assertThat(browser.send(request, HttpResponse.BodyHandlers.ofString())
                                .body())
                        .isEqualTo("you asked for /" + i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void cp_bringsFilesThereAndBackUnchanged(Protocol protocol) throws IOException {
        byte[] content = new byte[3_000_000];
        new Random(42).nextBytes(content);
        Path mine = Files.write(FOLDER.resolve("mine-" + protocol), content);
        Path theirs = node.folder().resolve("theirs-" + protocol);
        Path back = FOLDER.resolve("back-" + protocol);

        Output up = run(through(), protocol, "", "cp", mine.toString(), "web:" + theirs);
        Output down = run(through(), protocol, "", "cp", "web:" + theirs, back.toString());

        assertThat(up.exitCode()).as("%s", up).isZero();
        assertThat(down.exitCode()).as("%s", down).isZero();
        assertThat(theirs).hasBinaryContent(content);
        assertThat(back).hasBinaryContent(content);
    }

    @Test
    void nodeProxy_isTheClustersToAllow_andSandboxed() throws Exception {
        try (var probe = HttpProbe.withToken(server(), AttachedCluster.ROOT_TOKEN)) {
            HttpProbe.Answer answer = probe.get("/api/v1/nodes/sim/proxy/healthz");

            // The API server leads nobody to loopback addresses, which is its own decision to make.
            assertThat(answer.body()).contains("address not allowed");
            assertThat(answer.headers().get("content-security-policy")).contains("sandbox");
        }
    }

    @Test
    void manyStreamsAtOnce_areEachTheirOwn() throws Exception {
        List<ExecSocket> open = new ArrayList<>();
        try (var client =
                HttpClient.newBuilder().sslContext(TrustEveryone.context()).build()) {
            for (int i = 0; i < STREAMS_AT_ONCE; i++) {
                open.add(ExecSocket.open(
                        client,
                        server(),
                        AttachedCluster.ROOT_TOKEN,
                        "web",
                        "sh",
                        "-c",
                        "echo ready; read x; echo got $x"));
            }
            for (ExecSocket socket : open) {
                socket.awaitOutput("ready\n");
            }
            for (int i = 0; i < STREAMS_AT_ONCE; i++) {
                open.get(i).send("number " + i + "\n");
            }
            for (int i = 0; i < STREAMS_AT_ONCE; i++) {
                open.get(i).awaitOutput("ready\ngot number " + i + "\n");
                assertThat(open.get(i).awaitStatus()).contains("\"status\":\"Success\"");
            }
        } finally {
            open.forEach(ExecSocket::abort);
        }
    }

    @Test
    void logs_readerThatPauses_missesNothing() throws Exception {
        readLogsWithAPauseOf(Duration.ofSeconds(3));
    }

    @Test
    @Tag("endurance")
    void logs_readerThatPausesForTwoMinutes_missesNothing() throws Exception {
        readLogsWithAPauseOf(Duration.ofMinutes(2));
    }

    /** Far more is logged meanwhile than sockets hold: somebody has to wait, and nobody to give up. */
    private static void readLogsWithAPauseOf(Duration pause) throws IOException {
        URI base = URI.create(server());
        // The API server sends no head before there is something to send.
        node.log("begin");
        try (SSLSocket socket =
                (SSLSocket) TrustEveryone.context().getSocketFactory().createSocket(base.getHost(), base.getPort())) {
            socket.setReceiveBufferSize(64 * 1024);
            socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
            socket.getOutputStream()
                    .write(("GET " + base.getPath() + "/api/v1/namespaces/default/pods/web/log?follow=true&tailLines=1"
                                    + " HTTP/1.0\r\nHost: " + base.getAuthority() + "\r\nAuthorization: Bearer "
                                    + AttachedCluster.ROOT_TOKEN + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(lines.readLine()).contains(" 200 ");
            awaitBody(lines);
            assertThat(lines.readLine()).isEqualTo("begin");
            node.log(0, LOG_LINES);
            LockSupport.parkNanos(pause.toNanos());
            for (int i = 0; i < LOG_LINES; i++) {
                assertThat(lines.readLine()).startsWith("line " + i + " ");
            }
        }
    }

    private static void awaitBody(BufferedReader lines) throws IOException {
        while (!lines.readLine().isEmpty()) {
            // Header fields.
        }
    }

    private static Output run(Kubectl kubectl, Protocol protocol, String input, String... arguments) {
        return kubectl.run(input, protocol.environment, List.of(arguments));
    }

    private static Kubectl direct() {
        return new Kubectl(FOLDER.resolve("direct"), kube.kubeconfig());
    }

    private static Kubectl through() {
        return new Kubectl(FOLDER.resolve("through"), throughFairlead);
    }

    /** The cluster's address as its kubeconfig has it. */
    private static String server() {
        try {
            return first(SERVER, Files.readString(throughFairlead));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }

    private static Path tokens() {
        return FairleadUsers.tokenFile(
                FOLDER,
                List.of(new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters")));
    }

    private static Path subfolder(String name) throws IOException {
        return Files.createDirectories(FOLDER.resolve(name));
    }

    private static void close(AutoCloseable part) {
        try {
            if (part != null) {
                part.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
