package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hosted clusters with more in them than the heap of their process holds. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallHeapTest {
    @Test
    void listsAndWatchesOfMoreThanTheHeap_leaveTheProcessAlive(@TempDir Path directory) throws Exception {
        String told = run(directory, "128m", "40", "12", "40");

        assertThat(told.lines().filter(line -> line.startsWith("lists ")))
                .singleElement()
                .asString()
                .matches("lists \\{200=\\d+(, 429=\\d+)?}");
        assertThat(told).contains("watches 10", "held 0");
    }

    private static String run(Path directory, String heap, String objects, String lists, String updates)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-XX:+ExitOnOutOfMemoryError",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeObjects.class.getName(),
                        directory.toString(),
                        objects,
                        lists,
                        updates)
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        return told;
    }
}
