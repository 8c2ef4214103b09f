package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Registered clusters whose credential changes, and those that cannot be used, beside one that can. */
final class RegistrationIT {
    private static final String SECOND_TOKEN = SharedKube.SECOND.token();
    private static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    private static final String SECRET = "/api/v1/namespaces/fairlead-system/secrets/cluster-prod";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Path FOLDER = Checkout.scratch("RegistrationIT");
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    @BeforeAll
    static void start() {
        ATTACHED.startRelayed();
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @Test
    void rotatedCredential_isUsedForNewRequests_andOpenWatchesLiveOn() throws Exception {
        var kubectl = new Kubectl(FOLDER.resolve("kubectl"), ATTACHED.fairlead().kubeconfigOf("prod"));
        try (var probe = probe();
                OwnedProcess watching = kubectl.start("watch", "get", "configmaps", "--watch", "-o", "name")) {
            create(probe, "/clusters/prod", "before-rotation");
            awaitSeen(watching, "configmap/before-rotation");

            rotate(probe, KubeCluster.ADMIN_TOKEN, SECOND_TOKEN);
            awaitCredential(probe, SECOND_TOKEN);
            create(probe, "/clusters/prod", "after-rotation");
            awaitSeen(watching, "configmap/after-rotation");

            rotate(probe, SECOND_TOKEN, "not-a-token");
            Await.until(
                    "prod is refused",
                    SOON,
                    () -> cluster(probe, "prod")
                            .contains("refuses Fairlead's credential (401 for /version, expected a new one in the"
                                    + " Secret that its registration names): Unauthorized"));
            assertThat(cluster(probe, "prod")).doesNotContain("not-a-token");
            Output refused = kubectl.run("get", "namespaces");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.output()).isEmpty();
            assertThat(refused.told())
                    .isEqualTo("""
                        Warning: %1$s
                        Error from server (BadGateway): %1$s
                        """.formatted("cluster \"prod\": the cluster refuses Fairlead's credential (401), not"
                            + " the caller's (expected a new one in the Secret that"
                            + " clusters.fairlead.io \"prod\" in the root cluster names)"));
            try (var direct = HttpProbe.withToken(ATTACHED.kube().url(), KubeCluster.ADMIN_TOKEN)) {
                create(direct, "", "after-refusal");
            }
            awaitSeen(watching, "configmap/after-refusal");

            rotate(probe, "not-a-token", KubeCluster.ADMIN_TOKEN);
            awaitCredential(probe, KubeCluster.ADMIN_TOKEN);
            Await.until("prod is Ready again", SOON, () -> isReady(probe, "prod"));
            assertThat(watching.isAlive()).isTrue();
        }
    }

    @Test
    void clustersThatCannotBeUsed_areNamedAndLeaveTheOthersAlone() throws Exception {
        try (var probe = probe();
                ServerSocket mute = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Await.until("prod is Ready", SOON, () -> isReady(probe, "prod"));
            String kube = ATTACHED.kube().url();
            Path kubeCa = ATTACHED.kube().caFile();
            String down = "https://127.0.0.1:" + FreePorts.take(1).getFirst();
            String silent = "https://127.0.0.1:" + mute.getLocalPort();
            register(probe, "down", kubeconfig(down, kubeCa, KubeCluster.ADMIN_TOKEN));
            register(probe, "mute", kubeconfig(silent, kubeCa, KubeCluster.ADMIN_TOKEN));
            register(probe, "refused", kubeconfig(kube, kubeCa, "not-a-token"));
            register(probe, "stranger", kubeconfig(kube, ATTACHED.relay().caFile(), KubeCluster.ADMIN_TOKEN));
            var expected = new LinkedHashMap<String, String>();
            expected.put("down", "ConnectionFailed");
            expected.put("mute", "Timeout");
            expected.put("refused", "CredentialRefused");
            expected.put("stranger", "CertificateRefused");

            awaitReasons(probe, expected);

            assertThat(cluster(probe, "down")).contains(down.substring("https://".length()));
            assertThat(cluster(probe, "refused")).doesNotContain("not-a-token");
            assertThat(probe.get("/clusters/down/api/v1/namespaces"))
                    .satisfies(answer -> assertThat(answer.status()).isEqualTo(503))
                    .satisfies(answer -> assertThat(answer.body()).contains("\"Status\"", "\\\"down\\\""));
            assertUnharmed(probe);

            ATTACHED.fairlead().kill();
            ATTACHED.fairlead().start();
            try (var again = probe()) {
                // Its stored status says so from before; the new process looks for itself.
                Await.until(
                        "prod is found Ready after a restart",
                        SOON,
                        () -> ATTACHED.fairlead().log().contains("\"msg\":\"Cluster is Ready\",\"cluster\":\"prod\""));
                Await.until("its status says so", SOON, () -> isReady(again, "prod"));
                assertUnharmed(again);
                awaitReasons(again, expected);
                for (String name : expected.keySet()) {
                    assertThat(again.delete(CLUSTERS + "/" + name).status()).isEqualTo(200);
                }
            }
        }
    }

    private static HttpProbe probe() {
        return HttpProbe.withToken(ATTACHED.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN);
    }

    private static void create(HttpProbe probe, String cluster, String name) throws Exception {
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"}}".formatted(name);
        var answer = probe.send("POST", cluster + CONFIG_MAPS, "application/json", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    }

    private static void awaitSeen(OwnedProcess watching, String line) {
        Await.until(line + " in a watch", SOON, () -> watching.output().contains(line));
    }

    /** Replaces the token in the kubeconfig that prod's Secret holds. */
    private static void rotate(HttpProbe probe, String from, String to) throws Exception {
        String secret = probe.get(SECRET).body();
        String encoded = secret.replaceAll("(?s).*\"kubeconfig\"\\s*:\\s*\"([^\"]+)\".*", "$1");
        String kubeconfig = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        assertThat(kubeconfig).contains(from);
        String patch = "{\"data\":{\"kubeconfig\":\"" + base64(kubeconfig.replace(from, to)) + "\"}}";
        assertThat(probe.send("PATCH", SECRET, "application/merge-patch+json", patch)
                        .status())
                .isEqualTo(200);
    }

    private static void awaitCredential(HttpProbe probe, String token) {
        Await.until("requests carry the new credential", SOON, () -> {
            ATTACHED.relay().forget();
            var answer = probe.get("/clusters/prod/api/v1/namespaces?canary=rotation");
            String received = ATTACHED.relay().received();
            int request = received.indexOf("canary=rotation");
            int end = received.indexOf("\r\n\r\n", request);
            return answer.status() == 200
                    && request >= 0
                    && received.substring(request, end).contains("Bearer " + token);
        });
    }

    private static void register(HttpProbe probe, String name, String kubeconfig) throws Exception {
        String secret =
                "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"kubeconfig\":\"%s\"}}".formatted(name, base64(kubeconfig));
        String cluster = "{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":\"%s\"},"
                        .formatted(name)
                + "\"spec\":{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"%s\"}}}}".formatted(name);
        var stored = probe.send("POST", "/api/v1/namespaces/fairlead-system/secrets", "application/json", secret);
        assertThat(stored.status()).as(stored.body()).isEqualTo(201);
        var registered = probe.send("POST", CLUSTERS, "application/json", cluster);
        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
    }

    private static void awaitReasons(HttpProbe probe, Map<String, String> expected) {
        expected.forEach((name, reason) -> Await.until(
                name + " is " + reason, SOON, () -> cluster(probe, name).contains("\"reason\":\"" + reason + "\"")));
    }

    private static void assertUnharmed(HttpProbe probe) throws Exception {
        assertThat(isReady(probe, "prod")).isTrue();
        assertThat(probe.get("/clusters/prod/api/v1/namespaces").status()).isEqualTo(200);
        assertThat(probe.get("/clusters/root/api/v1/namespaces").status()).isEqualTo(200);
    }

    private static boolean isReady(HttpProbe probe, String name) throws Exception {
        return cluster(probe, name).contains("\"reason\":\"Ready\"");
    }

    private static String cluster(HttpProbe probe, String name) throws Exception {
        return probe.get(CLUSTERS + "/" + name).body().replaceAll("\"\\s*:\\s*", "\":");
    }

    private static String kubeconfig(String server, Path ca, String token) throws IOException {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: x, cluster: {server: "%s", certificate-authority-data: %s}}]
            users: [{name: x, user: {token: "%s"}}]
            contexts: [{name: x, context: {cluster: x, user: x}}]
            current-context: x
            """.formatted(server, base64(Files.readString(ca)), token);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
