package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.WholeGateway.MASTER;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.schema.json.Json;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Registrations whose credentials are marked: good ones, malformed ones, and some of servers that repeat what they are sent. */
final class MarkedClusters {
    /** How a cluster answers when it is asked about a token, or a right: each answer repeats all that it was sent. */
    enum Review {
        /** It is not known. */
        REFUSED,
        /** Its status says so, and repeats. */
        FORBIDDEN,
        /** It fails. */
        BROKEN,
        /** It sends no JSON. */
        MALFORMED,
        /** It leads elsewhere. */
        REDIRECTED
    }

    /** The number of requests after which a server has shown what it can. */
    private static final int REQUESTS_ENOUGH = 3;

    private final WholeGateway near;
    private final WholeGateway far;
    private final MarkedSecrets secrets;
    private final String tokenOfFar;
    private final Path folder;
    private final WrittenOutput written;
    private final String tokenOfProd;
    private final PlayedApiServer prod = new PlayedApiServer("uid-of-prod");
    private final List<String> names = new ArrayList<>();
    private volatile Review review = Review.REFUSED;

    MarkedClusters(
            WholeGateway near,
            WholeGateway far,
            MarkedSecrets secrets,
            String tokenOfFar,
            Path folder,
            WrittenOutput written) {
        this.near = near;
        this.far = far;
        this.secrets = secrets;
        this.tokenOfFar = tokenOfFar;
        this.folder = folder;
        this.written = written;
        tokenOfProd = secrets.make("token for a cluster by HTTP/1.1");
    }

    List<String> names() {
        return names;
    }

    void answerReviews(Review newReview) {
        review = newReview;
    }

    void register() throws Exception {
        near.host("dev");
        prod.answerOthers(this::answer);
        near.attach("prod", near.server(prod), tokenOfProd, ",\"tokenReview\":true");
        far.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{
            "name":"apiservices.apiregistration.k8s.io","annotations":{"api-approved.kubernetes.io":"unapproved, for a test"}},
            "spec":{"group":"apiregistration.k8s.io","scope":"Cluster","names":{"plural":"apiservices","kind":"APIService"},
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """);
        near.secret("far", Map.of("token", tokenOfFar));
        near.create(
                WholeGateway.CLUSTERS,
                WholeGateway.cluster("far", near.attached(URI.create(far.gateway.endpoint()), "far", "")));
        near.awaitReady("prod");
        near.awaitReady("far");
        names.addAll(List.of("prod", "far", "dev"));
        byCertificateAndKubeconfig();
        malformed();
        files();
    }

    private void byCertificateAndKubeconfig() throws Exception {
        PlayedApiServer keyed = new PlayedApiServer("uid-of-keyed");
        RawUpstream server = near.server(keyed);
        X509Bundle client = near.pki.client("CN=fairlead");
        secrets.add("key for a cluster", client.getKeyPair().getPrivate());
        near.secret("keyed", Map.of("tls.crt", client.getCertificatePathPEM(), "tls.key", client.getPrivateKeyPEM()));
        near.create(WholeGateway.CLUSTERS, WholeGateway.cluster("keyed", near.attached(server.url(), "keyed", "")));
        near.awaitReady("keyed");
        PlayedApiServer other = new PlayedApiServer("uid-of-kube");
        near.secret(
                "kube",
                Map.of(
                        "kubeconfig",
                        kubeconfig(
                                near.server(other).url().toString(),
                                "token: " + secrets.make("token in a kubeconfig"))));
        near.create(
                WholeGateway.CLUSTERS,
                WholeGateway.cluster("kube", "\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"kube\"}}"));
        near.awaitReady("kube");
        names.addAll(List.of("keyed", "kube"));
    }

    private String kubeconfig(String server, String user) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
            users: [{name: u, user: {%s}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """.formatted(
                server, Base64.getEncoder().encodeToString(near.pki.caPem().getBytes(UTF_8)), user);
    }

    /** Each once refused as it is registered, and once found unusable later, when its Secret comes. */
    private void malformed() throws Exception {
        String token = secrets.make("token in a malformed Secret");
        String half = token.substring(0, 12);
        String key = "-----BEGIN PRIVATE KEY-----\n" + secrets.make("malformed key") + "\n-----END PRIVATE KEY-----\n";
        List<Map<String, String>> fields = List.of(
                Map.of("token", token + "\n" + token),
                Map.of("token", token + " " + token),
                Map.of("token", token + "\u00e9"),
                Map.of("tls.crt", near.pki.client("CN=x").getCertificatePathPEM(), "tls.key", key),
                Map.of("tls.crt", near.pki.client("CN=x").getCertificatePathPEM(), "tls.key", token),
                Map.of("tls.crt", token, "tls.key", key),
                Map.of("password", token));
        for (Map<String, String> each : fields) {
            unusable(each, name -> near.attached(URI.create("https://127.0.0.1:1"), name, ""));
        }
        String server = "https://127.0.0.1:1";
        for (String kubeconfig : List.of(
                kubeconfig(server, "token: " + half + "\n" + token + ": ["),
                kubeconfig(server, "token: [" + token + "]"),
                kubeconfig(server, "token: \"" + token + "\\n" + token + "\""),
                kubeconfig(server, "username: jane, password: " + token),
                kubeconfig(server, "exec: {command: sh, env: [{name: T, value: " + token + "}]}"),
                kubeconfig(server, "auth-provider: {name: oidc, config: {refresh-token: " + token + "}}"),
                kubeconfig(server, "client-key-data: " + token),
                kubeconfig(server, "client-certificate-data: " + token + ", client-key-data: " + token),
                kubeconfig("https://jane:" + token + "@127.0.0.1:1", "token: x"),
                kubeconfig("https://127.0.0.1:1/?token=" + token, "token: x"),
                token,
                "{\"token\": \"" + token)) {
            unusable(
                    Map.of("kubeconfig", kubeconfig),
                    name -> "\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"" + name + "\"}}");
        }
        near.secret("whole", Map.of("token", token));
        for (String spec : List.of(
                near.attached(URI.create("https://jane:" + token + "@127.0.0.1:1"), "whole", ""),
                near.attached(
                        URI.create("https://127.0.0.1:1"),
                        "whole",
                        ",\"proxyUrl\":\"http://jane:" + token + "@127.0.0.1:1\""))) {
            register("refused", spec);
        }
    }

    /** What a registration says, by the name of its Secret. */
    private interface Spec {
        String of(String secret);
    }

    private void unusable(Map<String, String> values, Spec spec) throws Exception {
        String name = "bad-" + names.size();
        register(name, spec.of(name)); // Its Secret does not exist yet.
        near.secret(name, values);
        Await.until(() -> !near.conditions(name).contains("does not exist"));
        written.add("status of " + name, near.conditions(name));
        register(name + "-again", spec.of(name));
        names.add(name);
    }

    private void register(String name, String spec) throws IOException {
        RawAnswer answer = near.send("POST", WholeGateway.CLUSTERS, WholeGateway.cluster(name, spec), MASTER);
        // The object itself is the answer if it is created, and has what its writer put there.
        written.add(
                "answer to the registration of " + name, answer.status() == 201 ? "" : answer.body() + answer.fields());
    }

    /** Declarations that cannot be read or applied. */
    private void files() throws Exception {
        String token = secrets.make("token in a file of clusters");
        String secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: declared, namespace: fairlead-system}\n";
        List<String> texts = List.of(
                secret + "stringData: {token: " + token + "\nx",
                secret + "data: {token: \"" + token + "!\"}",
                secret + "data: [" + token + "]",
                secret + "stringData: {\"a b\": " + token + "}",
                secret + token + ": x",
                token);
        for (int i = 0; i < texts.size(); i++) {
            Files.writeString(folder.resolve("file-" + i + ".yaml"), texts.get(i));
        }
    }

    /**
     * What callers get from the attached cluster: all that it was sent, but for Fairlead's own credential, which is its to tell, and what
     * belongs to the caller and goes to the cluster, as queries do.
     */
    private void answer(String request, OutputStream out) throws IOException {
        String target = PlayedApiServer.target(request);
        if (target.contains("reviews")) {
            answerReview(request, out);
            return;
        }
        String repeated = request.replace(tokenOfProd, "")
                .replaceAll("token=[a-z]+", "")
                .replaceAll("(?im)^x-forwarded-access-token: .*$", "");
        String status = Json.text(Json.object()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("message", repeated));
        switch (target.substring(target.lastIndexOf('/') + 1).replaceAll("\\?.*", "")) {
            case "e401" -> RawUpstream.respond(out, 401, status);
            case "e403" -> RawUpstream.respond(out, 403, status);
            case "e404" -> RawUpstream.respond(out, 404, status);
            case "e500" -> RawUpstream.respond(out, 500, status);
            case "e503" -> RawUpstream.respond(out, 503, status);
            case "cut" -> {
                RawUpstream.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + repeated);
                throw new IOException("cut");
            }
            case "garbage" -> RawUpstream.write(out, "HTTP/1.1 200 OK\r\nA B: " + request + "\r\n\r\n");
            case "silent" -> {}
            case "moved" ->
                RawUpstream.write(
                        out,
                        "HTTP/1.1 302 X\r\nLocation: https://other/?" + repeated.hashCode()
                                + "\r\nContent-Length: 0\r\n\r\n");
            default -> RawUpstream.respond(out, 200, status);
        }
    }

    private void answerReview(String request, OutputStream out) throws IOException {
        String repeated = Json.text(Json.object().put("all", request));
        switch (review) {
            case REFUSED ->
                RawUpstream.respond(
                        out,
                        201,
                        "{\"status\":{\"authenticated\":false,\"allowed\":false,\"error\":" + repeated
                                + ",\"evaluationError\":"
                                + Json.text(Json.read(repeated).path("all")) + "}}");
            case FORBIDDEN ->
                RawUpstream.respond(
                        out,
                        403,
                        "{\"kind\":\"Status\",\"code\":403,\"message\":"
                                + Json.text(Json.read(repeated).path("all")) + "}");
            case BROKEN -> RawUpstream.respond(out, 500, request);
            case MALFORMED -> RawUpstream.respond(out, 201, "{\"status\": {\"authenticated\": " + request);
            case REDIRECTED ->
                RawUpstream.write(
                        out,
                        "HTTP/1.1 302 "
                                + request.lines()
                                        .filter(line -> line.startsWith("{"))
                                        .findFirst()
                                        .orElse("")
                                + "\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
        }
    }

    /** Each answers Fairlead's own requests in one way, and repeats the whole of them. */
    void misbehave() throws Exception {
        List<Repeating> ways = List.of(
                (request, out) -> RawUpstream.respond(out, 401, status(request, 401)),
                (request, out) -> RawUpstream.respond(out, 403, status(request, 403)),
                (request, out) -> RawUpstream.respond(out, 500, status(request, 500)),
                (request, out) -> RawUpstream.respond(out, 200, request),
                (request, out) -> RawUpstream.respond(out, 200, "{\"gitVersion\": " + request),
                (request, out) -> RawUpstream.respond(out, 200, status(request, 410)),
                (request, out) -> RawUpstream.write(
                        out, "HTTP/1.1 200 " + credential(request) + "\r\nA B: " + credential(request) + "\r\n\r\n"),
                (request, out) -> RawUpstream.write(out, credential(request) + "\r\n\r\n"),
                (request, out) -> RawUpstream.write(
                        out,
                        "HTTP/1.1 302 X\r\nLocation: https://127.0.0.1:1/?" + credential(request)
                                + "\r\nContent-Length: 0\r\n\r\n"));
        List<AtomicInteger> counts = new ArrayList<>();
        for (int i = 0; i < ways.size(); i++) {
            String name = "mean-" + i;
            AtomicInteger count = new AtomicInteger();
            Repeating way = ways.get(i);
            RawUpstream server = near.server(new PlayedApiServer(name));
            server.answer((head, _, out) -> {
                count.incrementAndGet();
                way.answer(head, out);
            });
            near.attach(name, server, secrets.make("token for " + name), "");
            counts.add(count);
            names.add(name);
        }
        Await.until(() -> counts.stream().allMatch(count -> count.get() >= REQUESTS_ENOUGH));
        for (String name : names) {
            Await.until(() -> !near.conditions(name).isEmpty());
        }
    }

    private interface Repeating {
        void answer(String request, OutputStream out) throws IOException;
    }

    private static String status(String request, int code) {
        return Json.text(Json.object()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("code", code)
                .put("reason", credential(request))
                .put("message", request));
    }

    /** The token without the word before it. */
    private static String credential(String request) {
        return request.lines()
                .filter(line -> line.regionMatches(true, 0, "authorization:", 0, 14))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElse("");
    }
}
