package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What is done first with a cluster, whatever serves it: it is attached by a kubeconfig, kubectl reads and writes through Fairlead,
 * a CRD is defined, used, pinned and deleted. Nothing of it is left in the cluster.
 */
final class FirstSteps {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final BoundedType KEEL = new BoundedType("keels", "Keel", "steps.example.com", "depth");
    private static final String CRD = "keels.steps.example.com";
    private static final String SERVED = "steps.example.com/v1/keels";

    private final Path folder;
    private final FairleadProcess fairlead;

    FirstSteps(Path folder, FairleadProcess fairlead) {
        this.folder = folder;
        this.fairlead = fairlead;
    }

    /** Takes them with the cluster to which a kubeconfig leads. */
    void take(String id, Path kubeconfig) {
        fairlead.attach(id, kubeconfig);
        var kubectl = new Kubectl(folder.resolve("kubectl-" + id), fairlead.kubeconfigOf(id));
        readAndWrite(kubectl);
        askForBuiltInKinds(id);
        defineAndUse(id, kubectl);
        pin(id, kubectl);

        kubectl.succeed("delete", "crd", CRD, "--timeout=60s");
        Await.until("the index has forgotten it", SOON, () -> served(id).exitCode() == 1);
    }

    private static void readAndWrite(Kubectl kubectl) {
        assertThat(kubectl.succeed("get", "namespaces", "-o", "name")).contains("namespace/default");
        assertThat(kubectl.succeed("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
                .isEqualTo("fairlead-admin");
        kubectl.succeed("create", "configmap", "first", "-n", "default", "--from-literal=a=1");
        kubectl.succeed("patch", "configmap", "first", "-n", "default", "-p", "{\"data\":{\"a\":\"2\"}}");
        assertThat(kubectl.succeed("get", "configmap", "first", "-n", "default", "-o", "jsonpath={.data.a}"))
                .isEqualTo("2");
        kubectl.succeed("delete", "configmap", "first", "-n", "default");
    }

    private void askForBuiltInKinds(String id) {
        assertThat(fairlead.command("served", "-c", id, "core/v1/pods"))
                .satisfies(pods -> assertThat(pods.exitCode()).isZero())
                .satisfies(pods -> assertThat(pods.output())
                        .startsWith("SERVED, route base-handler (as its API server says now)\n"));
        assertThat(fairlead.command("served", "-c", id, "core/v1/nonsense").exitCode())
                .isEqualTo(1);
    }

    private void defineAndUse(String id, Kubectl kubectl) {
        kubectl.succeedWith(KEEL.definition(10), "apply", "-f", "-");
        kubectl.succeed("wait", "--for=condition=Established", "crd/" + CRD, "--timeout=60s");
        Await.until("the index knows it", SOON, () -> served(id).exitCode() == 0);
        assertThat(served(id).output()).contains("crd-runtime");
        Await.until(
                "it is created",
                SOON,
                () -> kubectl.apply(keel(3), "apply", "-f", "-").exitCode() == 0);
        assertThat(kubectl.succeed("get", "keel", "long", "-n", "default", "-o", "jsonpath={.spec.depth}"))
                .isEqualTo("3");
        assertThat(kubectl.apply(keel(11), "apply", "-f", "-").errors()).contains("less than or equal to 10");
    }

    private void pin(String id, Kubectl kubectl) {
        var root = new Kubectl(folder.resolve("kubectl-root"), fairlead.adminKubeconfig());
        root.succeedWith("""
            apiVersion: fairlead.io/v1alpha1
            kind: TypePin
            metadata: {name: keels}
            spec:
              clusters: {matchNames: [%s]}
              group: steps.example.com
              kind: Keel
              allow: ["v1:sha256:%s"]
            """.formatted(id, "0".repeat(64)), "apply", "-f", "-");
        Await.until("writes are denied", SOON, () -> {
            Output denied = kubectl.apply(keel(4), "apply", "-f", "-");
            return denied.exitCode() != 0 && denied.errors().contains("TypePin \"keels\" denied");
        });
        assertThat(kubectl.succeed("get", "keels", "-n", "default", "-o", "name"))
                .isEqualTo("keel.steps.example.com/long\n");

        root.succeed("delete", "typepin", "keels");
        Await.until(
                "writes pass again",
                SOON,
                () -> kubectl.apply(keel(4), "apply", "-f", "-").exitCode() == 0);
    }

    private Output served(String id) {
        return fairlead.command("served", "-c", id, SERVED);
    }

    private static String keel(int depth) {
        return "{apiVersion: steps.example.com/v1, kind: Keel, metadata: {name: long, namespace: default}, spec:"
                + " {depth: "
                + depth + "}}";
    }
}
