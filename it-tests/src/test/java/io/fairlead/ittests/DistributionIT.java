package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The distribution, unpacked where there is a JDK and nothing else of ours: no checkout, no Maven, an empty home. */
final class DistributionIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Path FOLDER = Checkout.scratch("DistributionIT");

    /** What the launcher needs of a system; that is POSIX. */
    private static final List<String> TOOLS = List.of("sh", "env", "dirname", "readlink", "sed", "wc");

    /** In which the cache names the JVM that made it. */
    private static final int HEAD_BYTES = 2_048;

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
            assertThat(Files.readString(Path.of("/proc", Long.toString(server.pid()), "maps")))
                    .as("nothing is unpacked at a start that was unpacked before")
                    .contains("/lib/native/libnetty_tcnative_", "/lib/native/libnetty_transport_native_epoll_");

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

    /** It was made in another folder. */
    @Test
    void distribution_startsFromItsCache() {
        assertThat(startedFrom(unpacked)).contains("Started from the cache");
    }

    @Test
    void command_startsFromACacheOfItsOwn() throws IOException {
        Path loaded = FOLDER.resolve("loaded");
        List<String> version = new ArrayList<>(isolated("FAIRLEAD_JAVA_OPTS=-Xlog:class+load:file=" + loaded));
        version.add(unpacked.resolve("bin/fairlead").toString());
        version.add("version");

        assertThat(output(version.toArray(String[]::new)).exitCode()).isZero();
        // Which a server has no use for.
        assertThat(loaded)
                .content()
                .containsPattern("io\\.fairlead\\.cli\\.server\\.FairleadClient source: shared objects file");
    }

    /** A JVM that may not have its cache starts from the jars. */
    @Test
    void cacheOfAnotherJdk_isRefused_andTheServerSaysWhy() throws IOException {
        Path folder = unpackedAgain("another-jdk");
        Path cache = folder.resolve("lib/classes.aot");
        byte[] bytes = Files.readAllBytes(cache);
        int version = new String(bytes, 0, HEAD_BYTES, StandardCharsets.ISO_8859_1).indexOf("OpenJDK");
        assertThat(version).as("the cache names the JVM that made it").isPositive();
        bytes[version] = 'X';
        Files.write(cache, bytes);

        assertThat(startedFrom(folder))
                .contains("Started without the cache", "created by a different version or build of HotSpot");
    }

    /** The JVM would not see that any of these is not the jar from which the cache was made. */
    @ParameterizedTest
    @ValueSource(strings = {"fairlead-cli", "fairlead-gateway", "HdrHistogram", "slf4j-api"})
    void cacheOfAnOlderJar_isRefused_andTheServerSaysWhy(String name) throws IOException {
        Path folder = unpackedAgain("newer-" + name);
        Files.setLastModifiedTime(jar(folder, name), FileTime.from(Instant.now()));

        assertThat(startedFrom(folder)).contains("Started without the cache", "it is older than " + name);
    }

    @Test
    void cacheOfAJarOfAnotherSize_isRefused_thoughTheJarIsOld() throws IOException {
        Path folder = unpackedAgain("other-size");
        Path jar = jar(folder, "fairlead-gateway");
        FileTime time = Files.getLastModifiedTime(jar);
        // Zip files may have anything behind them.
        Files.writeString(jar, "\n", StandardOpenOption.APPEND);
        Files.setLastModifiedTime(jar, time);

        assertThat(startedFrom(folder)).contains("Started without the cache", "jars with other names or sizes");
    }

    @Test
    void cacheOfFewerJars_isRefused() throws IOException {
        Path folder = unpackedAgain("one-more");
        Path added = Files.copy(jar(folder, "jspecify"), folder.resolve("lib/aaa.jar"));
        Files.setLastModifiedTime(added, FileTime.fromMillis(0));

        assertThat(startedFrom(folder)).contains("Started without the cache", "jars with other names or sizes");
    }

    private static Path jar(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("lib"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + " is not among the jars"));
        }
    }

    @Test
    void withoutTheCache_theServerStarts_andSaysSo() throws IOException {
        Path folder = unpackedAgain("no-cache");
        Files.delete(folder.resolve("lib/classes.aot"));

        assertThat(startedFrom(folder)).contains("Started without the cache", "there is none", "fairlead warm");
    }

    /** What a server that runs from a folder says of its start. */
    private static String startedFrom(Path folder) {
        String name = String.valueOf(folder.getFileName());
        List<String> serve = new ArrayList<>(isolated("JAVA_HOME=" + System.getProperty("java.home")));
        serve.add(folder.resolve("bin/fairlead").toString());
        serve.addAll(List.of(
                "serve",
                "--data-dir=" + FOLDER.resolve("data-" + name),
                "--secure-port=0",
                "--metrics-address=off",
                "--shutdown-delay=0s",
                "--log-level=debug"));
        try (OwnedProcess server = OwnedProcess.start("serve-" + name, FOLDER.resolve("work"), Map.of(), serve)) {
            Await.until(
                    "the server says what it started from; " + server.tail(),
                    TIMEOUT,
                    () -> !server.isAlive() || server.errors().contains("Started "));
            assertThat(server.output()).contains("is ready");
            assertThat(server.terminate(TIMEOUT)).isZero();
            return server.errors();
        }
    }

    private static Path unpackedAgain(String name) throws IOException {
        Path folder = Files.createDirectories(FOLDER.resolve(name));
        assertThat(output("tar", "-xzf", tarball.toString(), "--strip-components=1", "-C", folder.toString())
                        .exitCode())
                .isZero();
        return folder;
    }

    @Test
    void distribution_holdsWhatItPromises() throws IOException {
        Set<String> entries = new TreeSet<>();
        try (Stream<Path> tree = Files.walk(unpacked, 2)) {
            tree.map(path -> unpacked.relativize(path).toString()).forEach(entries::add);
        }

        assertThat(entries)
                .contains("LICENSE", "bin/fairlead", "bin/kubectl-fairlead", "conf/fairlead.yaml")
                .contains("lib/classes.aot", "lib/commands.aot");
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
