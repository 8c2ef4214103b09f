package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A disk that takes no more: nothing is acknowledged that is not stored, and everything works on once there is room. */
final class FullDiskIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(60);

    /** In blocks of 512 bytes (POSIX, ulimit). */
    private static final int FILE_BLOCKS_MAX = 2048;

    private static final int WRITES_MAX = 200;
    private static final String FILLER = "x".repeat(100_000);
    private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"(write-\\d+)\"");

    /** The limit of a file's size stands for the disk here: the next write to the store's log fails, as if it were full. */
    @Test
    void storeThatCannotGrow_acknowledgesNothingThatIsLost() throws Exception {
        Path folder = Checkout.scratch("FullDiskIT/limit");
        try (FairleadProcess fairlead = FairleadProcess.start(folder, tokens(folder))) {
            fairlead.kill();
            fairlead.startBy(limited());
            Set<String> acknowledged = new TreeSet<>();
            try (var probe = probe(fairlead)) {
                Answer refused = writeUntilRefused(probe, acknowledged);

                assertThat(refused.status()).as(refused.body()).isEqualTo(500);
                assertThat(refused.body()).contains("\"Status\"", "disk");
                assertThat(acknowledged).isNotEmpty();
                assertThat(create(probe, "write-999").status()).isGreaterThanOrEqualTo(500);
                assertThat(stored(probe)).containsAll(acknowledged);
            }
            fairlead.kill();
            fairlead.start();
            try (var probe = probe(fairlead)) {
                assertThat(stored(probe)).containsAll(acknowledged).doesNotContain("write-999");
                assertThat(create(probe, "write-1000").status()).isEqualTo(201);
                assertDeletedDirectoryIsNoticed(folder, probe);
            }
        }
    }

    private static void assertDeletedDirectoryIsNoticed(Path folder, HttpProbe probe) throws Exception {
        Path data = folder.resolve("fairlead-data");
        Files.move(data, folder.resolve("moved-away"));

        assertThat(create(probe, "write-1001").body()).contains("was deleted").doesNotContain("the disk is full");
        Await.until(
                "/readyz fails",
                COMMAND_TIMEOUT,
                () -> probe.get("/readyz").body().contains("[-]store failed"));
    }

    @Test
    void diskThatIsFullAtTheStart_isNamed() {
        Path folder = Checkout.scratch("FullDiskIT/start");
        String data = folder.resolve("fairlead-data").toString();
        String[] flags = {"serve", "--data-dir", data, "--secure-port", "0", "--metrics-address", "off"};

        Output output = Output.of(folder, Map.of(), "", COMMAND_TIMEOUT, limited(flags));

        assertThat(output.exitCode()).as("%s", output).isEqualTo(1);
        assertThat(output.errors()).startsWith("error: ").contains(data, "File too large");
        assertThat(output.errors().lines()).noneMatch(line -> line.startsWith("\tat "));
        assertThat(output.output()).isEmpty();
    }

    @Test
    void diskThatIsFullAtTheFirstStart_isNamed_andNothingIsMadeThere() throws Exception {
        Path folder = Checkout.scratch("FullDiskIT/first");
        Path disk = Files.createDirectories(folder.resolve("disk"));
        try (SmallDisk mounted = mount(disk)) {
            mounted.fill(40 << 20);
            String data = disk.resolve("fairlead-data").toString();

            Output refused = Output.of(
                    folder,
                    Map.of(),
                    "",
                    COMMAND_TIMEOUT,
                    List.of(
                            Checkout.launcher().toString(),
                            "serve",
                            "--data-dir",
                            data,
                            "--secure-port",
                            "0",
                            "--metrics-address",
                            "off"));

            assertThat(refused).isEqualTo(new Output(1, "", """
                error: data directory %s: the disk is full: 40 MiB are free (expected at least 96 MiB for a new one)
                hint:  make room, or choose another directory with --data-dir
                """.formatted(data)));
            assertThat(disk.resolve("fairlead-data")).doesNotExist();
        }
    }

    @Test
    void fullDisk_keepsAServerFromNoRestart() throws Exception {
        Path folder = Checkout.scratch("FullDiskIT/restart");
        Path disk = Files.createDirectories(folder.resolve("fairlead-data"));
        SmallDisk mounted = mount(disk);
        var flags = new ArrayList<>(List.of(tokens(folder)));
        flags.addAll(List.of("--secure-port", "" + FreePorts.take(1).getFirst()));
        try (FairleadProcess fairlead = FairleadProcess.start(folder, flags.toArray(String[]::new))) {
            try (var probe = probe(fairlead)) {
                assertThat(create(probe, "write-1").status()).isEqualTo(201);
            }
            fairlead.stop();
            mounted.fill(8 << 20);

            fairlead.start();

            try (var probe = probe(fairlead)) {
                assertThat(stored(probe)).containsExactly("write-1");
                assertThat(create(probe, "write-2").status()).isEqualTo(500);
                Await.until(
                        "/readyz tells",
                        COMMAND_TIMEOUT,
                        () -> probe.get("/readyz?verbose").body().contains("the disk is full: "));
                assertThat(probe.delete(CONFIG_MAPS + "/write-1").status()).isEqualTo(200);
            }
        } finally {
            mounted.close();
        }
    }

    @Test
    void fullDisk_refusesWritesStillReadsAndDeletes_andGoesOnWhenThereIsRoom() throws Exception {
        Path folder = Checkout.scratch("FullDiskIT/disk");
        Path disk = Files.createDirectories(folder.resolve("fairlead-data"));
        SmallDisk mounted = mount(disk);
        try (FairleadProcess fairlead = FairleadProcess.start(folder, tokens(folder));
                var probe = probe(fairlead)) {
            assertThat(create(probe, "write-1").status()).isEqualTo(201);
            assertThat(create(probe, "write-2").status()).isEqualTo(201);
            Path filler = mounted.fill(32 << 20);

            Answer refused = create(probe, "write-3");

            assertThat(refused.status()).as(refused.body()).isEqualTo(500);
            assertThat(refused.body()).contains("\"Status\"", "the disk is full");
            assertThat(stored(probe)).containsExactlyInAnyOrder("write-1", "write-2");
            assertTold(fairlead, probe);
            assertThat(probe.delete(CONFIG_MAPS + "/write-1").status()).isEqualTo(200);

            Files.delete(filler);
            assertThat(create(probe, "write-4").status()).isEqualTo(201);
            assertThat(stored(probe)).containsExactlyInAnyOrder("write-2", "write-4");
        } finally {
            mounted.close();
        }
    }

    /** Where people look: the probe, the log, the metrics, and the doctor. */
    private static void assertTold(FairleadProcess fairlead, HttpProbe probe) throws Exception {
        Await.until(
                "/readyz tells",
                COMMAND_TIMEOUT,
                () -> probe.get("/readyz?verbose")
                        .body()
                        .contains(" MiB are free, fewer than the 64 MiB that are kept for deletions; writes are refused"
                                + " until there is room, reads and deletions are not\n"));
        assertThat(probe.get("/readyz").status()).isEqualTo(200);
        assertThat(probe.get("/metrics").body()).contains("fairlead_store_disk_full 1.0");
        assertThat(fairlead.log()).contains("The store refuses writes").doesNotContain("configmaps/");
        Output doctor = fairlead.command("doctor");
        assertThat(doctor.exitCode()).isEqualTo(1);
        assertThat(doctor.output())
                .containsPattern(
                        "error    server: disk the disk is full: \\d+ MiB are free, fewer than the 64 MiB that are"
                                + " kept for deletions; writes are refused until there is room, reads and deletions are"
                                + " not -> make room on the disk that holds its data directory; nothing has to be"
                                + " restarted\n");
    }

    /** The launcher in a shell that limits how large a file may grow. */
    private static List<String> limited(String... arguments) {
        String script = "ulimit -f " + FILE_BLOCKS_MAX + " && exec \"$0\" \"$@\"";
        var command =
                new ArrayList<>(List.of("sh", "-c", script, Checkout.launcher().toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Answer writeUntilRefused(HttpProbe probe, Set<String> acknowledged) throws Exception {
        for (int i = 1; i <= WRITES_MAX; i++) {
            Answer answer = create(probe, "write-" + i);
            if (answer.status() != 201) {
                return answer;
            }
            acknowledged.add("write-" + i);
        }
        throw new AssertionError(WRITES_MAX + " writes fit below the limit of " + FILE_BLOCKS_MAX + " blocks");
    }

    private static Answer create(HttpProbe probe, String name) throws Exception {
        String body =
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"a\":\"%s\"}}"
                        .formatted(name, FILLER);
        return probe.send("POST", CONFIG_MAPS, "application/json", body);
    }

    private static Set<String> stored(HttpProbe probe) throws Exception {
        Answer answer = probe.get(CONFIG_MAPS);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        var names = new TreeSet<String>();
        NAME.matcher(answer.body()).results().forEach(found -> names.add(found.group(1)));
        return names;
    }

    private static HttpProbe probe(FairleadProcess fairlead) {
        return HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN);
    }

    private static String[] tokens(Path folder) {
        Path tokens = FairleadUsers.tokenFile(
                folder,
                List.of(new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters")));
        return new String[] {"--token-auth-file", tokens.toString()};
    }

    private static SmallDisk mount(Path folder) {
        SmallDisk disk = SmallDisk.mount(folder, 256);
        assumeThat(disk.isMounted())
                .as("mounting a small disk: %s", disk.mounted())
                .isTrue();
        return disk;
    }
}
