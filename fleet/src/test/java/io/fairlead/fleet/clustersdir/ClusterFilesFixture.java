package io.fairlead.fleet.clustersdir;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A folder of clusters' files and the root cluster that they are applied to. */
abstract class ClusterFilesFixture {
    static final String DEV = """
        apiVersion: fairlead.io/v1alpha1
        kind: Cluster
        metadata: {name: dev, labels: {team: a}}
        spec: {displayName: Dev, hosted: {}}
        """;
    static final String PROD = """
        apiVersion: v1
        kind: Secret
        metadata: {name: prod-token}
        stringData: {token: t0ken}
        ---
        apiVersion: fairlead.io/v1alpha1
        kind: Cluster
        metadata: {name: prod}
        spec: {attached: {endpoints: ["https://10.1.2.3"], credentialSecretRef: {name: prod-token}}}
        """;

    @TempDir
    Path folder;

    final RootCluster root = new RootCluster(_ -> Optional.empty());
    Optional<ClusterFiles> files = Optional.empty();

    @AfterEach
    void close() {
        files.ifPresent(ClusterFiles::close);
        root.close();
    }

    ClusterFiles start() throws IOException {
        ClusterFiles started = new ClusterFiles(folder, new RootApi(root.root), 1_000, Duration.ofMillis(50));
        files = Optional.of(started);
        started.start();
        return started;
    }

    void write(String name, String text) throws IOException {
        Path beside = Files.writeString(folder.resolve(".beside"), text);
        Files.move(beside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    boolean exists(String cluster) {
        return root.cluster(cluster).has("spec");
    }

    String source(String cluster) {
        return root.cluster(cluster)
                .path("metadata")
                .path("annotations")
                .path("fairlead.io/source-file")
                .asString("");
    }

    String displayName(String cluster) {
        return root.cluster(cluster).path("spec").path("displayName").asString("");
    }

    ObjectNode secret(String name) {
        return root.send(RootCluster.ADMIN, "GET", RootCluster.SECRETS + "/" + name, "")
                .body();
    }

    static void eventually(String what, BooleanSupplier holds) {
        RootCluster.eventually(what, holds);
    }
}
