package io.fairlead.benchmarks.types;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks run and measure what they say; how fast is not judged here. */
class TypesBenchmarkSmokeTest {
    @Test
    void everyBenchmark_runs() throws RunnerException {
        var results = new Runner(new OptionsBuilder()
                        .include(DigestBenchmark.class.getSimpleName())
                        .include(PinBenchmark.class.getSimpleName())
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results).hasSize(3);
    }

    @Test
    void definition_isOfTheSizeThatIsJudged() {
        DigestBenchmark benchmark = new DigestBenchmark();
        benchmark.write();

        assertThat(DigestBenchmark.definition()).hasSizeBetween(DigestBenchmark.LENGTH_MIN, 80_000);
        assertThat(benchmark.digests().notUnderstood()).isEmpty();
        assertThat(benchmark.digests().kind()).isEqualTo("Large");
    }
}
