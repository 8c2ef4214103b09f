package io.fairlead.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code doctor} says of an attached cluster: its CRD runtime, and a credential that it refuses; and of the server. */
class DoctorCommandTest {
    private static final String PROD = Paths.CLUSTERS + "/prod";
    private static final String NEW_CREDENTIAL =
            "give Fairlead a credential that the cluster accepts: 'fairlead cluster attach prod --replace"
                    + " --from-kubeconfig NEW'; open watches go on";

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Map<String, Integer> codes = new ConcurrentHashMap<>();
    private volatile String defaultCluster = "root";

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
                .addSanIpAddress("127.0.0.1")
                .buildSelfSigned();
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", this::answer);
        server.start();
        answers.put(Paths.FLEET + "/prod", "{\"name\": \"prod\", \"ready\": \"True\", \"version\": \"v1.36.3\"}");
        Files.writeString(folder.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%s', certificate-authority-data: %s}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """.formatted(
                        server.getAddress().getPort(), base64(certificate.getCertificatePEM())));
    }

    @AfterEach
    void stop() {
        HttpServers.stop(server);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        True    | ok       cluster prod: CRD runtime answers, and is of this cluster
        False   | error    cluster prod: CRD runtime cannot be used: AnotherCluster: it is another -> correct spec.attached.crdRuntime
        Unknown | warning  cluster prod: CRD runtime is not known: it is another -> look again in a moment
        """)
    void crdRuntime_isToldAsTheConditionSays(String status, String expected) {
        answers.put(PROD, cluster("{\"endpoints\": [\"https://10.0.0.2\"]}", """
            {"type": "CRDRuntimeReachable", "status": "%s", "reason": "AnotherCluster", "message": "it is another"}
            """.formatted(status)));

        assertThat(doctor()).anySatisfy(line -> assertThat(line).startsWith(expected));
    }

    @Test
    void crdRuntime_ofWhichNothingIsSaidYet_isAWarning() {
        answers.put(PROD, cluster("{\"endpoints\": [\"https://10.0.0.2\"]}", ""));

        assertThat(doctor())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("warning  cluster prod: CRD runtime is not known: it was not asked yet"));
    }

    @Test
    void clusterWithoutACrdRuntime_hasNoLineOfOne() {
        answers.put(PROD, "{\"spec\": {\"attached\": {\"endpoints\": [\"https://10.0.0.1\"]}}}");

        assertThat(doctor()).isNotEmpty().noneMatch(line -> line.contains("CRD runtime"));
    }

    @Test
    void credentialAndCaOfACrdRuntime_areLookedAt() {
        answers.put(
                PROD,
                cluster(
                        "{\"endpoints\": [\"https://10.0.0.2\"], \"caBundle\": \""
                                + base64(certificate.getCertificatePEM())
                                + "\", \"credentialSecretRef\": {\"name\": \"own\"}}",
                        ""));
        answers.put(Paths.secret("own"), "{\"data\": {\"token\": \"" + base64("opaque") + "\"}}");

        assertThat(doctor())
                .anySatisfy(line -> assertThat(line)
                        .contains("cluster prod: CA of the CRD runtime")
                        .contains("expires at"))
                .anySatisfy(line ->
                        assertThat(line).contains("cluster prod: token of Secret own does not say that it expires"));
    }

    @Test
    void severalApiServers_areToldOneByOne_aSingleOneIsNot() {
        String dead = """
            {"url": "https://10.0.0.2:6443", "ready": "False", "reason": "ConnectionFailed", "message": "it is away"}
            """;
        answers.put(
                PROD,
                "{\"status\": {\"endpoints\": [{\"url\": \"https://10.0.0.1:6443\", \"ready\": \"True\"}, " + dead
                        + "]}}");

        assertThat(doctor())
                .contains("ok       cluster prod: https://10.0.0.1:6443 gets requests")
                .contains(
                        "warning  cluster prod: https://10.0.0.2:6443 gets no requests: ConnectionFailed: it is away ->"
                                + " see to that API server, or take it out of spec.attached.endpoints");

        answers.put(PROD, "{\"status\": {\"endpoints\": [" + dead + "]}}");
        assertThat(doctor()).isNotEmpty().noneMatch(line -> line.contains("10.0.0.2"));
    }

    @Test
    void clusterThatWaitsForAPIServices_isAWarningThatSaysWhichAndWhatToDo() {
        answers.put(Paths.FLEET + "/prod", """
            {"name": "prod", "ready": "True", "available": "False", "reason": "GateTimedOut",
             "message": "not within 60s: v1.a"}
            """);

        assertThat(doctor())
                .contains("warning  cluster prod is Ready, but not Available: GateTimedOut: not within 60s: v1.a -> see"
                        + " to what is missing, or take it out of spec.requiredAPIServices");
    }

    @Test
    void credentialThatIsRefused_isAnErrorThatSaysWhatToDo() {
        answers.put(
                Paths.FLEET + "/prod",
                "{\"name\": \"prod\", \"ready\": \"False\", \"reason\": \"CredentialRefused\", \"message\":"
                        + " \"refused\"}");

        assertThat(doctor())
                .contains("error    cluster prod is not Ready: CredentialRefused: refused -> " + NEW_CREDENTIAL);
    }

    @Test
    void credentialThatIsRefusedBeforeTheConditionSaysSo_isAnErrorThatSaysWhatToDo() {
        answers.put("/clusters/prod/version", """
            {"message": "refused", "details": {"causes": [{"reason": "CredentialRefused"}]}}\
            """);
        codes.put("/clusters/prod/version", 502);

        assertThat(doctor()).contains("error    cluster prod: reachability answers 502: refused -> " + NEW_CREDENTIAL);
    }

    @Test
    void tokenThatIsRefused_isNotSaidToBeValid() {
        answers.put(Paths.FLEET + "/prod", """
            {"name": "prod", "ready": "False", "reason": "CredentialRefused", "message": "refused"}
            """);
        answers.put(PROD, """
            {"spec": {"attached": {"renewToken": true, "credentialSecretRef": {"name": "own"}}}}
            """);
        for (String token : List.of(tokenUntil(Instant.now().plusSeconds(3600)), "opaque")) {
            answers.put(Paths.secret("own"), "{\"data\": {\"token\": \"" + base64(token) + "\"}}");

            assertThat(doctor()).isNotEmpty().noneMatch(line -> line.contains("token of Secret own"));
        }
    }

    @Test
    void secretThatIsMissing_isAnErrorThatSaysWhatToDo() {
        answers.put(PROD, "{\"spec\": {\"attached\": {\"credentialSecretRef\": {\"name\": \"own\"}}}}");
        answers.put(Paths.secret("own"), "{\"message\": \"secrets own not found\"}");
        codes.put(Paths.secret("own"), 404);

        assertThat(doctor())
                .contains("error    cluster prod: credential is missing: there is no Secret \"own\" in namespace"
                        + " fairlead-system of cluster root -> make that Secret, or give Fairlead another"
                        + " credential, without a proof that it leads to the same cluster: 'fairlead cluster"
                        + " attach prod --replace --no-wait --from-kubeconfig NEW'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        404 | error    cluster prod none -> 'fairlead cluster list' lists the clusters that there are; 'fairlead cluster attach prod'
        403 | error    cluster prod none -> have an administrator bind the verb "access" on clusters.fairlead.io/prod to you in
        503 | error    cluster prod none -> look again in a moment
        """)
    void clusterThatCannotBeLookedAt_isAnErrorThatSaysWhatToDo(int code, String line) {
        answers.put(Paths.FLEET + "/prod", "{\"message\": \"none\"}");
        codes.put(Paths.FLEET + "/prod", code);

        assertThat(doctor()).anySatisfy(found -> assertThat(found).startsWith(line));
    }

    @Test
    void clusterThatIsNotRegistered_isNamedOnce() {
        answers.put(Paths.FLEET + "/prod", "{\"message\": \"cluster \\\"prod\\\" is not registered\"}");
        codes.put(Paths.FLEET + "/prod", 404);

        assertThat(doctor())
                .anySatisfy(line -> assertThat(line).startsWith("error    cluster prod is not registered -> "));
    }

    @Test
    void namespaceOfCredentialsThatIsGone_isAnError() {
        codes.put("/clusters/root/api/v1/namespaces/fairlead-system", 404);

        assertThat(doctor())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("error    server: credentials of attached clusters are gone: cluster root has no"
                                + " namespace fairlead-system -> restart the server"));
    }

    @Test
    void rights_areOneSentence() {
        assertThat(doctor())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("warning  server: rights do not allow you to register clusters -> "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Impersonate   | Fairlead's credential may lack the right to impersonate: apply what 'fairlead cluster attach prod --print-rbac' prints
        RequestHeader | Fairlead's own requests may lack a right: apply what 'fairlead cluster attach prod --print-rbac --identity request-header' prints
        """)
    void rightsThatAreRefused_areToldByTheWayToPresentCallers(String identity, String hint) {
        answers.put(PROD, "{\"spec\": {\"attached\": {\"identity\": \"" + identity + "\"}}}");
        codes.put("/clusters/prod/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", 403);

        assertThat(doctor())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("error    cluster prod: rights")
                        .endsWith("-> " + hint));
    }

    @Test
    void certificateOfTheKubeconfigThatHasExpired_isNamed_thoughTheServerRefusesIt() throws Exception {
        Instant end = Instant.parse("2026-01-02T03:04:05Z");
        X509Bundle expired = new CertificateBuilder()
                .ecp256()
                .subject("CN=caller")
                .setIsCertificateAuthority(true)
                .notBefore(end.minusSeconds(3600))
                .notAfter(end)
                .buildSelfSigned();
        Path kubeconfig = folder.resolve("kubeconfig");
        String credential = "client-certificate-data: " + base64(expired.getCertificatePEM()) + ", client-key-data: "
                + base64(expired.getPrivateKeyPEM());
        Files.writeString(kubeconfig, Files.readString(kubeconfig).replace("token: t", credential));
        codes.put(Paths.VERSION, 401);

        assertThat(doctor())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("error    kubeconfig: certificate expired at " + end + " -> restart"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("error    server https://")
                        .contains(" does not accept the client certificate of " + kubeconfig + ", which expired at "
                                + end + " -> restart the server if"));
    }

    @Test
    void fullDisk_isAnErrorThatSaysWhatToDo() {
        answers.put("/readyz", "[+]ping ok\n[+]store ok: the disk is full\n[+]shutdown ok\nreadyz check passed\n");

        assertThat(doctor())
                .contains(
                        "error    server: disk the disk is full -> make room on the disk that holds its data directory;"
                                + " nothing has to be restarted");
    }

    @Test
    void defaultCluster_isNamed_withWhoReachesItUnawares() {
        assertThat(doctor())
                .contains("ok       server: default cluster is \"root\", also for clients that drop the path of a"
                        + " server's URL (kubectl proxy, and kubectl before 1.34 with --raw);"
                        + " --selection-default-cluster none refuses them");
        defaultCluster = "none";

        assertThat(doctor())
                .contains("ok       server: default cluster is none: a request that names no cluster is refused");
    }

    @Test
    void renewalThatFails_isAnError_thatSaysWhatToDo() {
        String cluster = "{\"spec\": {\"attached\": {\"renewToken\": true}}, \"status\": {\"conditions\": [{\"type\":"
            + " \"TokenRenewed\", \"status\": \"%s\", \"reason\": \"RenewalFailed\", \"message\": \"it is over\"}]}}";

        answers.put(PROD, cluster.formatted("False"));
        assertThat(doctor())
                .contains("error    cluster prod: renewal of its token RenewalFailed: it is over -> give Fairlead"
                        + " another credential with 'fairlead cluster attach prod --replace' before the token"
                        + " ends, or give its ServiceAccount the right to create tokens of its own");

        answers.put(PROD, cluster.formatted("True"));
        assertThat(doctor()).isNotEmpty().noneMatch(line -> line.contains("renewal of its token"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        true  | ok       cluster prod: token of Secret own is valid until | , and renewed before
        false | warning  cluster prod: token of Secret own expires at     | -> give Fairlead a new one
        """)
    void tokenThatEndsSoon_isAWarning_unlessItIsRenewed(boolean renews, String begin, String end) {
        String token = tokenUntil(Instant.now().plusSeconds(3600));
        answers.put(
                PROD,
                "{\"spec\": {\"attached\": {\"renewToken\": " + renews
                        + ", \"credentialSecretRef\": {\"name\": \"own\"}}}}");
        answers.put(Paths.secret("own"), "{\"data\": {\"token\": \"" + base64(token) + "\"}}");

        assertThat(doctor())
                .anySatisfy(line -> assertThat(line).startsWith(begin).contains(end));
    }

    private static String cluster(String crdRuntime, String condition) {
        return "{\"spec\": {\"attached\": {\"crdRuntime\": " + crdRuntime + "}}, \"status\": {\"conditions\": ["
                + condition + "]}}";
    }

    private List<String> doctor() {
        StringWriter out = new StringWriter();
        FairleadCommand.execute(
                List.of(
                        "doctor",
                        "-c",
                        "prod",
                        "--kubeconfig",
                        folder.resolve("kubeconfig").toString()),
                new PrintWriter(out, true),
                new PrintWriter(new StringWriter()));
        return out.toString().lines().toList();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String other = "{\"product\": \"" + FairleadVersion.PRODUCT + "\", \"version\": \"1\", \"defaultCluster\": \""
                + defaultCluster + "\"}";
        byte[] answer = answers.getOrDefault(path, other).getBytes(UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(codes.getOrDefault(path, 200), answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private static String tokenUntil(Instant end) {
        String claims = "{\"exp\":" + end.getEpochSecond() + "}";
        return "e30." + base64(claims).replace("=", "") + ".sig";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
