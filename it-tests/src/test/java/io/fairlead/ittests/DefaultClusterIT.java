package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server without a default cluster: clients that drop the path of its URL reach none. */
final class DefaultClusterIT {
    private static final Path FOLDER = Checkout.scratch("DefaultClusterIT");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String SENTENCE =
            "the request names no cluster, and there is no default one (expected /clusters/ID before its path, or a"
                + " header \\\"X-Kubernetes-Cluster: ID\\\"; kubectl proxy, and kubectl before 1.34 with --raw, drop"
                + " the path of a server's URL)";

    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    static void start() {
        fairlead = FairleadProcess.start(FOLDER, "--selection-default-cluster", "none");
        assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    @Test
    void commandsAndKubeconfigs_nameTheirCluster() {
        assertThat(fairlead.output()).doesNotContain("hint:");
        assertThat(fairlead.command("cluster", "list", "-o", "name").output()).isEqualTo("dev\nroot\n");
        assertThat(fairlead.command("kubeconfig", "dev").output()).startsWith("apiVersion:");
        assertThat(new Kubectl(FOLDER.resolve("root"), fairlead.adminKubeconfig())
                        .succeed("get", "clusters", "-o", "name"))
                .isEqualTo("cluster.fairlead.io/dev\ncluster.fairlead.io/root\n");
        assertThat(new Kubectl(FOLDER.resolve("dev"), fairlead.kubeconfigOf("dev"))
                        .succeed("get", "--raw", "/api/v1/namespaces/default"))
                .contains("\"name\":\"default\"");
    }

    @Test
    void kubectlProxy_dropsThePath_andIsToldHowToNameACluster() throws Exception {
        assertThat(throughProxy("dropped", "--port=0")).isEqualTo("""
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s","reason":"ClusterNotNamed",\
            "code":404}
            """.formatted(SENTENCE));
        assertThat(throughProxy("kept", "--port=0", "--append-server-path")).contains("\"name\":\"default\"");
    }

    @Test
    void kubectl_withAUrlWithoutACluster_saysHowToNameOne() {
        Path kubeconfig = fairlead.kubeconfigOf("dev");
        var kubectl = new Kubectl(FOLDER.resolve("bare"), kubeconfig);
        kubectl.succeed("config", "set-cluster", "dev", "--server", fairlead.endpoint());

        Output refused = kubectl.run("get", "pods");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output()).isEmpty();
        assertThat(refused.told()).isEqualTo("""
            Warning: %s
            Error from server (NotFound): the server could not find the requested resource
            """.formatted(SENTENCE.replace("\\", "")));
    }

    private static String throughProxy(String name, String... flags) throws Exception {
        var kubectl = new Kubectl(FOLDER.resolve("proxy-" + name), fairlead.kubeconfigOf("dev"));
        var arguments = new ArrayList<>(List.of("proxy"));
        arguments.addAll(List.of(flags));
        try (OwnedProcess proxy = kubectl.start("proxy", arguments.toArray(String[]::new));
                HttpClient client = HttpClient.newHttpClient()) {
            Await.until("it listens", SOON, () -> proxy.output().contains("Starting to serve on "));
            String address = proxy.output().strip().replaceFirst("(?s).*Starting to serve on ", "");
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/namespaces/default"))
                                    .version(HttpClient.Version.HTTP_1_1)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
