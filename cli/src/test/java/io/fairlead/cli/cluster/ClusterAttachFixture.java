package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.cli.FairleadCommand;
import io.fairlead.cli.server.Paths;
import io.fairlead.model.FairleadVersion;
import io.fairlead.testkit.HttpServers;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code cluster attach}, a server of Fairlead and a cluster, both a test's own. */
abstract class ClusterAttachFixture {
    static final String CLUSTER = Paths.CLUSTERS;
    static final String SECRET = Paths.SECRETS;

    final List<String> requests = new CopyOnWriteArrayList<>();
    final StringWriter err = new StringWriter();
    volatile int patchStatus = 200;
    volatile String conditions = "[{\"type\":\"Ready\",\"status\":\"True\",\"observedGeneration\":OBSERVED}]";

    /** The spec of cluster prod, empty if there is none. */
    volatile String registered = "";

    volatile String annotations = "{}";
    volatile String leftOver = "";

    /** The name of a Secret that cannot be created, since it exists; empty for none. */
    volatile String secretThere = "";

    /** Below which {@link #patchStatus} is the answer. */
    volatile String patched = "/";

    volatile int listStatus = 200;
    volatile String uidOfTrial = "uid";

    /** Empty if its credential is refused. */
    volatile String uidOfProd = "uid";

    /** Whether cluster prod does not answer at all. */
    volatile boolean isProdHanging;

    /** What the status of cluster prod says of its identity. */
    volatile String identity = "{}";

    /** How often cluster prod is read before its conditions are of its newest generation. */
    final AtomicInteger readsBeforeUse = new AtomicInteger();

    volatile boolean changesDuringTrial;

    volatile String readinessOfTrial = "{\"type\":\"Ready\",\"status\":\"True\"}";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    HttpsServer server;

    @SuppressWarnings("NullAway.Init") // set before each test
    X509Bundle certificate;

    @BeforeEach
    void start() throws Exception {
        certificate = new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .setIsCertificateAuthority(true)
                .addSanDnsName("localhost")
                .addSanIpAddress("127.0.0.1")
                .buildSelfSigned();
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", this::answer);
        server.start();
        String ca = Base64.getEncoder()
                .encodeToString(certificate.getCertificatePEM().getBytes(UTF_8));
        Files.writeString(
                folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%s', certificate-authority-data: %s}}]
                    users: [{name: u, user: {token: t}}]
                    contexts: [{name: c, context: {cluster: c, user: u}}]
                    current-context: c
                    """.formatted(server.getAddress().getPort(), ca));
    }

    @AfterEach
    void stop() {
        HttpServers.stop(server);
    }

    static String trial(String trialName, String secret) {
        return "{\"metadata\":{\"name\":\"" + trialName
                + "\"},\"spec\":{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"" + secret + "\"}}}}";
    }

    String kubeconfig() {
        return folder.resolve("kubeconfig").toString();
    }

    int attach(String... more) {
        String kubeconfig = kubeconfig();
        List<String> words = new ArrayList<>(List.of("cluster", "attach", "prod", "--kubeconfig", kubeconfig));
        words.addAll(List.of(more));
        if (!words.contains("--from-kubeconfig")) {
            words.addAll(List.of("--from-kubeconfig", kubeconfig));
        }
        if (!words.contains("--timeout")) {
            words.add("--no-wait");
        }
        return execute(words.toArray(String[]::new));
    }

    int execute(String... words) {
        return FairleadCommand.execute(List.of(words), new PrintWriter(new StringWriter()), new PrintWriter(err, true));
    }

    /** What is read of the root cluster, of cluster prod and of a trial of it. */
    String document(String path) {
        String trial = "{\"metadata\":{\"name\":\"prod-trial\"},\"status\":{\"conditions\":["
                + readinessOfTrial.replace("TRIAL", path.substring(path.lastIndexOf('/') + 1)) + "]}}";
        if (path.equals(CLUSTER)) {
            return "{\"items\":[" + leftOver + "]}";
        }
        if (path.equals(CLUSTER + "/prod")) {
            int observed = readsBeforeUse.get() > 0 && readsBeforeUse.decrementAndGet() > 0 ? 1 : 2;
            return "{\"metadata\":{\"name\":\"prod\",\"uid\":\"uid-of-prod\",\"annotations\":" + annotations
                    + "},\"spec\":" + (registered.isEmpty() ? "{}" : registered)
                    + ",\"status\":{\"identity\":" + identity + ",\"conditions\":"
                    + conditions.replace("OBSERVED", Integer.toString(observed)) + "}}";
        }
        if (path.startsWith(CLUSTER + "/prod-")) {
            if (changesDuringTrial) {
                registered = registered.replace("cluster-prod", "another");
            }
            return trial;
        }
        return uid(path).isEmpty()
                ? "{\"message\":\"namespaces \\\"kube-system\\\" is forbidden: User \\\"ann\\\" cannot get resource"
                        + " \\\"namespaces\\\"\"}"
                : "{\"metadata\":{\"uid\":\"" + uid(path) + "\"}}";
    }

    String uid(String path) {
        return path.startsWith("/clusters/prod/") ? uidOfProd : uidOfTrial;
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        if (!path.equals(Paths.VERSION)) {
            requests.add(method + " " + path + " " + body);
        }
        if (isProdHanging && path.startsWith("/clusters/prod/")) {
            return;
        }
        boolean isRegistered = requests.stream().anyMatch(request -> request.startsWith("POST " + CLUSTER + " "));
        boolean isThere =
                isRegistered || !registered.isEmpty() || !(method.equals("GET") && path.equals(CLUSTER + "/prod"));
        boolean isNowhere = path.equals(CLUSTER + "/nope");
        boolean isTaken = !registered.isEmpty()
                && method.equals("POST")
                && path.equals(CLUSTER)
                && body.contains("\"name\":\"prod\"");
        boolean isRefused = path.endsWith("/kube-system") && uid(path).isEmpty();
        boolean isSecretThere = !secretThere.isEmpty()
                && method.equals("POST")
                && path.equals(SECRET)
                && body.contains("\"name\":\"" + secretThere + "\"");
        boolean isConflict = isTaken || isSecretThere;
        if (method.equals("DELETE") && path.equals(SECRET + "/" + secretThere)) {
            secretThere = "";
        }
        boolean isList = method.equals("GET") && path.equals(CLUSTER);
        boolean isPatched = method.equals("PATCH") && path.startsWith(patched);
        int status = isPatched
                ? patchStatus
                : isList ? listStatus : isRefused ? 403 : isConflict ? 409 : isThere && !isNowhere ? 200 : 404;
        byte[] answer = (method.equals("GET") && path.startsWith("/clusters/")
                        ? document(path)
                        : "{\"product\":\"" + FairleadVersion.PRODUCT + "\",\"kind\":\"Cluster\",\"reason\":\""
                                + (isConflict ? "AlreadyExists" : "") + "\",\"code\":" + status
                                + ",\"metadata\":{\"name\":\"prod\",\"uid\":\"uid-of-prod\",\"generation\":2}}")
                .getBytes(UTF_8);
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
