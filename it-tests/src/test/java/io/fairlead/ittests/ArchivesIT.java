package io.fairlead.ittests;

import static io.fairlead.ittests.ArchiveCommands.clusters;
import static io.fairlead.ittests.ArchiveCommands.succeed;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.ArchiveWriters.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters and stores that become files while they are written to, and what becomes of the files elsewhere. */
final class ArchivesIT {
    private static final String DEV = "/clusters/dev";
    private static final String COPY = "/clusters/copy";
    private static final String TOKEN = TwinClusters.ADMIN.token();
    private static final KubeCluster.User ANN = new KubeCluster.User("token-of-ann", "ann", "uid-of-ann");
    private static final Path FOLDER = Checkout.scratch("ArchivesIT");
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final long SEED = 20261127;
    private static final int EXPORTS_MIN = 3;
    private static final int EXPORTS_MAX = 20;
    private static final double WRITES_PER_SECOND_MIN = 100;
    private static final int WRITES_MIN = 500;

    /** An administrator of the cluster {@code dev}, who may nothing else. */
    private static final String ADMINISTRATOR = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: ann}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
        """;

    /** What it takes to register a cluster. */
    private static final String REGISTERS = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: registers}
        rules:
        - {apiGroups: [fairlead.io], resources: [clusters], verbs: [create, get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: registers}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: registers}
        """;

    /** What it takes to read archives of {@code dev} and of the store, and to import one. */
    private static final String RIGHTS = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: archives}
        rules:
        - {apiGroups: [fairlead.io], resources: [clusters/export], resourceNames: [dev], verbs: [get]}
        - {apiGroups: [fairlead.io], resources: [clusterimports], verbs: [create]}
        - {nonResourceURLs: [/fairlead/v1/store/backup], verbs: [get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: archives}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: archives}
        """;

    private static FairleadProcess source = FairleadProcess.notStarted(FOLDER);
    private static FairleadProcess other = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    static void start() throws Exception {
        source = started("source");
        other = started("other");
        succeed(source, "cluster", "create", "dev", "--built-ins", "all");
        succeed(source, "cluster", "create", "small");
    }

    @AfterAll
    static void stop() {
        source.close();
        other.close();
    }

    @Test
    void exportUnderWrites_isTheStateAtItsRevision_andTheSameClusterElsewhere() throws Exception {
        Path file = FOLDER.resolve("dev.jsonl");
        try (var ofSource = HttpProbe.withToken(source.endpoint(), TOKEN);
                var ofDev = HttpProbe.withToken(source.endpoint() + DEV, TOKEN);
                var ofOther = HttpProbe.withToken(other.endpoint(), TOKEN);
                var ofCopy = HttpProbe.withToken(other.endpoint() + COPY, TOKEN)) {
            new ArchivedObjects(ofDev).make(new Kubectl(FOLDER.resolve("kubectl"), source.kubeconfigOf("dev")));
            ArchiveFile archive = exportedUnderWrites(file);
            ArchivedState expected = ArchivedState.at(ofSource, DEV, archive.revision());
            ArchivedObjects.assertAreIn(expected);

            succeed(other, "cluster", "import", "copy", "-f", file.toString());

            assertThat(expected.differences(ArchivedState.now(ofOther, COPY), false))
                    .isEmpty();
            var copied = new ArchivedObjects(ofCopy);
            copied.assertWatched("after");
            copied.label("owner");
            assertThat(expected.differences(ArchivedState.now(ofOther, COPY), false))
                    .as("what was changed in the copy")
                    .hasSize(2)
                    .anyMatch(difference -> difference.contains("/configmaps default/after"))
                    .anyMatch(difference -> difference.contains("/configmaps default/owner"));
            copied.assertLiveOn();
        }
    }

    /** The last of some exports, each under writes that went on before and after it. */
    private static ArchiveFile exportedUnderWrites(Path file) throws Exception {
        var archives = new ArrayList<ArchiveFile>();
        try (var writers = new ArchiveWriters(
                source.endpoint() + DEV,
                TOKEN,
                SEED,
                List.of(Kind.CONFIG_MAPS, Kind.SECRETS, Kind.of(ArchivedObjects.KEELS)))) {
            while (archives.size() < EXPORTS_MIN
                    || writers.acknowledged() < WRITES_MIN
                    || (writers.perSecond() < WRITES_PER_SECOND_MIN && archives.size() < EXPORTS_MAX)) {
                long before = writers.newest();
                succeed(source, "cluster", "export", "dev", "-f", file.toString());
                ArchiveFile archive = ArchiveFile.read(file);
                assertThat(archive.revision()).isGreaterThanOrEqualTo(before);
                Await.until("it is written to after that", SOON, () -> writers.newest() > archive.revision());
                archives.add(archive);
            }
            assertThat(writers.perSecond()).isGreaterThanOrEqualTo(WRITES_PER_SECOND_MIN);
            writers.stop();
            for (ArchiveFile archive : archives.subList(1, archives.size())) {
                assertThat(writers.assertLastVersionsIn(archive)).isGreaterThan(10);
            }
        }
        return archives.getLast();
    }

    @Test
    void twentyClusters_areRestoredAsTheyWereBackedUp() throws Exception {
        new ArchiveRestoration(FOLDER.resolve("store-20"), 20).run();
    }

    @Test
    @Tag("endurance")
    void twoHundredClusters_areRestoredAsTheyWereBackedUp() throws Exception {
        new ArchiveRestoration(FOLDER.resolve("store-200"), 200).run();
    }

    @Test
    void damagedArchives_areRefusedWithTheReason_andLeaveNothing() throws Exception {
        refuse(
                "again",
                ArchiveDamage.ofAny().subList(0, 10),
                ArchiveDamage.ofAny().subList(0, 4));
    }

    @Test
    @Tag("endurance")
    void archivesWithMoreDamages_areRefusedWithTheReason_andLeaveNothing() throws Exception {
        List<ArchiveDamage> all = Stream.concat(ArchiveDamage.ofAny().stream(), ArchiveDamage.moreOfAny().stream())
                .toList();
        refuse("once-more", all, all);
    }

    /** Gives damaged archives to both commands, and then those that are not. */
    private static void refuse(String name, List<ArchiveDamage> toImport, List<ArchiveDamage> toRestore)
            throws Exception {
        Path good = Files.createDirectories(FOLDER.resolve("damaged-" + name));
        fillSmall();
        succeed(
                source,
                "cluster",
                "export",
                "small",
                "-f",
                good.resolve("small.jsonl").toString());
        succeed(source, "store", "backup", "-f", good.resolve("store.jsonl").toString());
        ArchiveFile cluster = ArchiveFile.read(good.resolve("small.jsonl"));
        ArchiveFile store = ArchiveFile.read(good.resolve("store.jsonl"));
        List<ArchiveDamage> ofCluster = Stream.concat(toImport.stream(), ArchiveDamage.ofCluster(store).stream())
                .toList();
        List<ArchiveDamage> ofStore = Stream.concat(toRestore.stream(), ArchiveDamage.ofStore(cluster).stream())
                .toList();
        assertThat(ofCluster.size() + ofStore.size()).isGreaterThan(20);
        Path dataDir = good.resolve("data");

        try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<String>> imports =
                    both.submit(() -> ArchiveCommands.wrongImports(source, name, good, cluster, ofCluster));
            Future<List<String>> restorations =
                    both.submit(() -> ArchiveCommands.wrongRestorations(dataDir, good, store, ofStore));
            assertThat(Stream.concat(imports.get().stream(), restorations.get().stream()))
                    .isEmpty();
        }

        assertThat(clusters(source)).doesNotContain(name);
        Await.until("nothing of imports is left", SOON, () -> {
            Path file = good.resolve("after.jsonl");
            succeed(source, "store", "backup", "-f", file.toString());
            return ArchiveCommands.ownerless(ArchiveFile.read(file)).isEmpty();
        });
        succeed(
                source,
                "cluster",
                "import",
                name,
                "-f",
                good.resolve("small.jsonl").toString());
        assertThat(clusters(source)).contains(name);
        assertThat(ArchiveCommands.restore(good, good.resolve("store.jsonl"), dataDir)
                        .exitCode())
                .isZero();
        assertThat(ArchiveCommands.stores(dataDir)).containsExactly("store");
    }

    /** So much that an import takes several requests. */
    private static void fillSmall() throws Exception {
        try (var probe = HttpProbe.withToken(source.endpoint() + "/clusters/small", TOKEN)) {
            for (int i = 0; i < 3; i++) {
                HttpProbe.Answer made = probe.send(
                        "POST",
                        "/api/v1/namespaces/default/configmaps",
                        "application/json",
                        LargeObjects.object("large-" + i, 400_000));
                assertThat(made.status()).as(made.body()).isIn(201, 409);
            }
        }
    }

    @Test
    void archives_needRightsInTheRootCluster_whateverTheCallerMayInTheCluster() throws Exception {
        var root = new Kubectl(FOLDER.resolve("root"), source.adminKubeconfig());
        Path file = FOLDER.resolve("of-root.jsonl");
        succeed(source, "cluster", "export", "dev", "-f", file.toString());
        for (String cluster : List.of("dev", "small")) {
            new Kubectl(FOLDER.resolve("admin"), source.kubeconfigOf(cluster))
                    .succeedWith(ADMINISTRATOR, "apply", "-f", "-");
            FairleadUsers.admit(source, "ann", ANN.token(), cluster);
        }
        String ann = FairleadUsers.kubeconfig(source, "ann", ANN.token(), "dev").toString();
        assertThat(new Kubectl(FOLDER.resolve("ann"), Path.of(ann)).succeed("auth", "can-i", "*", "*"))
                .isEqualTo("yes\n");

        assertForbidden(byAnn(ann, "cluster", "export", "dev"), "export cluster \"dev\"");
        assertForbidden(byAnn(ann, "store", "backup"), "read /fairlead/v1/store/backup");
        FairleadUsers.admit(source, "ann", ANN.token(), "root");
        root.succeedWith(REGISTERS, "apply", "-f", "-");
        assertForbidden(
                source.command("cluster", "import", "anns", "-f", file.toString(), "--kubeconfig", ann),
                "cannot create resource \"clusterimports\"");
        assertThat(clusters(source)).doesNotContain("anns");

        root.succeedWith(RIGHTS, "apply", "-f", "-");
        Await.until(
                "the right counts",
                SOON,
                () -> byAnn(ann, "cluster", "export", "dev").exitCode() == 0);
        assertForbidden(byAnn(ann, "cluster", "export", "small"), "export cluster \"small\"");
        assertThat(byAnn(ann, "store", "backup").exitCode()).isZero();
        Output imported = source.command("cluster", "import", "anns", "-f", file.toString(), "--kubeconfig", ann);
        assertThat(imported.exitCode()).as(imported.toString()).isZero();
        assertThat(clusters(source)).contains("anns");
    }

    /** A command that writes a file, which is there if it succeeds and only then. */
    private static Output byAnn(String kubeconfig, String... command) throws IOException {
        Path folder = Files.createDirectories(FOLDER.resolve("of-ann"));
        Path file = folder.resolve("archive.jsonl");
        var arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("-f", file.toString(), "--kubeconfig", kubeconfig));
        Output output = source.command(arguments.toArray(String[]::new));
        assertThat(folder.toFile().list())
                .as(output.toString())
                .containsExactly(output.exitCode() == 0 ? new String[] {"archive.jsonl"} : new String[0]);
        Files.deleteIfExists(file);
        return output;
    }

    private static void assertForbidden(Output output, String what) {
        assertThat(output.exitCode()).as(output.toString()).isEqualTo(1);
        assertThat(output.errors()).contains(what);
        assertThat(output.errors().lines()).hasSize(1);
    }

    private static FairleadProcess started(String name) throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve(name));
        Path tokens = FairleadUsers.tokenFile(folder, List.of(TwinClusters.ADMIN, ANN));
        return FairleadProcess.start(folder, "--token-auth-file", tokens.toString());
    }
}
