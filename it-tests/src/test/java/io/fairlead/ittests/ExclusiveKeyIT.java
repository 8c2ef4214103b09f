package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Users' rules about a real cluster and a hosted one. */
final class ExclusiveKeyIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Path FOLDER = Checkout.scratch("ExclusiveKeyIT");
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    /** Core has bindings too. */
    private static final String BINDINGS = "bindings.exclusive.example.io";

    private static final String DEFINITIONS = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: bindings.exclusive.example.io}
        spec:
          group: exclusive.example.io
          scope: Namespaced
          names: {plural: bindings, singular: binding, kind: Binding, listKind: BindingList}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      poolRef: {type: object, properties: {name: {type: string}}}
                      containerName: {type: string}
                  status: {type: object, x-kubernetes-preserve-unknown-fields: true}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: pools.exclusive.example.io}
        spec:
          group: exclusive.example.io
          scope: Namespaced
          names: {plural: pools, singular: pool, kind: Pool, listKind: PoolList}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """;

    private static final String OBJECTS = """
        apiVersion: v1
        kind: Namespace
        metadata: {name: exclusive}
        ---
        apiVersion: exclusive.example.io/v1
        kind: Pool
        metadata: {name: by-labels, namespace: exclusive}
        spec: {selector: {matchLabels: {app: web, tier: front}}}
        ---
        apiVersion: exclusive.example.io/v1
        kind: Pool
        metadata: {name: by-expressions, namespace: exclusive}
        spec:
          selector:
            matchExpressions:
            - {key: tier, operator: In, values: [front, front]}
            - {key: app, operator: In, values: [web]}
        ---
        apiVersion: exclusive.example.io/v1
        kind: Binding
        metadata: {name: a, namespace: exclusive}
        spec: {poolRef: {name: by-labels}, containerName: main}
        ---
        apiVersion: exclusive.example.io/v1
        kind: Binding
        metadata: {name: b, namespace: exclusive}
        spec: {poolRef: {name: by-expressions}, containerName: main}
        ---
        apiVersion: exclusive.example.io/v1
        kind: Binding
        metadata: {name: c, namespace: exclusive}
        spec: {poolRef: {name: by-labels}, containerName: other}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: identity-of-a, namespace: exclusive, labels: {exclusive.example.io/binding: a}}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: identity-of-b, namespace: exclusive, labels: {exclusive.example.io/binding: b}}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: identity-of-c, namespace: exclusive, labels: {exclusive.example.io/binding: c}}
        """;

    private static Kubectl root;
    private static Kubectl prod;
    private static Kubectl dev;

    @BeforeAll
    static void start() {
        FairleadProcess fairlead = ATTACHED.start().fairlead();
        root = new Kubectl(FOLDER.resolve("root"), fairlead.adminKubeconfig());
        root.succeedWith("""
            apiVersion: fairlead.io/v1alpha1
            kind: Cluster
            metadata: {name: dev}
            spec: {hosted: {}}
            """, "apply", "-f", "-");
        root.succeed("wait", "--for=condition=Ready", "cluster/dev", "--timeout=60s");
        prod = new Kubectl(FOLDER.resolve("prod"), fairlead.kubeconfigOf("prod"));
        dev = new Kubectl(FOLDER.resolve("dev"), fairlead.kubeconfigOf("dev"));
        for (Kubectl cluster : new Kubectl[] {prod, dev}) {
            cluster.succeedWith(DEFINITIONS, "apply", "-f", "-");
            cluster.succeed(
                    "wait", "--for=condition=Established", "crd/bindings.exclusive.example.io", "--timeout=60s");
            cluster.succeed("wait", "--for=condition=Established", "crd/pools.exclusive.example.io", "--timeout=60s");
        }
    }

    @AfterAll
    static void stop() {
        prod.run("delete", "crd", "bindings.exclusive.example.io", "pools.exclusive.example.io", "--wait=false");
        prod.run("delete", "namespace", "exclusive", "hosts", "--wait=false");
        ATTACHED.close();
    }

    @Test
    void twoBindingsOfOneWorkload_loseBoth_andRecoverWhenOneIsEdited() {
        for (Kubectl cluster : new Kubectl[] {prod, dev}) {
            cluster.succeedWith(OBJECTS, "apply", "-f", "-");
        }
        root.succeedWith("""
            apiVersion: fairlead.io/v1alpha1
            kind: ExclusiveKey
            metadata: {name: one-identity}
            spec:
              clusters: {matchNames: [prod, dev]}
              resource: {group: exclusive.example.io, version: v1, resource: bindings}
              scope: Namespace
              onConflict: AllLose
              key: "[selectorOf(pool.spec.selector), object.spec.containerName]"
              lookups:
              - name: pool
                resource: {group: exclusive.example.io, version: v1, resource: pools}
                objectName: object.spec.poolRef.name
              publishCondition: true
              withdraw:
              - resource: {version: v1, resource: configmaps}
                nameLabel: exclusive.example.io/binding
            """, "apply", "-f", "-");
        root.succeed("wait", "--for=condition=Conflict", "exclusivekey/one-identity", "--timeout=60s");

        for (Kubectl cluster : new Kubectl[] {prod, dev}) {
            cluster.succeed("-n", "exclusive", "wait", "--for=condition=Conflict", BINDINGS + "/a", "--timeout=60s");
            cluster.succeed("-n", "exclusive", "wait", "--for=condition=Conflict", BINDINGS + "/b", "--timeout=60s");
            assertThat(condition(cluster, "a"))
                    .startsWith("True ExclusiveKeyConflict ")
                    .contains("\"b\"");
            Await.until(
                    "what may be made is told too, since outputs are withdrawn",
                    SOON,
                    () -> condition(cluster, "c").startsWith("False NoConflict "));
            Await.until(
                    "an Event tells a",
                    SOON,
                    () -> cluster.succeed("-n", "exclusive", "describe", BINDINGS, "a")
                            .contains("ClaimConflict"));
        }
        assertThat(dev.succeed("-n", "exclusive", "describe", BINDINGS, "a"))
                .containsPattern("OutputsWithdrawn.*configmaps \"identity-of-a\" was deleted");
        assertThat(maps(dev)).doesNotContain("identity-of-a", "identity-of-b").contains("identity-of-c");
        assertThat(maps(prod)).contains("identity-of-a", "identity-of-b", "identity-of-c");
        Await.until(
                "two conflicts, one in each cluster",
                SOON,
                () -> root.succeed("get", "exclusivekey", "one-identity", "-o", "jsonpath={.status.conflictsTotal}")
                        .equals("2"));
        assertThat(root.succeed("describe", "exclusivekey", "one-identity"))
                .contains("dev/exclusive/a", "dev/exclusive/b", "prod/exclusive/a", "exclusive-key/one-identity/")
                .doesNotContain("exclusive/c");

        for (Kubectl cluster : new Kubectl[] {prod, dev}) {
            cluster.succeed(
                    "-n",
                    "exclusive",
                    "patch",
                    BINDINGS,
                    "b",
                    "--type=merge",
                    "-p",
                    "{\"spec\":{\"containerName\":\"side\"}}");
            for (String binding : new String[] {"a", "b"}) {
                Await.until(
                        binding + " recovers",
                        SOON,
                        () -> condition(cluster, binding).startsWith("False NoConflict "));
            }
        }
        Await.until(
                "there is no conflict",
                SOON,
                () -> root.succeed("get", "exclusivekey", "one-identity", "-o", "jsonpath={.status.conflictsTotal}")
                        .equals("0"));
        assertThat(dev.succeed("-n", "exclusive", "get", BINDINGS, "a", "-o", "jsonpath={.spec.containerName}"))
                .isEqualTo("main");
        root.succeed("delete", "exclusivekey", "one-identity", "--timeout=60s");
    }

    @Test
    void aRuleThatIsDeleted_takesBackWhatItSaid() {
        for (Kubectl cluster : new Kubectl[] {prod, dev}) {
            cluster.succeedWith("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: hosts}
                ---
                apiVersion: exclusive.example.io/v1
                kind: Binding
                metadata: {name: c, namespace: hosts}
                spec: {containerName: main}
                """, "apply", "-f", "-");
            long second = Instant.now().getEpochSecond();
            Await.until("the next one is younger", SOON, () -> Instant.now().getEpochSecond() > second);
        }
        root.succeedWith("""
            apiVersion: fairlead.io/v1alpha1
            kind: ExclusiveKey
            metadata: {name: one-in-fleet}
            spec:
              clusters: {matchNames: [prod, dev]}
              resource: {group: exclusive.example.io, version: v1, resource: bindings}
              scope: Fleet
              key: "__namespace__ == 'hosts' && object.metadata.name == 'c' ? dyn('the only one') : null"
              publishCondition: true
            """, "apply", "-f", "-");
        root.succeed("wait", "--for=condition=Conflict", "exclusivekey/one-in-fleet", "--timeout=60s");
        Await.until(
                "the younger one is told, and whose it is is not",
                SOON,
                () -> condition(dev, "hosts", "c").startsWith("True ExclusiveKeyConflict ")
                        && condition(dev, "hosts", "c").contains("is claimed by 1 other object too since"));
        Await.until(
                "the older one stays", SOON, () -> condition(prod, "hosts", "c").startsWith("False Incumbent "));
        FairleadProcess fairlead = ATTACHED.fairlead();
        Output conflicts = fairlead.command("conflicts");
        assertThat(conflicts.exitCode()).isEqualTo(2);
        String line = conflicts
                .output()
                .lines()
                .filter(each -> each.startsWith("exclusive-key/one-in-fleet/"))
                .findFirst()
                .orElseThrow();
        String key = line.substring(0, line.indexOf(' '));
        assertThat(fairlead.command("conflicts", "--explain", key).output())
                .contains("2 objects claim one key", "stays:  prod/hosts/c", "loses:  dev/hosts/c");

        root.succeed("delete", "exclusivekey", "one-in-fleet", "--timeout=60s");

        for (Kubectl cluster : new Kubectl[] {prod, dev}) {
            assertThat(condition(cluster, "hosts", "c"))
                    .as("both claim the key, which is said no more")
                    .isEmpty();
            Await.until(
                    "an Event tells that it is over",
                    SOON,
                    () -> cluster.succeed("-n", "hosts", "get", "events").contains("ClaimConflictResolved"));
        }
    }

    private static String maps(Kubectl cluster) {
        return cluster.succeed("-n", "exclusive", "get", "configmaps", "-o", "name");
    }

    private static String condition(Kubectl cluster, String binding) {
        return condition(cluster, "exclusive", binding);
    }

    private static String condition(Kubectl cluster, String namespace, String binding) {
        String of = "{.status.conditions[?(@.type==\"Conflict\")]";
        return cluster.succeed(
                        "-n",
                        namespace,
                        "get",
                        BINDINGS,
                        binding,
                        "-o",
                        "jsonpath=" + of + ".status} " + of + ".reason} " + of + ".message}")
                .strip();
    }
}
