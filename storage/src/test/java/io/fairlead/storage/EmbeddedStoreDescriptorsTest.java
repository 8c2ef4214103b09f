package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process whose descriptors run out and come back. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EmbeddedStoreDescriptorsTest {
    private static final int DESCRIPTORS = 256;

    @TempDir
    Path directory = Path.of("");

    @Test
    @EnabledOnOs(OS.LINUX)
    void descriptorsThatRunOut_refuseWritesUntilSomeAreFree() throws Exception {
        List<String> said = runStarved();

        assertThat(said).last().isEqualTo("finished");
        List<String> refusals =
                said.stream().filter(line -> line.startsWith("refused")).toList();
        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).startsWith("refused NO_DESCRIPTORS").contains("no file descriptors left"));
        assertThat(said).contains("read");
        // What follows the refusals is taken: more than one log holds.
        int afterwards = said.size() - 1 - said.indexOf("read") - 1;
        assertThat(afterwards).isEqualTo(64);
        assertEachAcknowledgedOnce((int)
                said.stream().filter(line -> line.startsWith("acknowledged")).count());
    }

    private void assertEachAcknowledgedOnce(int acknowledged) {
        try (EmbeddedStore store = EmbeddedStore.open(directory, TestOptions.defaults())) {
            assertThat(store.revision()).isEqualTo(1L + acknowledged);
            assertThat(store.count("/", null, store.revision())).isEqualTo(acknowledged);
        }
    }

    private List<String> runStarved() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + DESCRIPTORS + " && exec \"$@\"",
                        "starved",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StarvedWriter.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var lines = process.inputReader(UTF_8)) {
            return lines.lines().toList();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
