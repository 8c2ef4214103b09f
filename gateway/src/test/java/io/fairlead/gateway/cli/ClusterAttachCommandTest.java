package io.fairlead.gateway.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.gateway.FairleadVersion;
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
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code cluster attach} stores, and that it leaves nothing behind when a part of it is refused. */
class ClusterAttachCommandTest {
    private static final String CLUSTER = Paths.CLUSTERS;
    private static final String SECRET = Paths.SECRETS;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final StringWriter err = new StringWriter();
    private volatile int patchStatus = 200;
    private volatile String conditions = "[]";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpsServer server;

    @SuppressWarnings("NullAway.Init") // set before each test
    private X509Bundle certificate;

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
        server.stop(0);
    }

    @Test
    void secret_belongsToTheClusterThatWasMade() {
        assertThat(attach()).as("%s", err).isZero();

        assertThat(requests.getLast())
                .startsWith("PATCH " + SECRET + "/cluster-prod ")
                .contains("\"ownerReferences\":[{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\","
                        + "\"name\":\"prod\",\"uid\":\"uid-of-prod\"}]");
    }

    @Test
    void secretThatCannotBeOwned_leavesNothingBehind() {
        patchStatus = 403;

        assertThat(attach()).isNotZero();

        assertThat(requests.subList(requests.size() - 2, requests.size()))
                .satisfiesExactly(
                        last -> assertThat(last).startsWith("DELETE " + CLUSTER + "/prod"),
                        last -> assertThat(last).startsWith("DELETE " + SECRET + "/cluster-prod"));
    }

    @Test
    void crdRuntime_withTheClustersCredential_isNamed() throws Exception {
        Path ca = folder.resolve("ca.pem");
        Files.writeString(ca, certificate.getCertificatePEM());

        assertThat(attach(
                        "--crd-runtime-server",
                        "https://10.0.0.2",
                        "--crd-runtime-server",
                        "https://10.0.0.3",
                        "--crd-runtime-certificate-authority",
                        ca.toString(),
                        "--crd-runtime-tls-server-name",
                        "crds.example"))
                .as("%s", err)
                .isZero();

        assertThat(requests)
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + CLUSTER + " ")
                        .contains(
                                "\"crdRuntime\":{\"endpoints\":[\"https://10.0.0.2\",\"https://10.0.0.3\"],\"caBundle\":\""
                                        + base64(certificate.getCertificatePEM())
                                        + "\",\"tlsServerName\":\"crds.example\"}"))
                .noneMatch(request -> request.contains("crd-runtime-prod"));
    }

    @Test
    void crdRuntime_withACredentialOfItsOwn_hasASecretOfItsOwn_thatGoesWithTheCluster() {
        assertThat(attach(
                        "--crd-runtime-from-kubeconfig",
                        folder.resolve("kubeconfig").toString()))
                .as("%s", err)
                .isZero();

        String url = "https://127.0.0.1:" + server.getAddress().getPort();
        assertThat(requests)
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + SECRET + " ")
                        .contains("\"name\":\"crd-runtime-prod\"", "\"data\":{\"token\":\"" + base64("t") + "\"}"))
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + CLUSTER + " ")
                        .contains(
                                "\"crdRuntime\":{\"endpoints\":[\"" + url + "\"],\"caBundle\":\"",
                                "\"credentialSecretRef\":{\"name\":\"crd-runtime-prod\"}"))
                .anySatisfy(request -> assertThat(request)
                        .startsWith("PATCH " + SECRET + "/crd-runtime-prod ")
                        .contains("uid-of-prod"));
    }

    @Test
    void crdRuntime_whoseSecretCannotBeOwned_leavesNothingBehind() {
        patchStatus = 403;

        assertThat(attach(
                        "--crd-runtime-from-kubeconfig",
                        folder.resolve("kubeconfig").toString()))
                .isNotZero();

        assertThat(requests.subList(requests.size() - 3, requests.size()))
                .containsExactly(
                        "DELETE " + CLUSTER + "/prod ",
                        "DELETE " + SECRET + "/crd-runtime-prod ",
                        "DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void crdRuntime_thatIsNotNamed_orNamedTwice_isWrongUsage() {
        String kubeconfig = folder.resolve("kubeconfig").toString();

        assertThat(attach("--crd-runtime-tls-server-name", "crds.example")).isEqualTo(64);
        assertThat(err.toString()).contains("--crd-runtime-server URL is missing");
        assertThat(attach("--crd-runtime-from-kubeconfig", kubeconfig, "--crd-runtime-server", "https://10.0.0.2"))
                .isEqualTo(64);
        assertThat(err.toString()).contains("--crd-runtime-from-kubeconfig says where");
        assertThat(requests).isEmpty();
    }

    @Test
    void crdRuntime_whoseFileCannotBeUsed_isAnErrorThatNamesIt() throws Exception {
        Path none = folder.resolve("none.pem");

        assertThat(attach(
                        "--crd-runtime-server",
                        "https://10.0.0.2",
                        "--crd-runtime-certificate-authority",
                        none.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains(none + ": there is no such file");

        Files.writeString(none, "no certificate");
        assertThat(attach(
                        "--crd-runtime-server",
                        "https://10.0.0.2",
                        "--crd-runtime-certificate-authority",
                        none.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains(none + ": holds no certificate");
        assertThat(requests).isEmpty();
    }

    @Test
    void clusterThatWaitingDoesNotMend_isTakenBack_andTheReasonToldAtOnce() {
        conditions = """
            [{"type":"Reachable","status":"False","reason":"CredentialRefused","message":"it refuses the credential"},
            {"type":"Ready","status":"False","reason":"CredentialRefused","message":"it refuses the credential"}]\
            """;
        String kubeconfig = folder.resolve("kubeconfig").toString();

        assertThat(execute("cluster", "attach", "prod", "--kubeconfig", kubeconfig, "--from-kubeconfig", kubeconfig))
                .isEqualTo(1);

        assertThat(err).hasToString("""
            waiting for cluster "prod": it refuses the credential
            error: cluster "prod" cannot be used: it refuses the credential
            hint:  nothing was registered; correct it and try again, or register it as it is with --no-wait
            """);
        assertThat(requests.subList(requests.size() - 2, requests.size()))
                .containsExactly("DELETE " + CLUSTER + "/prod ", "DELETE " + SECRET + "/cluster-prod ");
    }

    private int attach(String... more) {
        String kubeconfig = folder.resolve("kubeconfig").toString();
        List<String> words = new ArrayList<>(List.of(
                "cluster", "attach", "prod", "--no-wait", "--kubeconfig", kubeconfig, "--from-kubeconfig", kubeconfig));
        words.addAll(List.of(more));
        return execute(words.toArray(String[]::new));
    }

    private int execute(String... words) {
        return FairleadCommand.execute(List.of(words), new PrintWriter(new StringWriter()), new PrintWriter(err, true));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        if (!path.equals(Paths.VERSION)) {
            requests.add(method + " " + path + " " + body);
        }
        boolean isRegistered = requests.stream().anyMatch(request -> request.startsWith("POST " + CLUSTER + " "));
        boolean isThere = isRegistered || !(method.equals("GET") && path.equals(CLUSTER + "/prod"));
        int status = method.equals("PATCH") ? patchStatus : isThere ? 200 : 404;
        byte[] answer = ("{\"product\":\"" + FairleadVersion.PRODUCT + "\",\"kind\":\"Cluster\",\"code\":" + status
                        + ",\"metadata\":{\"name\":\"prod\",\"uid\":\"uid-of-prod\"},\"status\":{\"conditions\":"
                        + conditions + "}}")
                .getBytes(UTF_8);
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
