package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.WholeGateway.MASTER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.MarkedCallers.Presented;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.tracing.Collector;
import io.fairlead.schema.json.Json;
import io.fairlead.testkit.WholeLog;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Requests with marked credentials along every path of a whole gateway, and all that it answers. */
final class MarkedTraffic implements AutoCloseable {
    /** All bodies, but those of new registrations: what their writers put there for others to read is recorded as it is. */
    private static final String POLICY = """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        rules:
        - {level: Metadata, verbs: [create], resources: [{group: fairlead.io, resources: [clusters]}]}
        - {level: RequestResponse}
        """;

    private static final String RULES = "/apis/authentication.k8s.io/v1/";
    private static final String ROBOTS = "/clusters/dev/api/v1/namespaces/default/serviceaccounts";
    static final String MAPS = "/clusters/dev/api/v1/namespaces/default/configmaps";
    private static final String WEBSOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

    /** With these the slow ones are called. */
    private static final Set<String> SLOWLY = Set.of("static token", "query", "cookie", "accepted JWT");

    private final MarkedSecrets secrets;
    private final WrittenOutput written = new WrittenOutput();
    private final MarkedIssuer issuer;
    private final Collector collector = new Collector();
    private final String jane;
    private final WholeGateway near;
    private final WholeGateway far;
    private final MarkedClusters clusters;
    private final TestPki frontProxies = new TestPki();
    private final Map<Presented, RawClient> connections = new ConcurrentHashMap<>();

    MarkedTraffic(Path folder, MarkedSecrets secrets) throws Exception {
        this.secrets = secrets;
        TestPki pki = new TestPki();
        issuer = new MarkedIssuer(pki, secrets);
        jane = secrets.make("static token");
        String ofFar = secrets.make("token for a cluster by HTTP/2");
        far = new WholeGateway(
                pki,
                Files.createDirectory(folder.resolve("far")),
                ofFar + ",fairlead,2,\"system:masters\"\n",
                Map.of());
        Path own = Files.createDirectory(folder.resolve("near"));
        near = new WholeGateway(
                pki,
                own,
                jane + ",jane,2,\"dev\"\n",
                Map.of(
                        "authenticationConfig",
                        Files.writeString(folder.resolve("authentication"), issuer.configuration()),
                        "requestheader.clientCaFile",
                        Files.writeString(folder.resolve("front-proxy-ca"), frontProxies.caPem()),
                        "auditPolicyFile",
                        Files.writeString(folder.resolve("policy"), POLICY),
                        "auditLogPath",
                        folder.resolve("audit.log"),
                        "clustersDir",
                        Files.createDirectory(folder.resolve("clusters")),
                        "tracing.endpoint",
                        collector.url(),
                        "tracing.samplingRatePerMillion",
                        "1000000",
                        "upstream.firstByteTimeout",
                        "500ms",
                        "limits.failedAuthenticationsPerSecondMax",
                        "100000",
                        "logRefusedPerSecondMax",
                        "100000"));
        clusters = new MarkedClusters(near, far, secrets, ofFar, folder.resolve("clusters"), written);
    }

    void registerClusters() throws Exception {
        clusters.register();
        near.create("/clusters/dev/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"boats.marked.test"},
            "spec":{"group":"marked.test","scope":"Cluster","names":{"plural":"boats","kind":"Boat"},"versions":[{"name":"v1",
            "served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """);
        Await.until(() -> isServed("/clusters/dev/apis/marked.test/v1/boats"));
        for (String cluster : List.of("dev", "prod", "far")) {
            near.admit("jane", cluster);
        }
        near.bind("jane", "dev", "cluster-admin");
    }

    private boolean isServed(String target) {
        try {
            return near.get(target).status() == 200;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every credential on every path, over both protocols; all credentials at once, since those that are not known wait for their refusal. */
    void callEveryPath() throws Exception {
        List<Callable<Void>> callers = new ArrayList<>();
        for (Presented one : MarkedCallers.all(secrets, jane, near.pki, frontProxies, issuer)) {
            callers.add(() -> {
                callEveryPathWith(one);
                return null;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> caller : threads.invokeAll(callers)) {
                caller.get();
            }
        }
    }

    private void callEveryPathWith(Presented one) throws Exception {
        for (String target : targets(one)) {
            String more = one.name().contains("query") ? one.lines().getLast() : "";
            String whole = target + (more.isEmpty() ? "" : (target.contains("?") ? "&" : "?") + more);
            List<String> lines = more.isEmpty() ? one.lines() : one.lines().subList(0, 1);
            call(one, "GET", whole, "", lines);
        }
        if (one.certificate() == null && !one.name().contains("query")) {
            overHttp2(one);
        }
        call(one, "POST", MAPS, "{\"kind\":\"ConfigMap\",", one.lines());
        call(one, "PUT", MAPS + "/none", "{\"apiVersion\":\"v1\",\"kind\":\"Other\"}", one.lines());
        call(one, "POST", "/clusters/prod/api/v1/pods", "{\"a\":1}", one.lines());
        for (String cluster : List.of("dev", "prod", "far")) {
            List<String> upgrade = new ArrayList<>(one.lines());
            upgrade.add(WEBSOCKET);
            call(
                    one,
                    "GET",
                    "/clusters/" + cluster + "/api/v1/namespaces/default/pods/web/exec?command=sh",
                    "",
                    upgrade);
            if (SLOWLY.contains(one.name())) {
                call(one, "GET", "/clusters/" + cluster + "/api/v1/pods?watch=1&timeoutSeconds=1", "", upgrade);
            }
        }
    }

    private static List<String> targets(Presented one) {
        return SLOWLY.contains(one.name())
                ? Stream.concat(MarkedPaths.QUICK.stream(), MarkedPaths.SLOW.stream())
                        .toList()
                : MarkedPaths.QUICK;
    }

    /** On the connection of the calls before with the same credential, if that is open. */
    private void call(Presented one, String method, String target, String body, List<String> lines) throws IOException {
        String where = "answer to " + one.name() + " " + method + " " + target.replaceAll("token=.*", "");
        try {
            RawAnswer answer =
                    WholeGateway.exchange(connection(one), method, target, body, lines.toArray(String[]::new));
            written.add(where, answer.status() + " " + answer.fields() + " " + answer.body());
            if (answer.status() == 101
                    || !answer.complete()
                    || answer.header("connection").equals("close")) {
                leave(one);
            }
        } catch (IOException closed) {
            written.add(where, String.valueOf(closed.getMessage()));
            leave(one);
        }
    }

    private RawClient connection(Presented one) throws IOException {
        RawClient present = connections.get(one);
        if (present == null) {
            present = one.certificate() == null ? near.client() : near.client(one.certificate(), null);
            connections.put(one, present);
        }
        return present;
    }

    private void leave(Presented one) throws IOException {
        RawClient present = connections.remove(one);
        if (present != null) {
            present.close();
        }
    }

    private void overHttp2(Presented one) throws Exception {
        RawHttp2Client client = near.http2();
        try {
            for (String target : targets(one)) {
                Http2Headers head = RawHttp2Client.head("GET", target);
                one.lines()
                        .forEach(line -> head.add(
                                line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT),
                                line.substring(line.indexOf(':') + 2)));
                var stream = client.open(head, true);
                String frame;
                do {
                    frame = stream.next();
                    written.add("answer over HTTP/2 to " + one.name() + " " + target, frame);
                } while (frame.startsWith("head") || frame.startsWith("data"));
                if (frame.equals("closed")) {
                    client.close();
                    client = near.http2();
                }
            }
        } finally {
            client.close();
        }
    }

    /** Tokens that a hosted cluster issues and judges, and those that an attached one is asked about. */
    void useTokensOfClusters() throws Exception {
        near.create(ROBOTS, "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"robot\"}}");
        String issued = Json.read(near.create(ROBOTS + "/robot/token", """
            {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}
            """).body())
                .at("/status/token")
                .asString();
        assertThat(issued).isNotEmpty();
        secrets.add("signature of an issued token", issued.substring(issued.lastIndexOf('.') + 1));
        Presented robot = new Presented("issued token", "Authorization: Bearer " + issued);
        for (String target : MarkedPaths.QUICK) {
            call(robot, "GET", target, "", robot.lines());
        }
        for (String token : List.of(issued, secrets.make("token in a review"))) {
            // Kubernetes repeats it to the caller who sent it.
            near.create(
                    "/clusters/dev" + RULES + "tokenreviews",
                    "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenReview\",\"spec\":{\"token\":\""
                            + token + "\"}}");
        }
        Presented admin = new Presented("the administrator", MASTER);
        String broken = secrets.make("token in a review that is malformed");
        call(
                admin,
                "POST",
                "/clusters/dev" + RULES + "tokenreviews",
                "{\"kind\":\"TokenReview\",\"spec\":{\"token\":\"" + broken,
                admin.lines());
        call(
                admin,
                "POST",
                "/clusters/dev" + RULES + "tokenreviews",
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenReview\",\"spec\":{\"token\":[\"" + broken
                        + "\"]}}",
                admin.lines());
        sendMalformedSecrets(admin);
        near.send("DELETE", ROBOTS + "/robot", "", MASTER);
        for (String target : MarkedPaths.QUICK) {
            call(robot, "GET", target, "", robot.lines());
        }
        askReviewers();
    }

    private void sendMalformedSecrets(Presented admin) throws IOException {
        String value = Base64.getEncoder()
                .encodeToString(secrets.make("value of a Secret").getBytes(UTF_8));
        for (String data : List.of(
                "\"data\":{\"a\":\"" + value + "!\"}",
                "\"data\":{\"a b\":\"" + value + "\"}",
                "\"data\":{\"a\":[\"" + value + "\"]}",
                "\"data\":\"" + value + "\"",
                "\"data\":{\"a\":\"" + value)) {
            for (String content : List.of("application/json", "application/yaml")) {
                List<String> lines = List.of(MASTER, "X-Content: " + content);
                call(
                        admin,
                        "POST",
                        "/clusters/dev/api/v1/namespaces/default/secrets",
                        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"}," + data + "}",
                        lines);
            }
        }
    }

    private void askReviewers() throws IOException {
        for (MarkedClusters.Review review : MarkedClusters.Review.values()) {
            clusters.answerReviews(review);
            Presented asked = new Presented(
                    "token under review, " + review,
                    "Authorization: Bearer " + secrets.make("token under review " + review));
            call(asked, "GET", "/clusters/prod/api/v1/pods", "", asked.lines());
            Presented acting = new Presented(
                    "impersonation, " + review,
                    "Authorization: Bearer " + jane,
                    "Impersonate-User: ann-" + review.name().toLowerCase(Locale.ROOT));
            call(acting, "GET", "/clusters/prod/api/v1/pods", "", acting.lines());
        }
    }

    /** Requests that are refused before they are read, and beyond limits. */
    void breakFraming() throws Exception {
        String token = secrets.make("token in a malformed request");
        for (String request : MalformedRequests.with(token, jane)) {
            try (RawClient client = near.client()) {
                client.send(request);
                client.end();
                written.add("answer to a malformed request", client.rest());
            } catch (IOException closed) {
                written.add("answer to a malformed request", String.valueOf(closed.getMessage()));
            }
        }
    }

    /** Servers that repeat Fairlead's own credential wherever they can. */
    void letServersMisbehave() throws Exception {
        clusters.misbehave();
    }

    /** Everything that was written, and can be read by others than the caller. */
    WrittenOutput collect(WholeLog log) throws Exception {
        for (String target : List.of(
                "/metrics",
                "/readyz?verbose",
                "/fairlead/v1/clusters",
                "/fairlead/v1/conflicts",
                "/fairlead/v1/usage",
                "/fairlead/v1/clusters/dev/export",
                "/fairlead/v1/clusters/prod/transitions",
                WholeGateway.CLUSTERS,
                "/api/v1/events",
                "/clusters/dev/api/v1/events",
                "/clusters/dev/api/v1/namespaces/default/configmaps")) {
            written.add(
                    "answer to the administrator " + target, near.get(target).body());
        }
        clusters.names().forEach(name -> written.add("status of " + name, near.conditions(name)));
        far.close();
        near.close();
        collector.bodies().forEach(body -> written.add("traces", body));
        written.add("audit", Files.readString(near.folder.resolveSibling("audit.log")));
        log.texts().forEach(line -> written.add("log", line));
        return written;
    }

    @Override
    public void close() throws IOException {
        for (Presented one : connections.keySet()) {
            leave(one);
        }
        near.close();
        far.close();
        issuer.close();
        collector.close();
    }
}
