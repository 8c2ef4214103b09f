package io.fairlead.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the jcstress tests of the index for a moment; run them longer with jcstress' own options. */
class IndexVisibilityTest {
    @Test
    void swap_isSeenWhole(@TempDir Path folder) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command(folder))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        process.destroyForcibly();

        String text = Files.readString(output);
        assertThat(ended).as(text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text)
                .contains("Failed tests: No matches", "Error tests: No matches", "All remaining tests: 1 matching");
    }

    private static List<String> command(Path results) {
        String classPath = Optional.ofNullable(System.getProperty("surefire.test.class.path"))
                .orElseGet(() -> System.getProperty("java.class.path"));
        return List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                classPath,
                "org.openjdk.jcstress.Main",
                "--t",
                IndexVisibilityStress.class.getSimpleName(),
                "--m",
                "quick",
                "--iters",
                "1",
                "--time",
                "200",
                "--f",
                "1",
                "--sc",
                "false",
                "--c",
                "2",
                "--jvmArgs",
                "-Xmx256m -XX:+UseSerialGC",
                "--r",
                results.toString());
    }
}
