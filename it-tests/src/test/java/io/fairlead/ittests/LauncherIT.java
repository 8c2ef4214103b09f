package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** How soon the launcher starts, and what it says and exits with where a JDK, Maven or the build is missing. */
@Isolated("it measures starts, and replaces the copy of the program")
final class LauncherIT {
    private static final String JDK = System.getProperty("java.home");

    private static final Duration PROMISED = Duration.ofSeconds(2);
    private static final int STARTS = 5;
    private static final int BUSY_STARTS = 2;

    private final Path folder = Checkout.scratch("LauncherIT");
    private final LauncherCopy launcher = new LauncherCopy(folder);

    @Test
    void withoutAnyJdk_saysHowToGetOne() {
        Output output = launcher.run(Map.of(), "version");

        assertThat(output.exitCode()).as("%s", output).isEqualTo(70);
        assertThat(output.errors())
                .startsWith("error: no JDK 25 or newer was found (seen: none)\n")
                .contains("https://adoptium.net");
        assertThat(output.output()).isEmpty();
    }

    @Test
    void withOldJdks_namesThem() {
        launcher.addJdk("17.0.9");
        launcher.addJdk("1.8.0_402");

        Output output = launcher.run(Map.of(), "version");

        assertThat(output.exitCode()).as("%s", output).isEqualTo(70);
        assertThat(output.errors()).contains("no JDK 25 or newer", "jdk-17.0.9 (Java 17)", "jdk-1.8.0_402 (Java 8)");
    }

    @Test
    void withoutMaven_saysHowToGetIt() {
        Output output = launcher.run(Map.of("JAVA_HOME", JDK), "version");

        assertThat(output.exitCode()).as("%s", output).isEqualTo(70);
        assertThat(output.errors())
                .startsWith("error: Fairlead is not built yet and there is no mvn on the path"
                        + " (expected Maven 3.8.6 or newer)\n")
                .contains("https://maven.apache.org/download.cgi");
    }

    @Test
    void withAnOldMaven_namesItsVersion() {
        launcher.addMaven("3.6.3", "exit 0");

        Output output = launcher.run(Map.of("JAVA_HOME", JDK), "version");

        assertThat(output.exitCode()).as("%s", output).isEqualTo(70);
        assertThat(output.errors()).contains("Maven 3.6.3 (expected 3.8.6 or newer)");
    }

    @Test
    void whoseBuildFails_showsWhatMavenSaid() {
        launcher.addMaven("3.9.9", "echo 'COMPILATION ERROR : canary'; exit 1");

        Output output = launcher.run(Map.of("FAIRLEAD_JAVA_HOME", JDK), "version");

        assertThat(output.exitCode()).as("%s", output).isEqualTo(70);
        assertThat(output.errors()).contains("COMPILATION ERROR : canary", "error: the build failed");
    }

    @Test
    void buildOnATerminal_showsThatItGoesOn() {
        Optional<Path> script = Checkout.onPath("script");
        assumeThat(script).as("what makes a terminal").isPresent();
        launcher.addShortSleep();
        launcher.addMaven("3.9.9", "while [ ! -e \"$HOME/slept\" ]; do :; done; echo canary; exit 1");

        Output output = launcher.runOnTerminal(script.orElseThrow(), Map.of("JAVA_HOME", JDK), "version");

        assertThat(output.exitCode()).as("%s", output).isEqualTo(70);
        assertThat(output.output()).containsPattern("few minutes\\) \\.\\.\\.\\R\\.+\\Rcanary\\R");
    }

    /** Two builds would write the same files. */
    @Test
    void commandDuringTheBuildOfAnother_waitsForIt_andBuildsNothing() {
        launcher.addOutdatedBuild();
        launcher.addJdk("25");
        launcher.addShortSleep();
        launcher.addMaven("3.9.9", "echo \"$*\" >>builds; while [ ! -e \"$HOME/slept\" ]; do :; done");

        CompletableFuture<Output> first = CompletableFuture.supplyAsync(() -> launcher.run(Map.of(), "version"));
        awaitBuild();
        Output second = launcher.run(Map.of(), "version");

        assertThat(second.errors()).isEqualTo("Waiting for another command, which builds Fairlead ...\n");
        assertThat(List.of(first.join().exitCode(), second.exitCode())).containsOnly(1); // of that JDK's java
        assertThat(builds()).hasSize(1);
    }

    /** Its Maven goes on, and would write what the next one writes. */
    @Test
    void commandAfterOneThatWasKilled_waitsForItsMaven_andBuilds() {
        killWhileItBuilds("echo done >>builds");

        Output next = launcher.run(Map.of(), "version");

        assertThat(next.errors()).startsWith("Waiting for another command").contains("Building Fairlead with");
        assertThat(builds()).containsExactly("begun", "done", "begun", "done");
    }

    /** Of which the killed one made no cache. */
    @Test
    void commandAfterOneThatWasKilled_makesTheCacheOfWhatItsMavenBuilt() {
        killWhileItBuilds(": >cli/target/built");

        Output next = launcher.run(Map.of(), "version");

        assertThat(next.errors()).isEqualTo("""
            Waiting for another command, which builds Fairlead ...
            Making the ahead-of-time cache, for quick starts (about a minute) ...
            """);
        assertThat(builds()).containsExactly("begun");
    }

    /**
     * Kills a command whose Maven goes on until the next one waits.
     *
     * @param end what that Maven does last
     */
    private void killWhileItBuilds(String end) {
        launcher.addOutdatedBuild();
        launcher.addJdk("25");
        launcher.addShortSleep();
        launcher.addMaven("3.9.9", "echo begun >>builds; while [ ! -e \"$HOME/slept\" ]; do :; done; " + end);
        OwnedProcess killed = OwnedProcess.start("killed", folder, Map.of(), launcher.command(Map.of(), "version"));
        awaitBuild();
        killed.kill();
    }

    private void awaitBuild() {
        Await.until("the first build", Duration.ofSeconds(30), () -> Files.exists(folder.resolve("builds")));
    }

    private List<String> builds() {
        try {
            return Files.readAllLines(folder.resolve("builds"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It would cost every request; the tests search for them. */
    @Test
    void server_doesNotSearchForLostBuffers() throws IOException {
        build();

        try (FairleadProcess fairlead =
                FairleadProcess.startBy(List.of(launcher.launcher().toString()), folder, "--shutdown-delay", "0s")) {
            // The class path is more than a ProcessHandle takes.
            assertThat(Files.readString(Path.of("/proc/" + fairlead.pid() + "/cmdline")))
                    .contains("\0-Dio.netty.leakDetection.level=disabled\0");
        }
    }

    /** Not one that the launcher starts beside it: nobody would know that it waits. */
    @Test
    void serverThatWaitsForADebugger_saysWhere() {
        String waiting = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0";
        build();

        try (OwnedProcess command = OwnedProcess.start(
                "debugged",
                folder,
                Map.of("FAIRLEAD_JAVA_OPTS", waiting),
                List.of(launcher.launcher().toString(), "version"))) {
            Await.until(
                    "the port for a debugger",
                    Duration.ofSeconds(30),
                    () -> !command.isAlive()
                            || command.output().startsWith("Listening for transport dt_socket at address: "));
            assertThat(command.isAlive()).as("%s", command.tail()).isTrue();
        }
    }

    @Test
    void secondStart_isReadyWithinTwoSeconds_whereverTheProgramIsMovedTo() throws IOException {
        launcher.addOutdatedBuild();
        launcher.addJdk(Path.of(JDK));
        launcher.addMaven("3.9.9", "echo \"$*\" >>builds");
        Output first = launcher.run(Map.of(), "version");
        assertThat(first.exitCode()).as("%s", first).isZero();
        assertThat(first.errors()).startsWith("Building Fairlead with Maven 3.9.9");

        List<String> command = List.of(launcher.launcher().toString());
        String[] flags = {"--shutdown-delay", "0s", "--log-level", "debug"};
        try (FairleadProcess fairlead = FairleadProcess.startBy(command, folder, flags)) {
            assertStartedFromTheCache(fairlead);
            assertQuickAgain(fairlead);
        }
        assertThat(folder.resolve("builds")).content().hasLineCount(1);
        assertServesWhereItIsMovedTo();
    }

    /** With its cache, which names the jars that it was made of, where they were. */
    private void assertServesWhereItIsMovedTo() throws IOException {
        Path moved = Files.createDirectories(folder.resolve("moved/bin"));
        try (Stream<Path> copies = Files.list(folder.resolve("cli/target/run"))) {
            Files.move(copies.max(Comparator.naturalOrder()).orElseThrow(), moved.resolveSibling("lib"));
        }
        Path program = Files.copy(launcher.launcher(), moved.resolve("fairlead"), StandardCopyOption.COPY_ATTRIBUTES);
        Path data = Files.createDirectories(folder.resolve("moved-data"));
        try (FairleadProcess fairlead = FairleadProcess.startBy(
                List.of(program.toString()), data, "--shutdown-delay", "0s", "--log-level", "debug")) {
            assertStartedFromTheCache(fairlead);
        }
    }

    /** The one that this launcher's build has made. */
    private static void assertStartedFromTheCache(FairleadProcess fairlead) {
        Await.until(
                "the server says what it started from",
                Duration.ofSeconds(30),
                () -> fairlead.log().contains("Started "));
        assertThat(fairlead.log()).contains("Started from the cache");
    }

    /** What the launcher finds built, so that it needs no Maven when a test starts it. */
    private void build() {
        launcher.addBuild();
        launcher.addJdk(Path.of(JDK));
    }

    /** The promise is about a machine that does nothing else: what others do may slow some of the starts, or all of them. */
    private static void assertQuickAgain(FairleadProcess fairlead) {
        var took = new ArrayList<Duration>();
        int idle = 0;
        while (took.size() < STARTS && took.size() - idle < BUSY_STARTS && !isQuick(took)) {
            assertThat(fairlead.stop()).isZero();
            boolean wasIdle = IdleMachine.await();
            long before = System.nanoTime();
            fairlead.start();
            took.add(Duration.ofNanos(System.nanoTime() - before));
            idle += wasIdle && IdleMachine.wasButFor(fairlead.handle(), took.getLast()) ? 1 : 0;
        }
        assumeThat(isQuick(took) || idle > 0)
                .as("the machine was busy with other things during all starts, which took %s", took)
                .isTrue();
        assertThat(took).last(as(InstanceOfAssertFactories.DURATION)).isLessThanOrEqualTo(PROMISED);
    }

    private static boolean isQuick(List<Duration> took) {
        return !took.isEmpty() && took.getLast().compareTo(PROMISED) <= 0;
    }
}
