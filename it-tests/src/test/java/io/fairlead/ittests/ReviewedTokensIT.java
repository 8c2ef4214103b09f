package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** ServiceAccounts of an attached cluster, of which it says itself whose their tokens are. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReviewedTokensIT {
    private static final Path FOLDER = Checkout.scratch("ReviewedTokensIT");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String REVIEW =
            "{\"apiVersion\": \"authentication.k8s.io/v1\", \"kind\": \"SelfSubjectReview\"}";

    private KubeCluster kube = KubeCluster.start(Checkout.scratch("ReviewedTokensIT-kube"));
    private FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    void start() {
        fairlead = FairleadProcess.start(FOLDER, "--limits-failed-authentications-per-second-max", "1000");
        for (String cluster : new String[] {"real"}) {
            fairlead.attach(cluster, kube.kubeconfig());
        }
        assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
        kubectl().succeed("create", "serviceaccount", "robot");
    }

    @AfterAll
    void stop() {
        fairlead.close();
        kube.close();
    }

    @Test
    void token_isWhoseTheClusterSaysItIs_thereAndNowhereElse() throws Exception {
        String token = kubectl().succeed("create", "token", "robot").strip();
        assertThat(status("real", token))
                .as("before its registration wants that")
                .isEqualTo(401);

        kubectlOfRoot()
                .succeed(
                        "patch",
                        "cluster",
                        "real",
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"attached\":{\"tokenReview\":true}}}");
        Await.until("it is accepted", SOON, () -> status("real", token) == 201);

        assertThat(user(fairlead.endpoint() + "/clusters/real", token)).isEqualTo(user(kube.url(), token));
        for (String other : new String[] {"dev", "root", "none"}) {
            assertThat(status(other, token)).as(other).isEqualTo(401);
        }
        String ofOthers = kubectl()
                .succeed("create", "token", "robot", "--audience", "vault")
                .strip();
        assertThat(status("real", ofOthers)).as("of another audience").isEqualTo(401);
        kubectl().succeed("delete", "serviceaccount", "robot");
        Await.until("it ends with its account", SOON, () -> status("real", token) == 401);
    }

    private int status(String cluster, String token) {
        return ask(fairlead.endpoint() + "/clusters/" + cluster, token).status();
    }

    private static JsonElement user(String url, String token) {
        return JsonParser.parseString(ask(url, token).body())
                .getAsJsonObject()
                .getAsJsonObject("status")
                .get("userInfo");
    }

    private static HttpProbe.Answer ask(String url, String token) {
        try (HttpProbe probe = HttpProbe.withToken(url, token)) {
            return probe.send("POST", WHO, "application/json", REVIEW);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Kubectl kubectl() {
        return new Kubectl(FOLDER.resolve("kubectl-real"), kube.kubeconfig());
    }

    private Kubectl kubectlOfRoot() {
        return new Kubectl(FOLDER.resolve("kubectl-root"), fairlead.adminKubeconfig());
    }
}
