package io.fairlead.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks run and measure what they say; how fast is not judged here. */
class IndexBenchmarkSmokeTest {
    @Test
    void everyBenchmark_runs() throws RunnerException {
        var results = new Runner(new OptionsBuilder()
                        .include(LookupBenchmark.class.getSimpleName())
                        .param("clusters", "10")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results).hasSize(16);
    }

    @ParameterizedTest
    @EnumSource(FairleadIndex.Holders.class)
    void bothDesigns_giveTheSameAnswers(FairleadIndex.Holders holders) {
        FleetShape shape = FleetShape.uniqueSets(10);
        MeasuredIndex fairlead = new FairleadIndex(shape, holders);
        MeasuredIndex reference = new ReferenceIndex(shape);
        fairlead.toggle(3, 5);
        reference.toggle(3, 5);

        for (var cluster : shape.clusters()) {
            for (var groupVersion : shape.groupVersions()) {
                assertThat(fairlead.serves(cluster, groupVersion))
                        .as("%s %s", cluster, groupVersion)
                        .isEqualTo(reference.serves(cluster, groupVersion));
            }
        }
    }

    @Test
    void footprint_ofEqualSets_isBelowThatOfTheReference() {
        FleetShape shape = FleetShape.equalSets(1_000);

        double fairlead =
                Footprint.bytesPerEntry(shape, () -> new FairleadIndex(shape, FairleadIndex.Holders.BUILT_IN));
        double reference = Footprint.bytesPerEntry(shape, () -> new ReferenceIndex(shape));

        assertThat(fairlead).isLessThan(reference);
    }
}
