package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A hosted cluster, from its creation to the end of a namespace in it, as a newcomer goes through it with kubectl. */
final class HostedTourIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String NAMESPACE = "{apiVersion: v1, kind: Namespace, metadata: {name: tour}}";
    private static final String CONFIG_MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: left}}";
    private static final String CRD = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: boats.harbour.example.com}
        spec:
          group: harbour.example.com
          scope: Namespaced
          names: {plural: boats, singular: boat, kind: Boat, shortNames: [bt]}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            additionalPrinterColumns:
            - {name: Length, type: integer, jsonPath: .spec.length}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    description: What the boat is like.
                    type: object
                    required: [length]
                    properties:
                      length: {type: integer, minimum: 1, description: Metres from bow to stern.}
                      flag: {type: string, default: white}
        """;
    private static final String BOAT = """
        apiVersion: harbour.example.com/v1
        kind: Boat
        metadata: {name: gull, finalizers: [example.com/unload]}
        spec: {length: 12, unknown: pruned}
        """;

    @Test
    void tour() {
        Path folder = Checkout.scratch("HostedTourIT");
        try (FairleadProcess fairlead = FairleadProcess.start(folder)) {
            Output created = fairlead.command("cluster", "create", "dev");
            assertThat(created.exitCode()).as("%s", created).isZero();
            var kubectl = new Kubectl(folder.resolve("kubectl"), fairlead.kubeconfigOf("dev"));

            kubectl.succeedWith(NAMESPACE, "apply", "-f", "-");
            defines(kubectl);
            watches(kubectl);
            validates(kubectl);
            explains(kubectl);
            deletesWithFinalizer(kubectl);
            deletesNamespace(kubectl);
            assertThat(fairlead.command("cluster", "list").output()).contains("dev", "root");
        }
    }

    private static void defines(Kubectl kubectl) {
        kubectl.succeedWith(CRD, "apply", "-f", "-");
        kubectl.succeed("wait", "--for=condition=Established", "crd/boats.harbour.example.com", "--timeout=30s");
        kubectl.succeedWith(BOAT, "apply", "-n", "tour", "--validate=false", "-f", "-");

        assertThat(kubectl.succeed("get", "bt", "-n", "tour")).containsPattern("NAME +LENGTH\ngull +12\n");
        assertThat(kubectl.succeed("get", "boat", "gull", "-n", "tour", "-o", "jsonpath={.spec}"))
                .contains("\"flag\":\"white\"")
                .doesNotContain("pruned");
    }

    private static void watches(Kubectl kubectl) {
        try (OwnedProcess watching =
                kubectl.start("watch", "get", "boats", "-n", "tour", "-w", "--output-watch-events")) {
            awaitLine(watching, "ADDED +gull +12");
            kubectl.succeed("patch", "boat", "gull", "-n", "tour", "--type=merge", "-p", "{\"spec\":{\"length\":13}}");
            awaitLine(watching, "MODIFIED +gull +13");
        }
    }

    private static void validates(Kubectl kubectl) {
        Output refused = kubectl.apply(BOAT.replace("12", "0"), "apply", "-n", "tour", "--validate=false", "-f", "-");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors())
                .contains("The Boat \"gull\" is invalid", "spec.length", "should be greater than or equal to 1");
    }

    private static void explains(Kubectl kubectl) {
        assertThat(kubectl.succeed("explain", "boats.spec"))
                .contains("What the boat is like.", "length", "Metres from");
        assertThat(kubectl.succeed("api-resources", "--api-group=harbour.example.com"))
                .contains("boats", "bt", "Boat");
    }

    private static void deletesWithFinalizer(Kubectl kubectl) {
        kubectl.succeed("delete", "boat", "gull", "-n", "tour", "--wait=false");
        assertThat(kubectl.succeed("get", "boat", "gull", "-n", "tour", "-o", "jsonpath={.metadata.deletionTimestamp}"))
                .isNotEmpty();

        kubectl.succeed(
                "patch",
                "boat",
                "gull",
                "-n",
                "tour",
                "--type=json",
                "-p",
                "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]");

        assertThat(kubectl.run("get", "boat", "gull", "-n", "tour").errors())
                .contains("boats.harbour.example.com \"gull\" not found");
    }

    private static void deletesNamespace(Kubectl kubectl) {
        kubectl.succeedWith(CONFIG_MAP, "apply", "-n", "tour", "-f", "-");
        kubectl.succeed("delete", "namespace", "tour", "--timeout=60s");

        assertThat(kubectl.run("get", "namespace", "tour").errors()).contains("namespaces \"tour\" not found");
        assertThat(kubectl.succeed("get", "configmaps", "-n", "tour", "-o", "name"))
                .isEmpty();
    }

    private static void awaitLine(OwnedProcess watching, String pattern) {
        Await.until(pattern, SOON, () -> watching.output().lines().anyMatch(line -> line.matches(pattern + ".*")));
    }
}
