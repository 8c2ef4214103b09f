package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters whose API server is reached below a path of another Fairlead, as of Rancher or kcp, or through an HTTP proxy. */
final class FarServersIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Path FOLDER = Checkout.scratch("FarServersIT");
    private static final Map<String, String> SPDY = Map.of("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false");

    private static HttpServer workload;
    private static KubeCluster kube;
    private static SimulatedNode node;
    private static FairleadProcess near;
    private static FairleadProcess far;
    private static HostsProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        workload = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        workload.start();
        kube = KubeCluster.start(subfolder("kube"), List.of("--disable-admission-plugins=ServiceAccount"));
        node = SimulatedNode.start(
                subfolder("node"), kube, workload.getAddress().getPort());
        near = FairleadProcess.start(subfolder("near"));
        near.attach("prod", kube.kubeconfig());
        far = FairleadProcess.start(subfolder("far"));
        proxy = HostsProxy.start();
        String byPath = Files.readString(near.kubeconfigOf("prod"));
        far.attach("path", write("path.kubeconfig", byPath));
        far.attach(
                "prefix",
                write("prefix.kubeconfig", byPath.replace("/clusters/prod", "/k8s/clusters/prod/")),
                "--alias-of",
                "path");
        Path proxied = write("proxied.kubeconfig", Files.readString(kube.kubeconfig()));
        new Kubectl(FOLDER.resolve("config"), proxied).succeed("config", "set", "clusters.kube.proxy-url", proxy.url());
        far.attach("proxied", proxied, "--alias-of", "path");
    }

    @AfterAll
    static void stop() {
        close(far);
        close(near);
        close(proxy);
        close(node);
        close(kube);
        if (workload != null) {
            workload.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"path", "prefix", "proxied"})
    void objectsAreReadWrittenAndWatched(String id) {
        Kubectl kubectl = through(id);
        assertThat(kubectl.succeed("get", "nodes", "-o", "name")).isEqualTo("node/sim\n");
        kubectl.succeed("create", "configmap", "first-" + id);
        try (OwnedProcess watching = kubectl.start("watch-" + id, "get", "configmaps", "--watch", "-o", "name")) {
            Await.until("the watch is open", SOON, () -> watching.output().contains("configmap/first-" + id));

            kubectl.succeed("create", "configmap", "far-" + id, "--from-literal=a=1");
            kubectl.succeedWith(
                    "{apiVersion: v1, kind: ConfigMap, metadata: {name: applied-" + id + "}, data: {a: b}}",
                    "apply",
                    "--server-side",
                    "-f",
                    "-");

            Await.until(
                    "both are heard of",
                    SOON,
                    () -> watching.output().contains("configmap/far-" + id)
                            && watching.output().contains("configmap/applied-" + id));
        }
        assertThat(kubectl.succeed("delete", "configmap", "far-" + id)).contains("deleted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"path", "prefix", "proxied"})
    void commandsRunInPods(String id) {
        for (Map<String, String> environment : List.of(Map.<String, String>of(), SPDY)) {
            Output ran = exec(through(id), environment, "read x; echo got $x");
            assertThat(ran.exitCode()).as("%s", ran).isZero();
            assertThat(ran.output()).isEqualTo("got a line\n");

            String failing = "read x; echo got $x; exit 3";
            Output failed = exec(through(id), environment, failing);
            assertThat(failed.exitCode()).isNotZero();
            assertThat(failed)
                    .isEqualTo(exec(new Kubectl(FOLDER.resolve("direct"), kube.kubeconfig()), environment, failing));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"path", "prefix", "proxied"})
    void typesAreKnown(String id) {
        String crd = "crd-of-" + id;
        through(id).succeedWith("""
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boats.%1$s.example.com}
            spec:
              group: %1$s.example.com
              scope: Namespaced
              names: {plural: boats, singular: boat, kind: Boat}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """.formatted(crd), "apply", "-f", "-");

        Await.until(
                "the type is served",
                SOON,
                () -> far.command("served", "-c", id, crd + ".example.com/v1/boats")
                                .exitCode()
                        == 0);
        assertThat(far.command("served", "-c", id, "apps/v1").exitCode()).isZero();
    }

    @Test
    void proxy_isKeptInTheRegistration_andAskedForTheServer() {
        Kubectl root = new Kubectl(FOLDER.resolve("root"), far.adminKubeconfig());

        assertThat(root.succeed("get", "cluster", "proxied", "-o", "jsonpath={.spec.attached.proxyUrl}"))
                .isEqualTo(proxy.url());
        assertThat(proxy.asked()).isNotEmpty().containsOnly(kube.url().substring("https://".length()));
    }

    private static Output exec(Kubectl kubectl, Map<String, String> environment, String script) {
        return kubectl.run("a line\n", environment, List.of("exec", "-i", "web", "--", "sh", "-c", script));
    }

    private static Kubectl through(String id) {
        return new Kubectl(FOLDER.resolve("through-" + id), far.kubeconfigOf(id));
    }

    private static Path write(String name, String text) throws IOException {
        return Files.writeString(FOLDER.resolve(name), text);
    }

    private static Path subfolder(String name) throws IOException {
        return Files.createDirectories(FOLDER.resolve(name));
    }

    private static void close(AutoCloseable part) {
        try {
            if (part != null) {
                part.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
