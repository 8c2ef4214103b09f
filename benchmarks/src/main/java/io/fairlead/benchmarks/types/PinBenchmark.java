package io.fairlead.benchmarks.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.KnownTypes;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.fleet.pins.judge.Verdict;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.GroupVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a write costs more if a pin concerns it: the type is found in the index and held against the pin. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class PinBenchmark {
    private static final int CLUSTERS = 50;
    private static final int DEFINITIONS = 600;
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);

    @Param({"allow", "consistentAcross"})
    public String requirement = "";

    private final FleetIndex index = FleetIndex.create();
    private final Judge judge = new Judge(new KnownTypes(index, cluster -> 0, Duration.ofMinutes(2)), index.types());
    private final List<ClusterName> clusters = new ArrayList<>();
    private final List<GroupResource> resources = new ArrayList<>();
    private TypePin pin = pin(new Requirement.Anything());
    private int next;

    @Setup
    public void define() {
        for (int definition = 0; definition < DEFINITIONS; definition++) {
            resources.add(new GroupResource("example.com", "t" + definition));
        }
        TypeReader reader = new TypeReader(index.types());
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            clusters.add(new ClusterName("c" + cluster));
            List<Holder> holders =
                    resources.stream().map(resource -> holder(resource, reader)).toList();
            index.open(clusters.get(cluster), CRDS).relist(CRDS, holders, "1");
        }
        pin = pin(
                requirement.equals("allow")
                        ? new Requirement.OneOf(Set.of(Objects.requireNonNull(
                                        holder(resources.getFirst(), reader).defines())
                                .api()))
                        : new Requirement.SameAcross(new ClusterSet.Named(new HashSet<>(clusters))));
    }

    @Benchmark
    public Verdict judge() {
        next = (next + 1) % CLUSTERS;
        return judge.judge(pin, clusters.get(next), resources.getFirst(), "v1");
    }

    private static TypePin pin(Requirement requirement) {
        return new TypePin(
                "pin",
                new ClusterSet.All(Map::of),
                "example.com",
                TypePin.EVERY,
                Set.of(),
                TypePin.WRITES,
                requirement,
                Set.of(),
                TypePin.Action.DENY);
    }

    private static Holder holder(GroupResource resource, TypeReader reader) {
        String spec = """
            {"group":"example.com","scope":"Namespaced","names":{"kind":"%1$s","plural":"%1$s"},
             "versions":[{"name":"v1","served":true,"storage":true}]}
            """.formatted(resource.resource());
        Contribution contribution = Contribution.of(new GroupVersion("example.com", "v1"), Set.of(resource.resource()));
        return new Holder(
                HolderType.CRD,
                resource.toString(),
                "u",
                "1",
                List.of(contribution),
                reader.read(spec.getBytes(UTF_8)),
                "");
    }
}
