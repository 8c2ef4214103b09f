package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.cli.FairleadCommand;
import io.fairlead.cli.server.Paths;
import io.fairlead.model.FairleadVersion;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code cluster attach} stores, and that it leaves nothing behind when a part of it is refused. */
class ClusterAttachCommandTest {
    private static final String CLUSTER = Paths.CLUSTERS;
    private static final String SECRET = Paths.SECRETS;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final StringWriter err = new StringWriter();
    private volatile int patchStatus = 200;
    private volatile String conditions = "[{\"type\":\"Ready\",\"status\":\"True\",\"observedGeneration\":OBSERVED}]";

    /** The spec of cluster prod, empty if there is none. */
    private volatile String registered = "";

    private volatile String annotations = "{}";
    private volatile String leftOver = "";

    /** The name of a Secret that cannot be created, since it exists; empty for none. */
    private volatile String secretThere = "";

    /** Below which {@link #patchStatus} is the answer. */
    private volatile String patched = "/";

    private volatile int listStatus = 200;
    private volatile String uidOfTrial = "uid";

    /** Empty if its credential is refused. */
    private volatile String uidOfProd = "uid";

    /** How often cluster prod is read before its conditions are of its newest generation. */
    private final AtomicInteger readsBeforeUse = new AtomicInteger();

    private volatile boolean changesDuringTrial;

    private volatile String readinessOfTrial = "{\"type\":\"Ready\",\"status\":\"True\"}";

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

    @Test
    void replace_putsASecondSecretInThePlaceOfTheFirst() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";

        assertThat(attach("--replace")).as("%s", err).isZero();

        assertThat(requests)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("GET " + CLUSTER + "/prod"),
                        second -> assertThat(second)
                                .startsWith("POST " + SECRET)
                                .contains("\"name\":\"cluster-prod.2\"", "\"kubeconfig\":\""),
                        third -> assertThat(third)
                                .startsWith("PATCH " + SECRET + "/cluster-prod.2 ")
                                .contains("\"uid\":\"uid-of-prod\""),
                        fourth -> assertThat(fourth)
                                .isEqualTo("PATCH " + CLUSTER + "/prod {\"spec\":{\"attached\":{\"endpoints\":null,"
                                        + "\"caBundle\":null,\"caSecretRef\":null,\"tlsServerName\":null,"
                                        + "\"credentialSecretRef\":null,\"proxyUrl\":null,\"renewToken\":null,"
                                        + "\"kubeconfigSecretRef\":{\"name\":\"cluster-prod.2\"}}}}"),
                        fifth -> assertThat(fifth).isEqualTo("GET " + CLUSTER + "/prod "),
                        sixth -> assertThat(sixth).as("whether another uses it").isEqualTo("GET " + CLUSTER + " "),
                        seventh -> assertThat(seventh).isEqualTo("DELETE " + SECRET + "/cluster-prod "));
    }

    @Test
    void replace_ofASecondSecret_putsTheFirstInItsPlace_andLeavesSecretsOfOthers() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod.2\"},"
                + "\"crdRuntime\":{\"credentialSecretRef\":{\"name\":\"someone-elses\"}}}}";

        assertThat(attach("--replace")).as("%s", err).isZero();

        assertThat(requests)
                .anySatisfy(request ->
                        assertThat(request).startsWith("POST " + SECRET).contains("\"cluster-prod\""))
                .noneMatch(request -> request.contains("someone-elses"))
                .endsWith("DELETE " + SECRET + "/cluster-prod.2 ");
    }

    @Test
    void replace_thatIsRefused_leavesWhatWasThere() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        patchStatus = 403;
        patched = CLUSTER;

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(requests).endsWith("DELETE " + SECRET + "/cluster-prod.2 ");
        assertThat(requests).doesNotContain("DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void replace_ofAClusterThatHasNoCredentialToReplace_saysWhy() {
        assertThat(attach("--replace")).isEqualTo(1);
        assertThat(err.toString()).contains("cluster \"prod\" does not exist", "attach it without --replace");

        registered = "{\"hosted\":{}}";
        assertThat(attach("--replace")).isEqualTo(1);
        assertThat(err.toString()).contains("cluster \"prod\" is hosted");
        assertThat(requests).hasSize(2);
    }

    @Test
    void replace_ofAClusterThatAFileDeclares_namesTheFile() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"kube\"}}}";
        annotations = "{\"fairlead.io/source-file\":\"prod.yaml\"}";

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(err.toString()).contains("is declared by prod.yaml", "change that file");
        assertThat(requests).hasSize(1);
    }

    @Test
    void replace_byAKubeconfigThatLeadsToAnotherCluster_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        uidOfTrial = "other";

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);

        assertThat(err.toString())
                .contains("leads to another cluster than \"prod\" is: namespace kube-system has uid other there")
                .contains("nothing was changed");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
        assertThat(requests.subList(requests.size() - 2, requests.size()))
                .satisfiesExactly(
                        cluster -> assertThat(cluster).matches("DELETE " + CLUSTER + "/prod-[0-9a-f]{8} "),
                        secret -> assertThat(secret).matches("DELETE " + SECRET + "/cluster-prod-[0-9a-f]{8} "));
    }

    @Test
    void replace_byACredentialThatDoesNotWork_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        readinessOfTrial = "{\"type\":\"Ready\",\"status\":\"False\",\"message\":\"it is refused\"}";

        assertThat(attach("--replace", "--timeout", "1")).isEqualTo(1);

        assertThat(err.toString())
                .contains("the new credential was not put in place: with it the cluster is not Ready: it is refused")
                .contains("cluster \"prod\" has the one that it had");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
        assertThat(requests.getLast()).startsWith("DELETE " + SECRET + "/cluster-prod-");
    }

    @Test
    void replace_byAKubeconfigThatDoesNotSayWhichClusterItLeadsTo_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        annotations = "{\"fairlead.io/kube-system-uid\":\"uid\"}";
        uidOfTrial = "";

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);

        assertThat(err.toString())
                .contains(
                        "whether the kubeconfig leads to cluster \"prod\" is not known, since with it the question for"
                                + " namespace kube-system is answered 403")
                .contains("nothing was changed; be allowed to read namespace kube-system there");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
    }

    @Test
    void replace_ofACredentialThatIsOfNoUseAnyMore_goesByTheUidThatWasNoted() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        uidOfProd = "";
        annotations = "{\"fairlead.io/kube-system-uid\":\"other\"}";
        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);
        assertThat(err.toString()).contains("has uid uid there and other in \"prod\"");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));

        annotations = "{\"fairlead.io/kube-system-uid\":\"uid\"}";
        assertThat(attach("--replace", "--timeout", "5")).as("%s", err).isZero();
        assertThat(requests).endsWith("DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void replace_whereNothingSaysWhichClusterItIs_changesNothing_unlessToldTo() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        uidOfProd = "";

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "which cluster \"prod\" is was never found out, and with the credential of before the question"
                                + " for namespace kube-system is answered 403")
                .contains("--no-wait puts it in place without that proof");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));

        assertThat(attach("--replace")).as("%s", err).isZero();
    }

    @Test
    void replace_ofAClusterThatIsChangedMeanwhile_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        changesDuringTrial = true;

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);

        assertThat(err.toString()).contains("cluster \"prod\" was changed while the new credential was tried");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
    }

    /** Without its Secret the cluster would not be served, and its watches would end. */
    @Test
    void replace_leavesTheOldSecretUntilTheNewOneIsUsed() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        readsBeforeUse.set(5);

        assertThat(attach("--replace")).as("%s", err).isZero();

        assertThat(readsBeforeUse.get()).isZero();
        assertThat(requests)
                .endsWith("GET " + CLUSTER + "/prod ", "GET " + CLUSTER + " ", "DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void replace_ofWhichTheOutcomeIsNotKnown_leavesTheNewSecret() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        patchStatus = 504;
        patched = CLUSTER;

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(requests).noneMatch(request -> request.startsWith("DELETE"));
    }

    /** The registration cannot refer to it yet. */
    @Test
    void replace_whoseSecretCannotBeOwned_takesItBack() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        patchStatus = 504;
        patched = SECRET;

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(requests).endsWith("DELETE " + SECRET + "/cluster-prod.2 ");
    }

    @Test
    void replace_whoseSecondSecretAnotherClusterUses_takesTheFirstBack() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        secretThere = "crd-runtime-prod";
        leftOver = trial("other", "crd-runtime-prod");

        assertThat(attach(
                        "--replace",
                        "--crd-runtime-from-kubeconfig",
                        folder.resolve("kubeconfig").toString()))
                .isEqualTo(1);

        assertThat(err.toString()).contains("is used by cluster \"other\"");
        assertThat(requests)
                .endsWith("DELETE " + SECRET + "/cluster-prod.2 ")
                .noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
    }

    /** What cannot be known is not taken for "no". */
    @Test
    void attach_whereItIsNotKnownWhoUsesTheSecret_leavesIt() {
        secretThere = "cluster-prod";
        listStatus = 503;

        assertThat(attach()).isEqualTo(1);

        assertThat(requests).noneMatch(request -> request.startsWith("DELETE "));
    }

    @Test
    void attach_byACallerWhoMayNotListClusters_replacesALeftOverSecret() {
        secretThere = "cluster-prod";
        listStatus = 403;

        assertThat(attach()).as("%s", err).isZero();

        assertThat(requests).contains("DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void cluster_thatIsReady_hasItsUidNoted() {
        assertThat(attach("--timeout", "5")).as("%s", err).isZero();

        assertThat(requests.getLast())
                .isEqualTo("PATCH " + CLUSTER
                        + "/prod {\"metadata\":{\"annotations\":{\"fairlead.io/kube-system-uid\":\"uid\"}}}");
    }

    @Test
    void passwordOfAProxy_isToldNowhere() throws Exception {
        Path proxied = folder.resolve("proxied");
        Files.writeString(
                proxied,
                Files.readString(folder.resolve("kubeconfig"))
                        .replace("{server:", "{proxy-url: 'http://jane:pa55word@10.0.0.9:3128', server:"));

        for (String[] more : new String[][] {
            {"--from-kubeconfig", proxied.toString()},
            {"--from-kubeconfig", proxied.toString(), "--create-service-account"},
            {"--from-kubeconfig", proxied.toString(), "--replace"},
            {"--crd-runtime-from-kubeconfig", proxied.toString()}
        }) {
            assertThat(attach(more)).isEqualTo(1);
        }

        assertThat(err.toString())
                .contains(
                        "cluster field \"proxy-url\" (expected http://host[:port] or https://host[:port], without user"
                                + " and password)")
                .doesNotContain("jane", "pa55word");
        assertThat(requests).isEmpty();
    }

    /** A trial keeps to whom the cluster is told of, and what a former one left is removed. */
    @Test
    void replace_triesTheCredentialUnderANameOfItsOwn_thenPutsItInPlace() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"},"
                + "\"impersonation\":{\"deniedGroups\":[\"ops\"]}}}";
        leftOver = trial("prod-0a1b2c3d", "cluster-prod-0a1b2c3d") + "," + trial("prod-left", "cluster-prod-left") + ","
                + trial("prod-0a1b2c3e", "cluster-prod")
                + ",{\"metadata\":{\"name\":\"other\"},\"spec\":{\"hosted\":{}}}";

        assertThat(attach("--replace", "--timeout", "5")).as("%s", err).isZero();

        assertThat(requests)
                .contains("DELETE " + CLUSTER + "/prod-0a1b2c3d ", "DELETE " + SECRET + "/cluster-prod-0a1b2c3d ")
                .noneMatch(request -> request.startsWith("DELETE ")
                        && (request.contains("/prod-left ") || request.contains("3e ") || request.contains("/other ")))
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + CLUSTER)
                        .contains("\"fairlead.io/trial-of\":\"prod\"", "\"deniedGroups\":[\"ops\"]"))
                .anySatisfy(request -> assertThat(request).startsWith("PATCH " + CLUSTER + "/prod "))
                .as("prod-0a1b2c3e uses it")
                .doesNotContain("DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void attach_whoseSecretAnotherClusterUses_isRefused_andLeavesIt() {
        secretThere = "cluster-prod";
        leftOver = trial("other", "cluster-prod");

        assertThat(attach()).isEqualTo(1);

        assertThat(err.toString())
                .startsWith("error: Secret \"cluster-prod\" of namespace fairlead-system, in which the credential of"
                        + " cluster \"prod\" is kept, is used by cluster \"other\"\n"
                        + "hint:  nothing was changed; have cluster \"other\" name another Secret first");
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE "));
    }

    @Test
    void attach_ofAnIdThatIsTaken_offersNothingThatCannotWork() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        assertThat(attach()).isEqualTo(1);
        assertThat(err.toString()).contains("exists already\nhint:  choose another id, give it another credential");

        conditions = "[{\"type\":\"Ready\",\"status\":\"False\",\"observedGeneration\":OBSERVED}]";
        assertThat(attach()).isEqualTo(1);
        assertThat(err.toString())
                .endsWith("error: cluster \"prod\" exists already, and is not ready\nhint:  remove it with 'fairlead"
                        + " cluster delete prod' and attach it again, or choose another id\n");

        registered = "{\"hosted\":{}}";
        assertThat(attach()).isEqualTo(1);
        assertThat(err.toString())
                .endsWith("error: cluster \"prod\" exists already, and is hosted\nhint:  choose another id\n");
        assertThat(requests).allMatch(request -> request.startsWith("GET "));
    }

    private static String trial(String trialName, String secret) {
        return "{\"metadata\":{\"name\":\"" + trialName
                + "\"},\"spec\":{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"" + secret + "\"}}}}";
    }

    private int attach(String... more) {
        String kubeconfig = folder.resolve("kubeconfig").toString();
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

    private int execute(String... words) {
        return FairleadCommand.execute(List.of(words), new PrintWriter(new StringWriter()), new PrintWriter(err, true));
    }

    /** What is read of the root cluster, of cluster prod and of a trial of it. */
    private String document(String path) {
        String trial =
                "{\"metadata\":{\"name\":\"prod-trial\"},\"status\":{\"conditions\":[" + readinessOfTrial + "]}}";
        if (path.equals(CLUSTER)) {
            return "{\"items\":[" + leftOver + "]}";
        }
        if (path.equals(CLUSTER + "/prod")) {
            int observed = readsBeforeUse.get() > 0 && readsBeforeUse.decrementAndGet() > 0 ? 1 : 2;
            return "{\"metadata\":{\"name\":\"prod\",\"uid\":\"uid-of-prod\",\"annotations\":" + annotations
                    + "},\"spec\":" + (registered.isEmpty() ? "{}" : registered)
                    + ",\"status\":{\"conditions\":"
                    + conditions.replace("OBSERVED", Integer.toString(observed)) + "}}";
        }
        if (path.startsWith(CLUSTER + "/prod-")) {
            if (changesDuringTrial) {
                registered = registered.replace("cluster-prod", "another");
            }
            return trial;
        }
        return "{\"metadata\":{\"uid\":\"" + uid(path) + "\"}}";
    }

    private String uid(String path) {
        return path.startsWith("/clusters/prod/") ? uidOfProd : uidOfTrial;
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
        boolean isThere =
                isRegistered || !registered.isEmpty() || !(method.equals("GET") && path.equals(CLUSTER + "/prod"));
        boolean isRefused = path.endsWith("/kube-system") && uid(path).isEmpty();
        boolean isConflict = !secretThere.isEmpty()
                && method.equals("POST")
                && path.equals(SECRET)
                && body.contains("\"name\":\"" + secretThere + "\"");
        if (method.equals("DELETE") && path.equals(SECRET + "/" + secretThere)) {
            secretThere = "";
        }
        boolean isList = method.equals("GET") && path.equals(CLUSTER);
        boolean isPatched = method.equals("PATCH") && path.startsWith(patched);
        int status = isPatched
                ? patchStatus
                : isList ? listStatus : isRefused ? 403 : isConflict ? 409 : isThere ? 200 : 404;
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
