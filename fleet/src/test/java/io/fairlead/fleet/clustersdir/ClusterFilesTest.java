package io.fairlead.fleet.clustersdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the files say is applied, kept and removed. */
final class ClusterFilesTest extends ClusterFilesFixture {
    @Test
    void start_appliesEveryFileBeforeItReturns() throws Exception {
        write("dev.yaml", DEV);
        write("prod.yml", PROD);
        write("notes.txt", "not: [ours");
        write(".hidden.yaml", "not: [ours");

        ClusterFiles started = start();

        assertThat(source("dev")).isEqualTo("dev.yaml");
        assertThat(source("prod")).isEqualTo("prod.yml");
        assertThat(secret("prod-token").path("data").path("token").asString("")).isEqualTo(RootCluster.base64("t0ken"));
        assertThat(started.fileCount()).isEqualTo(2);
        assertThat(started.failedCount()).isZero();
        assertThat(started.detail()).isEmpty();
    }

    @Test
    void changedFile_isAppliedAndWinsOverOtherWriters() throws Exception {
        write("dev.yaml", DEV);
        start();
        root.send(RootCluster.ADMIN, "PATCH", RootCluster.CLUSTERS + "/dev", """
            {metadata: {labels: {team: b, mine: x}}, spec: {displayName: Mine}}\
            """);

        write("dev.yaml", DEV.replace("Dev", "Changed"));

        eventually("the file's spec", () -> displayName("dev").equals("Changed"));
        assertThat(root.cluster("dev").path("metadata").path("labels").toString())
                .isEqualTo("{\"team\":\"a\"}");
    }

    @Test
    void objectChangedByHand_isSetBack() throws Exception {
        write("dev.yaml", DEV);
        start();

        root.send(RootCluster.ADMIN, "PATCH", RootCluster.CLUSTERS + "/dev", "{spec: {displayName: Mine}}");

        eventually("the file's spec", () -> displayName("dev").equals("Dev"));
    }

    @Test
    void objectDeletedByHand_isMadeAnew_andTheDeletionSaysSo() throws Exception {
        write("dev.yaml", DEV);
        start();
        root.create(
                RootCluster.CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: other}, spec: {hosted: {}}}");

        RootCluster.Answer declared = root.send(RootCluster.ADMIN, "DELETE", RootCluster.CLUSTERS + "/dev", "");
        RootCluster.Answer other = root.send(RootCluster.ADMIN, "DELETE", RootCluster.CLUSTERS + "/other", "");

        assertThat(declared.code()).isEqualTo(200);
        assertThat(declared.warnings())
                .containsExactly("299 - \"cluster \\\"dev\\\" is declared by the file dev.yaml of --clusters-dir,"
                        + " which would create it again; remove it there\"");
        assertThat(other.warnings()).isEmpty();
        eventually("dev is there again", () -> source("dev").equals("dev.yaml"));
    }

    @Test
    void unchangedFile_writesNothing() throws Exception {
        write("dev.yaml", DEV);
        write("prod.yaml", PROD);
        start();
        String version =
                root.cluster("dev").path("metadata").path("resourceVersion").asString("");
        String secretVersion =
                secret("prod-token").path("metadata").path("resourceVersion").asString("");

        write("other.yaml", DEV.replace("name: dev", "name: other"));

        eventually("the new file", () -> source("other").equals("other.yaml"));
        assertThat(root.cluster("dev").path("metadata").path("resourceVersion").asString(""))
                .isEqualTo(version);
        assertThat(secret("prod-token").path("metadata").path("resourceVersion").asString(""))
                .isEqualTo(secretVersion);
    }

    @Test
    void removedFile_removesAttachedRegistrationsAlone() throws Exception {
        write("both.yaml", DEV + "---\n" + PROD);
        root.create(RootCluster.CLUSTERS, """
            apiVersion: fairlead.io/v1alpha1
            kind: Cluster
            metadata: {name: by-hand}
            spec: {attached: {endpoints: ["https://10.1.2.4"], credentialSecretRef: {name: shared}}}\
            """);
        start();

        Files.delete(folder.resolve("both.yaml"));

        eventually("prod is gone", () -> !exists("prod"));
        eventually("nobody's file is named", () -> source("dev").isEmpty());
        assertThat(exists("dev")).isTrue();
        assertThat(exists("by-hand")).isTrue();
        eventually(
                "its credential is gone",
                () -> secret("prod-token").path("code").asInt(0) == 404);
    }

    @Test
    void removedFile_secretThatARegistrationUses_stays() throws Exception {
        write("prod.yaml", PROD);
        start();
        root.create(RootCluster.CLUSTERS, """
            apiVersion: fairlead.io/v1alpha1
            kind: Cluster
            metadata: {name: by-hand}
            spec: {attached: {endpoints: ["https://10.1.2.4"], credentialSecretRef: {name: prod-token}}}\
            """);

        Files.delete(folder.resolve("prod.yaml"));

        eventually("prod is gone", () -> !exists("prod"));
        eventually(
                "nobody's file is named",
                () -> !secret("prod-token").path("metadata").path("annotations").has("fairlead.io/source-file"));
        assertThat(secret("prod-token").path("data").has("token")).isTrue();
    }

    /** Neither the Cluster with the Secret of before nor the Secret alone would do. */
    @Test
    void secretAndHowItIsUsed_changeTogether() throws Exception {
        write("prod.yaml", PROD);
        ClusterFiles started = start();

        write("prod.yaml", """
            apiVersion: fairlead.io/v1alpha1
            kind: Cluster
            metadata: {name: prod}
            spec: {attached: {kubeconfigSecretRef: {name: prod-token}}}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: prod-token}
            stringData:
              kubeconfig: |
                current-context: c
                clusters: [{name: c, cluster: {server: "https://10.1.2.3"}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                users: [{name: u, user: {token: t0ken}}]
            """);

        eventually(
                "the file's spec",
                () -> root.cluster("prod").path("spec").path("attached").has("kubeconfigSecretRef"));
        assertThat(secret("prod-token").path("data").has("kubeconfig")).isTrue();
        eventually("it is applied", () -> started.failedCount() == 0);
    }

    @Test
    void examples_ofTheRepository_areApplied() throws Exception {
        Path examples = Path.of(Objects.requireNonNullElse(System.getProperty("basedir"), ""))
                .toAbsolutePath()
                .resolveSibling("config")
                .resolve("examples/clusters");

        ClusterFiles started = new ClusterFiles(examples, new RootApi(root.root), 1_000, Duration.ofMillis(50));
        files = Optional.of(started);
        started.start();

        assertThat(started.failedCount()).isZero();
        assertThat(started.fileCount()).isEqualTo(2);
        assertThat(source("prod")).isEqualTo("prod.yaml");
    }
}
