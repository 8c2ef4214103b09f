package io.fairlead.benchmarks.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.benchmarks.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxy's benchmarks run and write what they say; how fast is not judged here. */
class ProxyBenchmarkSmokeTest {
    @Test
    void median_isInTheMiddle() {
        assertThat(Rounds.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Rounds.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
    }

    @Test
    void report_namesEveryQuantityAndEveryMiss(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("../cli/target/lib")), "the commands are packaged");
        for (String program : List.of("nginx", "wrk", "h2load", "curl", "openssl", "taskset")) {
            assumeTrue(Workshop.isInstalled(program), program + " is installed");
        }
        Report report = Report.of("proxy", folder);

        new ProxyReport(report, Length.SMOKE).write();
        report.save();

        String page = Files.readString(report.beside(".md"));
        assertThat(page)
                .contains(
                        "h1 to h1",
                        "h2 in front",
                        "64 KB",
                        "1 MB",
                        "handshake",
                        "p50",
                        "p99",
                        "start to listening",
                        "first 20,000")
                .containsPattern("(?s)### The floor.*h1 to h1.*h2 in front.*start to listening.*first 20,000")
                .contains("How long each row took", "## Missed or not measured")
                .doesNotContain("Exception", "not done within");
        if (Workshop.isInstalled("go")) {
            assertThat(page)
                    .contains("changed CRD", "delivered watch event", "idle watch, h1 to h1", "idle watch, h2 to h2");
        }
        assertThat(Files.readAllLines(report.beside("-proxy.csv"))).hasSizeGreaterThan(10);
    }
}
