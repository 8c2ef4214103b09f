package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What Fairlead and two API servers of a cluster know each other by is replaced while the cluster is used: the credential, the
 * certificate that each of the servers shows, and the CA, by turns or all of them together. No request fails, and no watch ends.
 */
final class ReplacedTrustIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String PASSWORD = "password";
    private static final Duration SOON = Duration.ofSeconds(60);

    /** kube-apiserver looks at its files once a minute, where it is not told of a change. */
    private static final Duration RELOADED = Duration.ofSeconds(150);

    private static final int REQUESTS_BETWEEN = 200;

    @Test
    void credentialCertificatesAndCa_thatAreReplacedUnderLoad_failNoRequestAndEndNoWatch() throws Exception {
        replaceUnderLoad("small", 30, 2);
    }

    @Test
    @Tag("endurance")
    void credentialCertificatesAndCa_thatAreReplacedAgainAndAgain_failNoRequestAndEndNoWatch() throws Exception {
        replaceUnderLoad("full", 100, 5);
    }

    @Test
    void clientCertificateServingCertificatesAndBothCas_thatAreReplacedTogether_failNoRequestAndEndNoWatch()
            throws Exception {
        replaceTogetherUnderLoad("together", 30, 2);
    }

    @Test
    @Tag("endurance")
    void
            clientCertificateServingCertificatesAndBothCas_thatAreReplacedTogetherAgainAndAgain_failNoRequestAndEndNoWatch()
                    throws Exception {
        replaceTogetherUnderLoad("together-full", 100, 5);
    }

    private static void replaceUnderLoad(String name, int watches, int rounds) throws Exception {
        Path folder = Files.createDirectories(Checkout.scratch("ReplacedTrustIT/" + name));
        underLoad(name, folder, List.of(), watches, rounds, (twins, direct, requests, round) -> {
            credential(twins, direct, round);
            goOn(requests);
            revoke(direct, round - 1);
            String after = certificates(twins, folder, round, ca -> trust(twins, ca));
            trust(twins, after);
        });
    }

    /** A registration by token becomes one by certificate, and then by one certificate after another, each of another CA. */
    private static void replaceTogetherUnderLoad(String name, int watches, int rounds) throws Exception {
        Path folder = Files.createDirectories(Checkout.scratch("ReplacedTrustIT/" + name));
        ClientCertificates clients = ClientCertificates.in(folder);
        List<String> flags = List.of("--client-ca-file=" + clients.trusted());
        underLoad(name, folder, flags, watches, rounds, (twins, direct, requests, round) -> {
            String user = "fairlead-" + round;
            direct.succeed("create", "clusterrolebinding", user, "--clusterrole=cluster-admin", "--user=" + user);
            clients.add(user);
            for (String url : List.of(twins.kube().url(), twins.kube().secondUrl())) {
                Await.until(
                        url + " accepts " + user,
                        RELOADED,
                        () -> clients.kubectl(user, url)
                                .run("auth", "can-i", "impersonate", "users")
                                .output()
                                .startsWith("yes"));
            }
            clients.putSecret(user, twins.root());
            String after = certificates(twins, folder, round, ca -> trust(twins, ca, user));
            trust(twins, after);
            goOn(requests);
            clients.keepOnly(user);
            if (round > 0) {
                String before = "fairlead-" + (round - 1);
                Await.until(
                        "the certificate of before is refused",
                        RELOADED,
                        () -> clients.kubectl(before, twins.kube().url())
                                        .run("auth", "can-i", "impersonate", "users")
                                        .exitCode()
                                != 0);
            }
        });
    }

    /** One replacement of several. */
    private interface Round {
        void replace(TwinServers twins, Kubectl direct, SteadyRequests requests, int round) throws Exception;
    }

    private static void underLoad(
            String name, Path folder, List<String> apiserverFlags, int watches, int rounds, Round each)
            throws Exception {
        try (TwinServers twins = TwinServers.start(folder, apiserverFlags, "--upstream-probe-interval", "500ms")) {
            KubeCluster kube = twins.kube();
            Await.until(
                    "both are ready",
                    SOON,
                    () -> List.of(kube.url(), kube.secondUrl()).stream()
                            .allMatch(url -> twins.ready(url).equals("True")));
            Kubectl direct = new Kubectl(folder.resolve("kubectl-direct"), kube.kubeconfig());
            String server = twins.fairlead().endpoint();
            try (var open = OpenWatches.open(
                            watches, server + "/clusters/prod" + CONFIG_MAPS + "?watch=1", AttachedCluster.ROOT_TOKEN);
                    var requests = SteadyRequests.start(
                            server, AttachedCluster.ROOT_TOKEN, "/clusters/prod" + CONFIG_MAPS, 100)) {
                for (int round = 0; round < rounds; round++) {
                    each.replace(twins, direct, requests, round);
                    goOn(requests);
                }
                requests.stop();
                assertThat(requests.failures()).isEmpty();
                String created = "after-replacing-" + name;
                direct.succeed("create", "configmap", created);
                Await.until("all watches hear it", SOON, () -> open.thatHeardOf(created) == watches);
                assertThat(open.ended()).isZero();
                Files.writeString(
                        folder.resolve("report.txt"),
                        requests.answered() + " requests, the slowest took " + requests.slowest() + "\n");
            }
        }
    }

    private static void goOn(SteadyRequests requests) {
        int before = requests.answered();
        Await.until("requests go on", SOON, () -> requests.answered() > before + REQUESTS_BETWEEN);
        assertThat(requests.failures()).isEmpty();
    }

    /** The token of another account; the one before is then deleted, so that no request can use its token any more. */
    private static void credential(TwinServers twins, Kubectl direct, int round) {
        String account = "fairlead-" + round;
        direct.succeed("create", "serviceaccount", account);
        direct.succeed(
                "create",
                "clusterrolebinding",
                account,
                "--clusterrole=cluster-admin",
                "--serviceaccount=default:" + account);
        String token = direct.succeed("create", "token", account).strip();
        twins.root()
                .succeed(
                        "patch",
                        "secret",
                        "token-of-both",
                        "--namespace=fairlead-system",
                        "-p",
                        "{\"stringData\":{\"token\":\"" + token + "\"}}");
    }

    private static void revoke(Kubectl direct, int round) {
        if (round >= 0) {
            direct.succeed("delete", "serviceaccount", "fairlead-" + round);
        }
    }

    /** Each server gets another certificate, which all CAs are trusted for meanwhile; returns the CAs of the new ones. */
    private static String certificates(TwinServers twins, Path folder, int round, Consumer<String> trusting)
            throws Exception {
        KubeCluster kube = twins.kube();
        List<Path> files = List.of(kube.caFile(), kube.secondCaFile());
        List<Integer> ports = List.of(port(kube.url()), port(kube.secondUrl()));
        String before = Files.readString(files.getFirst()) + "\n" + Files.readString(files.getLast());
        List<KeyStore> made = List.of(made(folder, "first-" + round), made(folder, "second-" + round));
        String after = certificate(made.getFirst()) + certificate(made.getLast());
        trusting.accept(before + "\n" + after);
        for (int i = 0; i < files.size(); i++) {
            KeyStore keys = made.get(i);
            Files.writeString(
                    files.get(i).resolveSibling("apiserver.key"),
                    PemText.of(
                            "PRIVATE KEY",
                            keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
            Files.writeString(files.get(i), certificate(keys));
            int port = ports.get(i);
            Await.until(
                    "the server at " + port + " shows its other certificate",
                    RELOADED,
                    () -> shown(port).equals(keys.getCertificate("server")));
        }
        return after;
    }

    private static int port(String url) {
        return URI.create(url).getPort();
    }

    private static void trust(TwinServers twins, String ca) {
        patch(twins, "{\"caBundle\":\"" + base64(ca) + "\"}");
    }

    /** The same, with another Secret as credential. */
    private static void trust(TwinServers twins, String ca, String secret) {
        patch(twins, "{\"caBundle\":\"" + base64(ca) + "\",\"credentialSecretRef\":{\"name\":\"" + secret + "\"}}");
    }

    private static void patch(TwinServers twins, String attached) {
        twins.root()
                .succeed(
                        "patch",
                        "clusters.fairlead.io",
                        "prod",
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"attached\":" + attached + "}}");
    }

    private static String base64(String ca) {
        return Base64.getEncoder().encodeToString(ca.getBytes(StandardCharsets.US_ASCII));
    }

    private static KeyStore made(Path folder, String name) throws Exception {
        Path store = folder.resolve(name + ".p12");
        KeyTool.generate(
                store,
                PASSWORD,
                "server",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-ext",
                "bc:c=ca:true");
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }

    private static String certificate(KeyStore keys) throws Exception {
        return PemText.of("CERTIFICATE", keys.getCertificate("server").getEncoded());
    }

    private static Certificate shown(int port) throws Exception {
        try (SSLSocket socket =
                (SSLSocket) TrustEveryone.context().getSocketFactory().createSocket("127.0.0.1", port)) {
            return socket.getSession().getPeerCertificates()[0];
        }
    }
}
