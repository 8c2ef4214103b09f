package io.fairlead.fleet.clustersdir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.fleet.root.Answering;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** A folder of files that declare clusters, against a real root cluster. */
class ClusterFilesTest {
    private static final String DEV = """
        apiVersion: fairlead.io/v1alpha1
        kind: Cluster
        metadata: {name: dev, labels: {team: a}}
        spec: {displayName: Dev, hosted: {}}
        """;
    private static final String PROD = """
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
    private Path folder;

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private Optional<ClusterFiles> files = Optional.empty();

    @AfterEach
    void close() {
        files.ifPresent(ClusterFiles::close);
        root.close();
    }

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
                        + " which makes it anew; remove it there\"");
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing\n",
                "spec: [",
                "a: 1\na: 2\n",
                "[]",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n",
                "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: default}\n",
                "apiVersion: fairlead.io/v1alpha1\nkind: Cluster\nmetadata: {name: Dev}\n",
                "apiVersion: fairlead.io/v1alpha1\nkind: Cluster\nmetadata: {name: prod}\nspec: {}\n"
            })
    void fileThatCannotBeUsed_changesNothingAndIsReported(String broken) throws Exception {
        write("dev.yaml", DEV);
        write("prod.yaml", PROD);
        ClusterFiles started = start();
        ObjectNode before = root.cluster("prod");

        write("prod.yaml", broken);

        eventually("it is reported", () -> started.failedCount() == 1);
        assertThat(started.detail()).contains("1 of 2 files not applied, see the log");
        assertThat(started.failure()).isEmpty();
        assertThat(root.cluster("prod")).isEqualTo(before);
        assertThat(exists("dev")).isTrue();

        write("prod.yaml", PROD);
        eventually("it is applied again", () -> started.failedCount() == 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        kind: Cluster, metadata: {name: prod}, spec: {atached: {endpoints: ['https://10.0.0.1']}} | unknown field "spec.atached"
        kind: Cluster, metadata: {name: prod}, spec: {hosted: {}, displayNme: Dev}                | unknown field "spec.displayNme"
        """)
    void fieldThatItsKindDoesNotKnow_isNamed(String object, String problem) throws Exception {
        try (LogLines lines = new LogLines(ClusterFiles.class)) {
            write("prod.yaml", "{apiVersion: fairlead.io/v1alpha1, " + object + "}\n");
            start();

            assertThat(lines.texts())
                    .singleElement()
                    .asString()
                    .startsWith("WARN A file of clusters is not applied")
                    .contains(problem, "prod.yaml");
        }
        assertThat(exists("prod")).isFalse();
    }

    @Test
    void brokenFileThatIsRemoved_isNotSaidToBeApplied() throws Exception {
        try (LogLines lines = new LogLines(ClusterFiles.class)) {
            write("prod.yaml", "{");
            ClusterFiles started = start();
            Files.delete(folder.resolve("prod.yaml"));
            eventually("it is gone", () -> started.failedCount() == 0);

            assertThat(lines.texts())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("INFO A file of clusters that was not applied was removed")
                    .contains("prod.yaml");
        }
    }

    @Test
    void fileThatIsNoYaml_isToldByTheLine() throws Exception {
        try (LogLines lines = new LogLines(ClusterFiles.class)) {
            write("prod.yaml", "apiVersion: fairlead.io/v1alpha1\nkind: Cluster\n  metadata: {name: prod}\n");
            start();

            assertThat(lines.texts()).singleElement().asString().contains("invalid YAML: line 3, column ", "prod.yaml");
        }
    }

    @Test
    void brokenFile_atTheStart_keepsWhatCameFromItBefore() throws Exception {
        write("prod.yaml", PROD);
        start().close();
        write("prod.yaml", "spec: [");

        start();

        assertThat(exists("prod")).isTrue();
    }

    @Test
    void objectInTwoFiles_isTheFirstOnes() throws Exception {
        write("a.yaml", DEV);
        write("b.yaml", DEV.replace("Dev", "Other") + "---\n" + PROD);

        ClusterFiles started = start();

        assertThat(displayName("dev")).isEqualTo("Dev");
        assertThat(exists("prod")).isFalse();
        assertThat(started.failedCount()).isEqualTo(1);
    }

    @Test
    void objectInTwoFiles_staysTheFirstOnesWhileThatCannotBeRead() throws Exception {
        write("a.yaml", DEV);
        write("b.yaml", DEV.replace("Dev", "Other"));
        ClusterFiles started = start();

        write("a.yaml", "spec: [");

        eventually("both are reported", () -> started.failedCount() == 2);
        assertThat(displayName("dev")).isEqualTo("Dev");
        started.close();
        assertThat(start().failedCount()).isEqualTo(2);
        assertThat(displayName("dev")).isEqualTo("Dev");

        Files.delete(folder.resolve("a.yaml"));
        eventually("the other takes over", () -> displayName("dev").equals("Other"));
    }

    @Test
    void linkToNowhere_isOneFailedFileAmongOthers() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("bad.yaml"), Path.of("nowhere"));
        write("dev.yaml", DEV);

        ClusterFiles started = start();

        assertThat(source("dev")).isEqualTo("dev.yaml");
        assertThat(started.detail()).contains("1 of 2 files not applied, see the log");
        write("dev.yaml", DEV.replace("Dev", "Changed"));
        eventually("the other file", () -> displayName("dev").equals("Changed"));
        Files.delete(link);
        eventually("all is well", () -> started.failedCount() == 0);
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
    void refusedCluster_leavesTheSecretOfItsFile() throws Exception {
        write("prod.yaml", PROD);
        ClusterFiles started = start();
        ObjectNode before = secret("prod-token");

        write("prod.yaml", PROD.replace("t0ken", "other").replace("https://", "http://"));

        eventually("it is reported", () -> started.failedCount() == 1);
        assertThat(secret("prod-token")).isEqualTo(before);
    }

    @Test
    void folderThatVanishes_changesNothing() throws Exception {
        write("prod.yaml", PROD);
        ClusterFiles started = start();

        Files.move(folder, folder.resolveSibling("away"));
        try {
            eventually("it is reported", () -> started.failedCount() == 1);
            assertThat(exists("prod")).isTrue();
        } finally {
            Files.move(folder.resolveSibling("away"), folder);
        }
        eventually("it is well again", () -> started.failedCount() == 0);
        assertThat(exists("prod")).isTrue();
    }

    @Test
    void start_withoutTheFolder_fails() {
        assertThatThrownBy(() -> new ClusterFiles(folder.resolve("nowhere"), new RootApi(root.root)).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void examples_ofTheRepository_areApplied() throws Exception {
        Path examples = Path.of(Objects.requireNonNullElse(System.getProperty("basedir"), ""))
                .toAbsolutePath()
                .resolveSibling("config")
                .resolve("examples/clusters");

        ClusterFiles started = new ClusterFiles(examples, new RootApi(root.root), Duration.ofMillis(50));
        files = Optional.of(started);
        started.start();

        assertThat(started.failedCount()).isZero();
        assertThat(started.fileCount()).isEqualTo(2);
        assertThat(source("prod")).isEqualTo("prod.yaml");
    }

    @Test
    void error_endsNotTheFollowing() throws IOException {
        AtomicInteger errorsToCome = new AtomicInteger();
        Answering failing = new Answering(root.root, request -> {
            if (errorsToCome.getAndDecrement() > 0) {
                throw new OutOfMemoryError("of the test");
            }
            return root.root.baseHandler().serve(request);
        });
        ClusterFiles started = new ClusterFiles(folder, new RootApi(failing), Duration.ofMillis(50));
        files = Optional.of(started);
        started.start();

        errorsToCome.set(2);
        write(
                "dev.yaml",
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: dev}, spec: {hosted: {}}}");

        eventually("dev is declared", () -> exists("dev"));
        assertThat(errorsToCome.get()).isNotPositive();
        assertThat(started.work().isAlive()).isTrue();
    }

    private ClusterFiles start() throws IOException {
        ClusterFiles started = new ClusterFiles(folder, new RootApi(root.root), Duration.ofMillis(50));
        files = Optional.of(started);
        started.start();
        return started;
    }

    private void write(String name, String text) throws IOException {
        Path beside = Files.writeString(folder.resolve(".beside"), text);
        Files.move(beside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private boolean exists(String cluster) {
        return root.cluster(cluster).has("spec");
    }

    private String source(String cluster) {
        return root.cluster(cluster)
                .path("metadata")
                .path("annotations")
                .path("fairlead.io/source-file")
                .asString("");
    }

    private String displayName(String cluster) {
        return root.cluster(cluster).path("spec").path("displayName").asString("");
    }

    private ObjectNode secret(String name) {
        return root.send(RootCluster.ADMIN, "GET", RootCluster.SECRETS + "/" + name, "")
                .body();
    }

    private static void eventually(String what, BooleanSupplier holds) {
        RootCluster.eventually(what, holds);
    }
}
