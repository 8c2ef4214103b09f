package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The distribution, unpacked where there is a JDK and nothing else of ours: no checkout, no Maven, an empty home. */
final class DistributionIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Path FOLDER = Checkout.scratch("DistributionIT");

    /** What the launcher needs of a system; that is POSIX. */
    private static final List<String> TOOLS = List.of("sh", "env", "dirname", "readlink", "sed");

    private static Path unpacked = FOLDER;
    private static Path tarball = FOLDER;

    @BeforeAll
    static void unpack() throws IOException {
        try (Stream<Path> built = Files.list(Checkout.root().resolve("cli/target"))) {
            tarball = built.filter(file -> file.getFileName().toString().matches("fairlead-[0-9.]+\\.tar\\.gz"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("the distribution is not built: mvn package"));
        }
        assertThat(output("tar", "-xzf", tarball.toString(), "-C", FOLDER.toString())
                        .exitCode())
                .isZero();
        unpacked = FOLDER.resolve(tarball.getFileName().toString().replace(".tar.gz", ""));
        Path tools = Files.createDirectories(FOLDER.resolve("tools"));
        for (String tool : TOOLS) {
            Path found =
                    Path.of(output("sh", "-c", "command -v " + tool).output().strip());
            Files.createSymbolicLink(tools.resolve(tool), found);
        }
        Files.createDirectories(FOLDER.resolve("home"));
        Files.createDirectories(FOLDER.resolve("work"));
    }

    @Test
    void distribution_serves_andItsCommandsReachIt() throws IOException {
        Path data = FOLDER.resolve("work/fairlead-data");
        List<String> serve = launcher("serve", "--secure-port", "0", "--metrics-address", "off");
        try (OwnedProcess server = OwnedProcess.start("serve", FOLDER.resolve("work"), Map.of(), serve)) {
            Await.until(
                    "the distribution is ready; " + server.tail(),
                    TIMEOUT,
                    () -> !server.isAlive() || server.output().contains("ready"));
            assertThat(server.isAlive()).as("%s", server.tail()).isTrue();

            Output created = run("cluster", "create", "dev");
            assertThat(created.exitCode()).as("%s", created).isZero();
            var kubectl = new Kubectl(FOLDER.resolve("kubectl"), data.resolve("admin.kubeconfig"));
            assertThat(kubectl.succeed("get", "clusters", "-o", "name"))
                    .isEqualTo("cluster.fairlead.io/dev\ncluster.fairlead.io/root\n");
            assertThat(server.terminate(TIMEOUT)).isZero();
        }
        try (Stream<Path> home = Files.list(FOLDER.resolve("home"))) {
            assertThat(home).as("nothing is written outside the data directory").isEmpty();
        }
    }

    @Test
    void distribution_holdsWhatItPromises() throws IOException {
        Set<String> entries = new TreeSet<>();
        try (Stream<Path> tree = Files.walk(unpacked, 2)) {
            tree.map(path -> unpacked.relativize(path).toString()).forEach(entries::add);
        }

        assertThat(entries).contains("LICENSE", "bin/fairlead", "bin/kubectl-fairlead", "conf/fairlead.yaml");
        assertThat(entries).anyMatch(name -> name.matches("lib/fairlead-cli-.*\\.jar"));
        assertThat(run("version").output()).matches("fairlead \\S+ \\(Java \\d+\\)\n");
        assertThat(run("config", "check", unpacked.resolve("conf/fairlead.yaml").toString())
                        .exitCode())
                .isZero();
    }

    @Test
    void entries_haveTheTimeAndTheOwnerOfTheVersion() {
        List<String> lines = output("tar", "--utc", "--full-time", "-tvzf", tarball.toString())
                .output()
                .lines()
                .toList();

        assertThat(lines).isNotEmpty().allMatch(line -> line.contains("root/root") && line.contains("2026-11-21"));
    }

    @Test
    void withoutAJdk_theLauncherSaysWhatItLooksFor() throws IOException {
        // Only where no JDK lies in a usual place can its absence be tested.
        List<String> command = new ArrayList<>(isolated("FAIRLEAD_JAVA_HOME=/nowhere"));
        command.add(Files.writeString(FOLDER.resolve("bin-fairlead"), launcherThatLooksNowhere())
                .toString());

        Output failed = Output.of(FOLDER, Map.of(), "", TIMEOUT, command);

        assertThat(failed.exitCode()).isEqualTo(70);
        assertThat(failed.errors()).contains("no JDK 25 or newer", "hint:");
    }

    private static String launcherThatLooksNowhere() throws IOException {
        return Files.readString(unpacked.resolve("bin/fairlead"), StandardCharsets.UTF_8)
                .replace("/usr/lib/jvm", "/nowhere")
                .replace("[ -d \"$root/lib\" ]", "true");
    }

    private static Output run(String... arguments) {
        return Output.of(FOLDER.resolve("work"), Map.of(), "", TIMEOUT, launcher(arguments));
    }

    private static List<String> launcher(String... arguments) {
        List<String> command = new ArrayList<>(isolated("JAVA_HOME=" + System.getProperty("java.home")));
        command.add(unpacked.resolve("bin/fairlead").toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> isolated(String variable) {
        return List.of(
                "/usr/bin/env",
                "-i",
                "PATH=" + FOLDER.resolve("tools"),
                "HOME=" + FOLDER.resolve("home"),
                variable,
                FOLDER.resolve("tools/sh").toString());
    }

    private static Output output(String... command) {
        return Output.of(FOLDER, Map.of(), "", TIMEOUT, List.of(command));
    }
}
