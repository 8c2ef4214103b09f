package io.fairlead.benchmarks.index;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** One lookup of a group/version, by one and two readers, alone and beside a writer that never rests. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 700, timeUnit = TimeUnit.MILLISECONDS)
public class LookupBenchmark {
    /** The fleet that is asked. */
    @State(Scope.Benchmark)
    public static class Fleet {
        @Param({"fairlead", "reference"})
        public String design = "";

        @Param({"equal", "unique"})
        public String sets = "";

        @Param("10000")
        public int clusters;

        private FleetShape shape = FleetShape.equalSets(0);
        private MeasuredIndex index = new ReferenceIndex(shape);

        @Setup
        public void build() {
            shape = sets.equals("equal") ? FleetShape.equalSets(clusters) : FleetShape.uniqueSets(clusters);
            index = design.equals("fairlead")
                    ? new FairleadIndex(shape, FairleadIndex.Holders.BUILT_IN)
                    : new ReferenceIndex(shape);
            System.gc(); // both designs as a server that has run for a while has them: compacted
        }
    }

    /** One thread's questions, in an order that no cache can guess. */
    @State(Scope.Thread)
    public static class Questions {
        private static final int COUNT = 1 << 16;
        private final int[] clusters = new int[COUNT];
        private final int[] groupVersions = new int[COUNT];
        private int next;

        @Setup
        public void prepare(Fleet fleet) {
            Random random = new Random(2);
            for (int i = 0; i < COUNT; i++) {
                clusters[i] = random.nextInt(fleet.shape.clusters().size());
                groupVersions[i] = random.nextInt(fleet.shape.groupVersions().size());
            }
        }

        private int advance() {
            next = (next + 1) & (COUNT - 1);
            return next;
        }
    }

    @Benchmark
    @Threads(1)
    public boolean oneReader(Fleet fleet, Questions questions) {
        return ask(fleet, questions);
    }

    @Benchmark
    @Threads(2)
    public boolean twoReaders(Fleet fleet, Questions questions) {
        return ask(fleet, questions);
    }

    @Benchmark
    @Group("oneReaderBesideWriter")
    @GroupThreads(1)
    public boolean oneBusyReader(Fleet fleet, Questions questions) {
        return ask(fleet, questions);
    }

    @Benchmark
    @Group("oneReaderBesideWriter")
    @GroupThreads(1)
    public void writerOfOne(Fleet fleet, Questions questions) {
        write(fleet, questions);
    }

    @Benchmark
    @Group("twoReadersBesideWriter")
    @GroupThreads(2)
    public boolean twoBusyReaders(Fleet fleet, Questions questions) {
        return ask(fleet, questions);
    }

    @Benchmark
    @Group("twoReadersBesideWriter")
    @GroupThreads(1)
    public void writerOfTwo(Fleet fleet, Questions questions) {
        write(fleet, questions);
    }

    private static boolean ask(Fleet fleet, Questions questions) {
        int i = questions.advance();
        ClusterName cluster = fleet.shape.clusters().get(questions.clusters[i]);
        GroupVersion groupVersion = fleet.shape.groupVersions().get(questions.groupVersions[i]);
        return fleet.index.serves(cluster, groupVersion);
    }

    private static void write(Fleet fleet, Questions questions) {
        int i = questions.advance();
        fleet.index.toggle(questions.clusters[i], questions.groupVersions[i]);
    }
}
