package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Hosted clusters that a test makes for itself, and the administrator's token with which it uses them. */
final class HostedTenants {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private HostedTenants() {}

    /** A file for {@code --token-auth-file} in which the administrator is. */
    static String tokenFile(Path folder) {
        var root = new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters");
        return FairleadUsers.tokenFile(folder, List.of(root)).toString();
    }

    static HttpProbe probe(FairleadProcess fairlead) {
        return HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN);
    }

    /** Creates clusters, and returns once each serves objects. */
    static void create(HttpProbe probe, List<String> clusters) throws Exception {
        for (String cluster : clusters) {
            post(probe, CLUSTERS, """
                {"apiVersion":"fairlead.io/v1alpha1","kind":"Cluster","metadata":{"name":"%s"},"spec":{"hosted":{}}}
                """.formatted(cluster));
        }
        for (String cluster : clusters) {
            awaitServed(probe, StoredKind.CONFIG_MAP.collection(cluster));
        }
    }

    /** Defines the custom resource in each of them, and returns once it is served. */
    static void define(HttpProbe probe, List<String> clusters) throws Exception {
        for (String cluster : clusters) {
            post(probe, "/clusters/" + cluster + DEFINITIONS, StoredKind.DEFINITION);
        }
        for (String cluster : clusters) {
            awaitServed(probe, StoredKind.BOAT.collection(cluster));
        }
    }

    private static void post(HttpProbe probe, String path, String body) throws Exception {
        Answer answer = probe.send("POST", path, "application/json", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    }

    private static void awaitServed(HttpProbe probe, String path) {
        Await.until(path + " is served", SOON, () -> probe.get(path).status() == 200);
    }
}
