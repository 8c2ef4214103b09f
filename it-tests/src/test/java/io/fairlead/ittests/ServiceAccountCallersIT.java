package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** ServiceAccounts of hosted clusters as callers of Fairlead: each in its own cluster, and nowhere else. */
final class ServiceAccountCallersIT {
    private static final Path FOLDER = Checkout.scratch("ServiceAccountCallersIT");
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String REVIEW =
            "{\"apiVersion\": \"authentication.k8s.io/v1\", \"kind\": \"SelfSubjectReview\"}";

    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    static void start() {
        fairlead = FairleadProcess.start(FOLDER, "--limits-failed-authentications-per-second-max", "1000");
        for (String cluster : List.of("dev", "test")) {
            assertThat(fairlead.command("cluster", "create", cluster).exitCode())
                    .isZero();
            kubectl(cluster).succeed("create", "serviceaccount", "robot");
            kubectl(cluster)
                    .succeed(
                            "create",
                            "clusterrolebinding",
                            "robot",
                            "--clusterrole=cluster-admin",
                            "--serviceaccount=default:robot");
        }
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    @Test
    void token_isItsAccounts_withTheRightsOfTheCluster() throws Exception {
        String token = token("dev", "robot");

        JsonObject user = JsonParser.parseString(who("dev", token).body())
                .getAsJsonObject()
                .getAsJsonObject("status")
                .getAsJsonObject("userInfo");

        assertThat(user.get("username").getAsString()).isEqualTo("system:serviceaccount:default:robot");
        assertThat(user.getAsJsonArray("groups"))
                .extracting(JsonElement::getAsString)
                .containsExactly("system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated");
        assertThat(user.getAsJsonObject("extra").keySet())
                .containsExactly("authentication.kubernetes.io/credential-id");
        assertThat(get("dev", "/api/v1/secrets", token).status()).isEqualTo(200);
        // Without the administrator's certificate, which would decide.
        Kubectl robots =
                new Kubectl(FOLDER.resolve("kubectl-robot"), FairleadUsers.kubeconfig(fairlead, "robot", token, "dev"));
        assertThat(robots.succeed("auth", "whoami")).contains("system:serviceaccount:default:robot");
        assertThat(robots.run("get", "configmaps", "-w", "--request-timeout=1s", "-o", "name")
                        .output())
                .contains("configmap/kube-root-ca.crt");

        kubectl("dev").succeed("create", "serviceaccount", "idle");
        assertThat(get("dev", "/api/v1/secrets", token("dev", "idle")).status()).isEqualTo(403);
    }

    /** Whatever it may do at home, and whether the other cluster has one of its name. */
    @Test
    void token_opensNoOtherCluster() throws Exception {
        String token = token("dev", "robot");

        String refused = get("test", "/api", token).body();
        assertThat(refused).contains("\"code\":401");
        for (String cluster : List.of("test", "root", "none")) {
            assertThat(get(cluster, "/api", token).body()).as(cluster).isEqualTo(refused);
        }
        for (String path :
                List.of("/fairlead/v1/clusters", "/fairlead/v1/clusters/dev", "/metrics", "/version", "/readyz")) {
            try (HttpProbe probe = HttpProbe.withToken(fairlead.endpoint(), token)) {
                assertThat(probe.get(path).status()).as(path).isEqualTo(401);
            }
        }
        for (String form : List.of("X-Kubernetes-Cluster", "X-Cluster")) {
            try (HttpProbe probe = HttpProbe.withToken(fairlead.endpoint(), token)) {
                assertThat(probe.get("/api/v1/secrets", Map.of(form, "test")).status())
                        .isEqualTo(401);
                assertThat(probe.get("/api/v1/secrets", Map.of(form, "dev")).status())
                        .isEqualTo(200);
            }
        }
        assertThat(get("test", "/api/v1/secrets", token("test", "robot")).status())
                .isEqualTo(200);
    }

    @Test
    void token_survivesAKill_andEndsWithItsAccount() throws Exception {
        kubectl("dev").succeed("create", "serviceaccount", "brief");
        String token = token("dev", "brief");
        assertThat(who("dev", token).status()).isEqualTo(201);

        fairlead.kill();
        fairlead.start();

        assertThat(who("dev", token).status())
                .as("the first request after a start")
                .isEqualTo(201);
        kubectl("dev").succeed("delete", "serviceaccount", "brief");
        assertThat(who("dev", token).status()).isEqualTo(401);
        kubectl("dev").succeed("create", "serviceaccount", "brief");
        assertThat(who("dev", token).status()).as("another one of the name").isEqualTo(401);
    }

    @Test
    void clusterThatVouchesForNone_isEnteredByNone() throws Exception {
        assertThat(fairlead.command("cluster", "create", "closed").exitCode()).isZero();
        String token = token("closed", "default");
        assertThat(who("closed", token).status()).isEqualTo(201);

        kubectlOfRoot()
                .succeed(
                        "patch",
                        "cluster",
                        "closed",
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"allowOwnIdentities\":false}}");

        Await.until("it is refused", SOON, () -> status("closed", token) == 401);
    }

    private static int status(String cluster, String token) {
        try {
            return who(cluster, token).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static HttpProbe.Answer who(String cluster, String token) throws IOException, InterruptedException {
        try (HttpProbe probe = HttpProbe.overHttp2(url(cluster), token)) {
            return probe.send("POST", WHO, "application/json", REVIEW);
        }
    }

    private static HttpProbe.Answer get(String cluster, String path, String token)
            throws IOException, InterruptedException {
        try (HttpProbe probe = HttpProbe.withToken(url(cluster), token)) {
            return probe.get(path);
        }
    }

    private static String url(String cluster) {
        return fairlead.endpoint() + "/clusters/" + cluster;
    }

    private static String token(String cluster, String account) {
        return kubectl(cluster).succeed("create", "token", account).strip();
    }

    private static Kubectl kubectl(String cluster) {
        return new Kubectl(FOLDER.resolve("kubectl-" + cluster), fairlead.kubeconfigOf(cluster));
    }

    private static Kubectl kubectlOfRoot() {
        return new Kubectl(FOLDER.resolve("kubectl-root"), fairlead.adminKubeconfig());
    }
}
