package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.fairlead.ittests.GoModule.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Argo CD's engine, which lists and watches all that a cluster serves, brings a hosted cluster from one commit to the next as it
 * does a real kube-apiserver: it says the same of each object, and leaves the same objects with the same managed fields.
 */
final class GitOpsIT {
    private static final TwinClusters TWINS = TwinClusters.startWithControllers(
            "GitOpsIT", List.of(TwinClusters.ADMIN), "namespace-controller,garbage-collector-controller");
    private static final Path FOLDER = Checkout.scratch("GitOpsIT-engine");
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String KINDS =
            "configmaps,secrets,serviceaccounts,services,deployments.apps,roles,rolebindings,networkpolicies,cronjobs,wares";

    private static final String FIRST = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: wares.shop.example.com}
        spec:
          group: shop.example.com
          scope: Namespaced
          names: {plural: wares, kind: Ware}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    x-kubernetes-validations:
                    - {rule: "self.price >= 0", message: "a price is not negative"}
                    properties:
                      price: {type: integer, default: 1}
                      tags: {type: array, items: {type: string}, x-kubernetes-list-type: set}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: shop}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: seller}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: seller}
        rules: [{apiGroups: [shop.example.com], resources: [wares], verbs: [get, list]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: seller}
        subjects: [{kind: ServiceAccount, name: seller, namespace: shop}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: seller}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        data: {colour: blue, size: small}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: passing}
        data: {a: b}
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: key}
        stringData: {token: abc}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: front}
        spec: {selector: {app: front}, ports: [{name: http, port: 80, targetPort: 8080}]}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: front}
        spec: {podSelector: {}, policyTypes: [Ingress]}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: nightly}
        spec:
          schedule: "0 3 * * *"
          suspend: true
          jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: example.com/nightly:1}]}}}}
        ---
        apiVersion: shop.example.com/v1
        kind: Ware
        metadata: {name: apple}
        spec: {tags: [red, round]}
        """;

    /** Changed and new objects, and two that are no longer there. */
    private static final String SECOND = FIRST.replace("colour: blue, size: small", "colour: green")
            .replace("tags: [red, round]", "price: 3, tags: [red]")
            .replace("port: 80,", "port: 81,")
            .replace("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: passing}
                data: {a: b}
                ---
                """, "")
            .replace("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {name: front}
                spec: {podSelector: {}, policyTypes: [Ingress]}
                ---
                """, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: front}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: front}}
                  template:
                    metadata: {labels: {app: front}}
                    spec: {containers: [{name: c, image: "example.com/front:1", ports: [{containerPort: 8080}]}]}
                ---
                """);

    /** Three objects that the server refuses, each for another reason. */
    private static final String REFUSED = SECOND.replace("price: 3", "price: -3")
            .replace("kind: Role, name: seller}", "kind: Role, name: buyer}")
            .replace("schedule: \"0 3 * * *\"", "schedule: nightly");

    @AfterAll
    static void close() {
        TWINS.close();
    }

    @Test
    void engine_syncsAlike_fromCommitToCommit() throws Exception {
        Path engine = new GoModule("gitops", List.of(new Program("gitops", ".", "-s -w")))
                .built()
                .resolve("gitops");
        Files.createDirectories(FOLDER);
        Path basis = write("basis", FIRST.substring(0, FIRST.indexOf("---\napiVersion: v1\nkind: ServiceAccount")));
        Path first = write("first", FIRST);
        Path second = write("second", SECOND);
        Path refused = write("refused", REFUSED);
        List<Path> commits = List.of(basis, first, first, second, refused, first, basis);

        String kube = synced(engine, "kube", TWINS.kubeconfigs().getFirst(), commits);
        String hosted = synced(engine, "hosted", TWINS.kubeconfigs().getLast(), commits);

        assertThat(hosted).isEqualTo(kube);
        assertThat(kube.lines().filter(line -> line.endsWith(": synced"))).hasSize(commits.size());
        assertThat(kube.lines().filter(line -> line.contains(" SyncFailed ")))
                .hasSize(3)
                .anyMatch(line -> line.endsWith("a price is not negative"));
        assertThat(kube).contains("Pruned", "serverside-applied", "\\\"manager\\\":\\\"gitops\\\"");
    }

    private static Path write(String name, String manifests) throws Exception {
        return Files.writeString(FOLDER.resolve(name), manifests);
    }

    /** What the engine said of each commit, and what there was after it. */
    private static String synced(Path engine, String name, Path kubeconfig, List<Path> commits) throws Exception {
        var kubectl = new Kubectl(FOLDER.resolve("kubectl-" + name), kubeconfig);
        var all = new StringBuilder();
        for (Path commit : commits) {
            Path folder = Files.createTempDirectory(FOLDER, name);
            try (OwnedProcess run = OwnedProcess.start(
                    "gitops",
                    folder,
                    Map.of(),
                    List.of(engine.toString(), kubeconfig.toString(), "shop", commit.toString()))) {
                assertThat(run.awaitEnd(SOON)).as(run.tail()).isZero();
                all.append(run.output());
            }
            all.append(objects(kubectl));
        }
        Files.write(FOLDER.resolve(name + ".all"), all.toString().getBytes(StandardCharsets.UTF_8));
        return all.toString();
    }

    /**
     * What the engine has applied and not deleted: each cluster has objects of its own beside it, and takes its time to remove what
     * is deleted in the foreground.
     */
    private static String objects(Kubectl kubectl) {
        String list = kubectl.succeed("get", KINDS, "-n", "shop", "-o", "json", "--show-managed-fields");
        return JsonParser.parseString(list).getAsJsonObject().getAsJsonArray("items").asList().stream()
                .map(object -> ComparedAnswers.common(new TwinClusters.Answer(200, object.toString(), List.of())))
                .map(ComparedAnswers::text)
                .filter(object -> object.contains("gitops.example.com/managed"))
                .filter(object -> !object.contains("\"deletionTimestamp\""))
                .map(object -> object + "\n")
                .collect(Collectors.joining());
    }
}
