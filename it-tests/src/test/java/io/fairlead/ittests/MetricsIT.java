package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.GoModule.Program;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is counted, judged by promtool and by a Prometheus; and the rules, alerts and the dashboard that read it. */
final class MetricsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Duration ALERT_TIMEOUT = Duration.ofMinutes(4);
    private static final Duration VANISHED_TIMEOUT = Duration.ofMinutes(1);
    private static final Path FOLDER = Checkout.scratch("MetricsIT");
    private static final String TOKEN = "token-of-root";
    private static final Path RULES = Checkout.root().resolve("config/prometheus");

    /** Names of our metrics in expressions; those of recording rules have colons. */
    private static final Pattern METRIC =
            Pattern.compile("(?<![\\w:])(?:apiserver|fairlead|jvm|process)_\\w+(?![\\w:])");

    private static final KubeCluster.User ROOT = new KubeCluster.User(TOKEN, "root", "0", "system:masters");

    /** Where nobody listens. */
    private static final String NOT_THERE = "127.0.0.1:1";

    private static final int METRICS_PORT = FreePorts.take(1).getFirst();

    private static Path promtool = FOLDER;
    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);
    private static HttpProbe probe = HttpProbe.withToken("https://localhost", TOKEN);

    @BeforeAll
    static void start() throws Exception {
        promtool = promtool();
        Path clusters = Files.createDirectories(FOLDER.resolve("clusters"));
        Files.writeString(clusters.resolve("broken.yaml"), "spec: [");
        fairlead = FairleadProcess.start(
                FOLDER,
                "--metrics-address",
                "127.0.0.1:" + METRICS_PORT,
                "--token-auth-file",
                FairleadUsers.tokenFile(FOLDER, List.of(ROOT)).toString(),
                "--clusters-dir",
                clusters.toString(),
                "--audit-policy-file",
                Files.writeString(
                                FOLDER.resolve("policy"),
                                "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: None}]}")
                        .toString(),
                "--audit-log-path",
                FOLDER.resolve("audit.log").toString(),
                "--tracing-endpoint",
                "http://" + NOT_THERE);
        probe = HttpProbe.withToken(fairlead.endpoint(), TOKEN);
        attachWhatIsDown();
    }

    /** The system's, which comes with its Prometheus; else one that is built, which takes minutes. */
    private static Path promtool() {
        return Checkout.onPath("promtool")
                .orElseGet(() -> new GoModule(
                                "promtool",
                                List.of(new Program(
                                        "promtool", "github.com/prometheus/prometheus/cmd/promtool", "-s -w")),
                                "remove_all_sd")
                        .built()
                        .resolve("promtool"));
    }

    private static void attachWhatIsDown() throws IOException {
        Path kubeconfig = Files.writeString(FOLDER.resolve("down.kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: down, cluster: {server: "https://%s"}}]
            users: [{name: down, user: {token: abc}}]
            contexts: [{name: down, context: {cluster: down, user: down}}]
            current-context: down
            """.formatted(NOT_THERE));
        Output attached =
                fairlead.command("cluster", "attach", "down", "--no-wait", "--from-kubeconfig", kubeconfig.toString());
        assertThat(attached.exitCode()).as("%s", attached).isZero();
    }

    @AfterAll
    static void stop() {
        probe.close();
        fairlead.close();
    }

    @Test
    void fiveHundredRequests_areCountedExactly() throws Exception {
        create("exact");
        String all = "/clusters/exact/api/v1/namespaces/default/configmaps";
        for (int i = 0; i < 100; i++) {
            expect(201, probe.send("POST", all, "application/json", configMap(i)));
            expect(200, probe.get(all + "/c" + i));
        }
        for (int i = 0; i < 50; i++) {
            expect(200, probe.get(all + "/c" + i));
            expect(404, probe.get(all + "/missing-" + i));
        }
        for (int i = 0; i < 60; i++) {
            expect(200, probe.get(all));
        }
        for (int i = 0; i < 80; i++) {
            expect(
                    200,
                    probe.send("PATCH", all + "/c" + i, "application/merge-patch+json", "{\"data\":{\"b\":\"2\"}}"));
        }
        for (int i = 0; i < 10; i++) {
            expect(409, probe.send("POST", all, "application/json", configMap(i)));
            expect(404, probe.get("/clusters/exact/apis/nobody-" + i + ".example.com/v1/things"));
        }
        for (int i = 0; i < 40; i++) {
            expect(200, probe.delete(all + "/c" + i));
        }

        Exposition counted = scrape();
        assertThat(requests(counted, "verb=create", "code=201")).isEqualTo(100);
        assertThat(requests(counted, "verb=create", "code=409")).isEqualTo(10);
        assertThat(requests(counted, "verb=get", "code=200")).isEqualTo(150);
        assertThat(requests(counted, "verb=get", "code=404", "scope=resource")).isEqualTo(50);
        assertThat(requests(counted, "verb=list", "code=200", "scope=namespace"))
                .isEqualTo(60);
        assertThat(requests(counted, "verb=patch", "code=200")).isEqualTo(80);
        assertThat(requests(counted, "verb=delete", "code=200")).isEqualTo(40);
        assertThat(counted.sum("apiserver_request_total", "cluster=exact", "resource=other", "code=404"))
                .isEqualTo(10);
        assertThat(counted.sum("apiserver_request_total", "cluster=exact")).isEqualTo(500);
        assertThat(counted.sum("apiserver_request_duration_seconds_count", "cluster=exact"))
                .isEqualTo(500);
        assertThat(counted.sum("apiserver_request_duration_seconds_bucket", "cluster=exact", "le=+Inf"))
                .isEqualTo(500);
        assertThat(counted.sum("apiserver_current_inflight_requests")).isZero();
        assertThat(counted.sum("apiserver_longrunning_requests", "cluster=exact"))
                .isZero();
    }

    @Test
    void watch_isCountedByItsEvents() throws Exception {
        create("watched");
        String secrets = "/clusters/watched/api/v1/namespaces/default/secrets";
        for (int i = 0; i < 7; i++) {
            expect(
                    201,
                    probe.send(
                            "POST",
                            secrets,
                            "application/json",
                            "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s" + i
                                    + "\",\"labels\":{\"a\":\"b\"}}}"));
        }

        String events = probe.get(secrets + "?watch=1&resourceVersion=0&timeoutSeconds=1&labelSelector=a%3Db")
                .body();

        assertThat(events.lines()).hasSize(7);
        Exposition counted = scrape();
        assertThat(counted.sum("apiserver_watch_events_total", "cluster=watched", "resource=secrets"))
                .isEqualTo(7);
        assertThat(counted.sum("apiserver_request_total", "cluster=watched", "verb=watch"))
                .isEqualTo(1);
        assertThat(counted.sum("apiserver_request_duration_seconds_count", "cluster=watched", "verb=watch"))
                .isZero();
    }

    @Test
    void removedCluster_leavesNoSeries() throws Exception {
        create("passing");
        expect(200, probe.get("/clusters/passing/api/v1/namespaces/default/secrets"));
        assertThat(scrape().sum("fairlead_cluster_ready", "cluster=passing")).isEqualTo(1);
        assertThat(text("")).contains("cluster=\"passing\"");

        assertThat(fairlead.command("cluster", "delete", "passing", "--purge").exitCode())
                .isZero();

        Await.until("the series are gone", VANISHED_TIMEOUT, () -> !text("").contains("cluster=\"passing\""));
    }

    @Test
    void promtool_findsNothingWrong() throws Exception {
        Output checked = promtool(text(""), "check", "metrics");

        assertThat(checked).isEqualTo(new Output(0, "", ""));
        assertThat(promtool("# TYPE a counter\na 1\n", "check", "metrics").exitCode())
                .as("promtool finds something where there is something")
                .isNotZero();
    }

    @Test
    void openMetrics_areForThoseThatAcceptThem() throws Exception {
        assertThat(text("application/openmetrics-text; version=1.0.0")).endsWith("# EOF\n");
        assertThat(text("text/plain")).doesNotContain("# EOF");
        assertThat(probe.get("/metrics").body()).as("on the secure port too").contains("apiserver_request_total");
    }

    @Test
    void rulesAndAlerts_sayWhatTheirTestsExpect() throws Exception {
        assertThat(promtool(
                                "",
                                "check",
                                "config",
                                RULES.resolve("prometheus.yml").toString())
                        .exitCode())
                .isZero();
        Path tests = RULES.resolve("tests/alerts_test.yml");
        Output tested = promtool("", "test", "rules", tests.toString());
        assertThat(tested.exitCode()).as("%s", tested).isZero();

        Path broken = FOLDER.resolve("broken_test.yml");
        Files.writeString(
                broken,
                Files.readString(tests)
                        .replace("../", RULES + "/")
                        .replace("Cluster prod is not Ready.", "Cluster prod is well."));
        assertThat(promtool("", "test", "rules", broken.toString()).exitCode())
                .as("a wrong expectation is noticed")
                .isNotZero();
    }

    @Test
    void everyMetricThatIsRead_exists() throws Exception {
        fairlead.attach("prod", SharedKube.get().kubeconfig());
        expect(200, probe.get("/clusters/prod/api/v1/namespaces"));
        String watch = "/clusters/prod/api/v1/namespaces?watch=1&resourceVersion=0&timeoutSeconds=1";
        long namespaces = probe.get(watch).body().lines().count();
        Await.until(
                "the cluster that is down was tried",
                TIMEOUT,
                () -> scrape().sum("fairlead_upstream_connections_failed_total") > 0);

        Exposition counted = scrape();
        Set<String> read = new TreeSet<>();
        for (Path file : List.of(
                RULES.resolve("rules.yml"),
                RULES.resolve("alerts.yml"),
                Checkout.root().resolve("config/grafana/fairlead.json"))) {
            METRIC.matcher(Files.readString(file))
                    .results()
                    .map(MatchResult::group)
                    .forEach(read::add);
        }

        assertThat(read).hasSizeGreaterThan(15).isSubsetOf(counted.names());
        assertThat(namespaces).isPositive();
        assertThat(counted.sum("apiserver_watch_events_total", "cluster=prod", "resource=namespaces"))
                .as("events that pass through are counted too")
                .isEqualTo((double) namespaces);
    }

    @Test
    void prometheus_scrapesAndItsAlertsSayWhatTheyShould() throws Exception {
        scrapeUntilAlertsAre("pending");
    }

    /** Alerts fire after a minute at the earliest. */
    @Test
    @Tag("endurance")
    void prometheus_scrapesForAMinute_andItsAlertsFire() throws Exception {
        scrapeUntilAlertsAre("firing");
    }

    /** With a broken file, a cluster that is down, and a second Fairlead that is not there. */
    private static void scrapeUntilAlertsAre(String state) throws Exception {
        int port = FreePorts.take(1).getFirst();
        Path config = prometheusConfig();
        List<String> command = List.of(
                prometheus().toString(),
                "--config.file=" + config.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + config.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port);
        try (OwnedProcess prometheus = OwnedProcess.start("prometheus", config, Map.of(), command)) {
            Await.until(
                    "it scrapes; " + prometheus.tail(),
                    TIMEOUT,
                    () -> query(port, "up{job=\"fairlead\"} == 1").contains("\"value\""));
            Await.until(
                    "requests are counted per second, and those that fail apart",
                    TIMEOUT,
                    () -> probe.get("/clusters/root/api").status() == 200
                            && probe.get("/clusters/down/api").status() == 503
                            && query(port, "cluster:apiserver_request:rate5m{cluster=\"root\"}")
                                    .contains("\"value\"")
                            && returned(port, "FairleadClusterErrors", "cluster")
                                    .equals(Set.of("down")));
            for (String alert : List.of("FairleadDown", "FairleadClustersDirFileNotApplied")) {
                Await.until(
                        alert + " is " + state,
                        ALERT_TIMEOUT,
                        () -> probe.get("/clusters/down/api").status() == 503
                                && query(port, "ALERTS{alertname=\"" + alert + "\",alertstate=\"" + state + "\"}")
                                        .contains("\"value\""));
            }
            assertThat(returned(port, "FairleadDown", "instance")).containsExactly(NOT_THERE);
            assertThat(returned(port, "FairleadClusterNotReady", "cluster")).containsExactly("down");
            assertThat(returned(port, "FairleadClusterErrors", "cluster")).containsExactly("down");
            assertThat(returned(port, "FairleadClustersDirFileNotApplied", "instance"))
                    .containsExactly("127.0.0.1:" + METRICS_PORT);
            assertThat(returned(port, "FairleadIndexMismatch", "instance")).isEmpty();
            assertThat(returned(port, "FairleadConnectionsRefused", "instance")).isEmpty();
        }
    }

    /** What is shipped, but for the addresses and the interval. */
    private static Path prometheusConfig() throws IOException {
        Path config = Files.createDirectories(FOLDER.resolve("prometheus"));
        for (String rules : List.of("rules.yml", "alerts.yml")) {
            Files.copy(RULES.resolve(rules), config.resolve(rules));
        }
        Files.writeString(
                config.resolve("prometheus.yml"),
                Files.readString(RULES.resolve("prometheus.yml"))
                        .replace("\"127.0.0.1:9464\"", "\"127.0.0.1:" + METRICS_PORT + "\", \"" + NOT_THERE + "\"")
                        .replace("15s", "1s"));
        return config;
    }

    /** The values that a label has in what an alert's expression returns now. */
    private static Set<String> returned(int port, String alert, String label) throws Exception {
        String alerts = Files.readString(RULES.resolve("alerts.yml"));
        String expression = first("alert: " + alert + "\\s+expr: (.+)", alerts);
        String answer = query(port, expression);
        assertThat(answer).startsWith("{\"status\":\"success\"");
        return Pattern.compile("\"" + label + "\":\"([^\"]*)\"")
                .matcher(answer)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static String first(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError(pattern + " is not in: " + text))
                .group(1);
    }

    private static Path prometheus() {
        List<Path> found = Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, "prometheus"))
                .filter(Files::isExecutable)
                .toList();
        Assumptions.assumeFalse(found.isEmpty(), "no prometheus is on the path (Debian's package prometheus has one)");
        return found.getFirst();
    }

    private static String query(int port, String expression) throws IOException, InterruptedException {
        String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        return get("http://127.0.0.1:" + port + "/api/v1/query?query=" + encoded, "application/json");
    }

    private static double requests(Exposition counted, String... labels) {
        List<String> all = new ArrayList<>(List.of(labels));
        all.addAll(List.of("cluster=exact", "group=", "version=v1", "resource=configmaps", "subresource="));
        return counted.sum("apiserver_request_total", all.toArray(String[]::new));
    }

    private static void create(String cluster) {
        Output created = fairlead.command("cluster", "create", cluster);
        assertThat(created.exitCode()).as("%s", created).isZero();
    }

    private static void expect(int status, HttpProbe.Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    }

    private static String configMap(int number) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c" + number
                + "\"},\"data\":{\"a\":\"1\"}}";
    }

    private static Exposition scrape() throws IOException, InterruptedException {
        return new Exposition(text(""));
    }

    private static String text(String accept) throws IOException, InterruptedException {
        return get("http://127.0.0.1:" + METRICS_PORT + "/metrics", accept);
    }

    private static String get(String uri, String accept) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(uri)).timeout(TIMEOUT);
            if (!accept.isEmpty()) {
                request.header("Accept", accept);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static Output promtool(String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of(promtool.toString()));
        command.addAll(List.of(arguments));
        return Output.of(FOLDER, Map.of(), input, TIMEOUT, command);
    }
}
