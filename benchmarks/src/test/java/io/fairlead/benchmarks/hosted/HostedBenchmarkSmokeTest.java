package io.fairlead.benchmarks.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.benchmarks.Checkout;
import io.fairlead.benchmarks.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hosted clusters' benchmarks run and write what they say; how fast is not judged here. */
class HostedBenchmarkSmokeTest {
    @Test
    void report_namesEveryQuantity(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("../cli/target/lib")), "the commands are packaged");
        Report report = Report.of("hosted", folder);

        new HostedReport(report, HostedReport.Length.SMOKE, Checkout.launcher()).write();
        report.save();

        assertThat(Files.readString(report.beside(".md")))
                .contains("heap per idle cluster", "to the first answer, p99", "to gone, p99", "callers at once");
        assertThat(Files.readAllLines(report.beside("-hosted.csv"))).hasSizeGreaterThan(4);
    }
}
