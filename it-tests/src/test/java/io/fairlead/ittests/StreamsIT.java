package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What people do with pods all day, through Fairlead, over both protocols that kubectl speaks, by path, host and header. */
final class StreamsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration MANY_TIMEOUT = Duration.ofMinutes(5);
    private static final int STREAMS_AT_ONCE = 200;
    private static final int STARTS_AT_ONCE = 10;
    private static final int LOG_LINES = 20_000;
    private static final Pattern FORWARDING = Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern SERVER = Pattern.compile("server: (https://\\S+)");
    private static final Path FOLDER = Checkout.scratch("StreamsIT");

    private static final Map<String, String> SPDY =
            Map.of("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false", "KUBECTL_PORT_FORWARD_WEBSOCKETS", "false");

    private static KubeCluster kube;
    private static SimulatedNode node;
    private static FairleadProcess fairlead;
    private static HttpServer workload;
    private static HostsProxy hosts;
    private static Path byPath;
    private static Path byHost;
    private static HeaderTunnel tunnel;
    private static Path byHeader;

    /** How kubectl streams, and how it chooses the cluster. */
    @SuppressWarnings("ImmutableEnumChecker") // the maps are
    enum Way {
        WEBSOCKET_BY_PATH("path", Map.of()),
        SPDY_BY_PATH("path", SPDY),
        WEBSOCKET_BY_HOST("host", Map.of()),
        SPDY_BY_HOST("host", SPDY),
        WEBSOCKET_BY_HEADER("header", Map.of()),
        SPDY_BY_HEADER("header", SPDY);

        private final String form;
        private final Map<String, String> environment;

        Way(String form, Map<String, String> environment) {
            this.form = form;
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
        fairlead = FairleadProcess.start(
                subfolder("fairlead"), "--token-auth-file", tokens().toString(), "--base-domain", "fleet.test");
        fairlead.attach("prod", kube.kubeconfig());
        byPath = fairlead.kubeconfigOf("prod");
        byHost = fairlead.kubeconfigOf("prod", "host");
        tunnel = HeaderTunnel.start(
                fairlead.endpoint(),
                Map.of("X-Kubernetes-Cluster", "prod", "Authorization", "Bearer " + AttachedCluster.ROOT_TOKEN));
        byHeader = tunnel.kubeconfig(FOLDER.resolve("by-header.kubeconfig"));
        hosts = HostsProxy.start();
        new Kubectl(FOLDER.resolve("through"), byHost).succeed("config", "set", "clusters.prod.proxy-url", hosts.url());
    }

    @AfterAll
    static void stop() {
        close(hosts);
        close(tunnel);
        close(fairlead);
        close(node);
        close(kube);
        if (workload != null) {
            workload.stop(0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void exec_hasInputOutputErrorsAndExitCodeAsDirectly(Way way) {
        String[] failing = {"exec", "web", "--", "sh", "-c", "echo out; echo err >&2; exit 7"};
        Output direct = run(direct(), way, "", failing);
        assertThat(run(through(way), way, "", failing)).isEqualTo(direct);
        assertThat(direct.output()).isEqualTo("out\n");
        assertThat(direct.errors()).contains("err\n");

        Output answered = run(
                through(way), way, "a line\n", "-v=6", "exec", "-i", "web", "--", "sh", "-c", "read x; echo got $x");
        assertThat(answered.output()).as("%s", answered).isEqualTo("got a line\n");
        assertThat(answered.errors().contains("Subprotocol negotiated")).isEqualTo(way.environment.isEmpty());
    }

    @ParameterizedTest
    @EnumSource(names = {"WEBSOCKET_BY_PATH", "SPDY_BY_HOST", "WEBSOCKET_BY_HEADER"})
    void exec_thatIsForbidden_saysSo(Way way) {
        Output refused = run(through(way), way, "", "exec", "nowhere", "--", "true");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors()).contains("pods \"nowhere\" not found");
    }

    @ParameterizedTest
    @EnumSource(names = {"WEBSOCKET_BY_HOST", "SPDY_BY_PATH", "SPDY_BY_HEADER"})
    void attachAndLogs_showWhatThePodSays(Way way) {
        try (var attached = through(way).start("attach-" + way, way.environment, "attach", "web");
                var followed = through(way).start("logs-" + way, way.environment, "logs", "-f", "--tail=1", "web")) {
            String line = "seen by " + way;
            Await.until(line, TIMEOUT, () -> {
                node.log(line);
                return attached.output().contains(line) && followed.output().contains(line);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WEBSOCKET_BY_PATH", "SPDY_BY_HOST", "WEBSOCKET_BY_HEADER"})
    void portForward_carriesManyConnections(Way way) throws Exception {
        try (var forwarding = through(way).start("forward-" + way, way.environment, "port-forward", "pod/web", ":80");
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
    @EnumSource(names = {"WEBSOCKET_BY_HOST", "SPDY_BY_PATH", "SPDY_BY_HEADER"})
    void cp_bringsFilesThereAndBackUnchanged(Way way) throws IOException {
        byte[] content = new byte[3_000_000];
        new Random(42).nextBytes(content);
        Path mine = Files.write(FOLDER.resolve("mine-" + way), content);
        Path theirs = node.folder().resolve("theirs-" + way);
        Path back = FOLDER.resolve("back-" + way);

        Output up = run(through(way), way, "", "cp", mine.toString(), "web:" + theirs);
        Output down = run(through(way), way, "", "cp", "web:" + theirs, back.toString());

        assertThat(up.exitCode()).as("%s", up).isZero();
        assertThat(down.exitCode()).as("%s", down).isZero();
        assertThat(theirs).hasBinaryContent(content);
        assertThat(back).hasBinaryContent(content);
    }

    /** The ways that the tests of single commands leave out. */
    @ParameterizedTest
    @EnumSource
    @Tag("endurance")
    void everyCommand_worksEveryWay(Way way) throws Exception {
        exec_hasInputOutputErrorsAndExitCodeAsDirectly(way);
        exec_thatIsForbidden_saysSo(way);
        attachAndLogs_showWhatThePodSays(way);
        portForward_carriesManyConnections(way);
        cp_bringsFilesThereAndBackUnchanged(way);
        if (way.form.equals("host")) {
            assertThat(hosts.asked()).isNotEmpty().allMatch(target -> target.startsWith("prod.fleet.test:"));
        }
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

    /** By path and by host in turns. */
    @Test
    void manyStreamsAtOnce_areEachTheirOwn() throws Exception {
        List<ExecSocket> open = new ArrayList<>();
        HttpClient.Builder settings = HttpClient.newBuilder().sslContext(TrustEveryone.context());
        try (var onPath = settings.build();
                var onHost = settings.proxy(hosts.selector()).build()) {
            for (int i = 0; i < STREAMS_AT_ONCE; i++) {
                open.add(ExecSocket.open(
                        i % 2 == 0 ? onPath : onHost,
                        server(i % 2 == 0 ? byPath : byHost),
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

    /** Each command says that it runs and ends when it is told to: all are there at once. */
    @Test
    @Tag("endurance")
    void manyKubectlsAtOnce_workEveryWay() throws Exception {
        List<OwnedProcess> running = new ArrayList<>();
        try {
            while (running.size() < STREAMS_AT_ONCE) {
                startKubectls(running);
            }
            assertThat(running).allMatch(OwnedProcess::isAlive);
            Files.createFile(node.folder().resolve("go"));
            for (int i = 0; i < STREAMS_AT_ONCE; i++) {
                OwnedProcess kubectl = running.get(i);
                assertThat(kubectl.awaitEnd(MANY_TIMEOUT)).as(kubectl.tail()).isZero();
                assertThat(kubectl.output()).isEqualTo("number " + i + "\n");
            }
        } finally {
            running.forEach(OwnedProcess::close);
        }
    }

    /** Some at a time: hundreds of programs that start keep each other from answering in time, whatever they talk to. */
    private static void startKubectls(List<OwnedProcess> running) {
        int first = running.size();
        for (int i = first; i < first + STARTS_AT_ONCE; i++) {
            Way way = Way.values()[i % Way.values().length];
            String script = "touch here-" + i + "; while [ ! -e go ]; do sleep 1; done; echo number " + i;
            running.add(through(way).start("many-" + i, way.environment, "exec", "web", "--", "sh", "-c", script));
        }
        for (int i = first; i < running.size(); i++) {
            OwnedProcess kubectl = running.get(i);
            Path here = node.folder().resolve("here-" + i);
            Await.until(here.toString(), MANY_TIMEOUT, () -> Files.exists(here) || !kubectl.isAlive());
            assertThat(here).as(kubectl.tail()).exists();
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
    private static void readLogsWithAPauseOf(Duration pause) throws Exception {
        // The API server sends no head before there is something to send.
        node.log("begin");
        try (LogReader plain = LogReader.overHttp1(URI.create(server()), AttachedCluster.ROOT_TOKEN);
                LogReader onPath = LogReader.withKubectl("kubectl by path", through(Way.WEBSOCKET_BY_PATH));
                LogReader onHost = LogReader.withKubectl("kubectl by host", through(Way.WEBSOCKET_BY_HOST))) {
            List<LogReader> readers = List.of(plain, onPath, onHost);
            for (LogReader reader : readers) {
                assertThat(reader.next(1)).containsExactly("begin");
            }
            int written = logDuring(pause);
            for (LogReader reader : readers) {
                List<String> lines = reader.next(written);
                for (int i = 0; i < written; i++) {
                    assertThat(lines.get(i)).startsWith("line " + i + " ");
                }
            }
        }
    }

    /** Much at once, then a line a second; returns how many lines there are. */
    private static int logDuring(Duration pause) {
        node.log(0, LOG_LINES);
        int written = LOG_LINES;
        for (long end = System.nanoTime() + pause.toNanos(); System.nanoTime() < end; written++) {
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            node.log(written, 1);
        }
        return written;
    }

    private static Output run(Kubectl kubectl, Way way, String input, String... arguments) {
        return kubectl.run(input, way.environment, List.of(arguments));
    }

    private static Kubectl direct() {
        return new Kubectl(FOLDER.resolve("direct"), kube.kubeconfig());
    }

    private static Kubectl through(Way way) {
        return new Kubectl(
                FOLDER.resolve("through"),
                switch (way.form) {
                    case "host" -> byHost;
                    case "header" -> byHeader;
                    default -> byPath;
                });
    }

    private static String server() {
        return server(byPath);
    }

    /** The cluster's address as a kubeconfig has it. */
    private static String server(Path kubeconfig) {
        try {
            return first(SERVER, Files.readString(kubeconfig));
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
