package io.fairlead.fleet.pins;

import static io.fairlead.fleet.root.RootCluster.ADMIN;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.pins.judge.Boats;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.KnownTypes;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Three clusters that define boats as a test wants, and a root cluster with pins about them. */
final class PinnedBoats implements AutoCloseable {
    static final String PINS = "/apis/fairlead.io/v1alpha1/typepins";
    static final ClusterName DEV = new ClusterName("dev");
    static final ClusterName TEST = new ClusterName("test");
    static final ClusterName PROD = new ClusterName("prod");
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);

    final RootCluster root = new RootCluster(_ -> Optional.empty());

    /** For how long changes of each cluster's CRDs went unheard. */
    final AtomicLong silentNanos = new AtomicLong();

    private final FleetIndex index = FleetIndex.create();

    /** Boats up to ten, and up to eight. */
    final DefinedType good = Boats.upTo(10, index);

    final DefinedType bad = Boats.upTo(8, index);

    private final Map<ClusterName, ClusterLedger> ledgers = new HashMap<>();

    /**
     * The pins over the root cluster, or one that answers as it does with exceptions.
     *
     * @param use takes the pins
     * @param tell takes what is found of the clusters
     */
    TypePins pins(HostedCluster over, Consumer<PinSet> use, Consumer<Map<ClusterName, Finding>> tell) {
        Map<ClusterName, Map<String, String>> labels =
                Map.of(DEV, Map.of("stage", "dev"), PROD, Map.of("stage", "prod"), TEST, Map.of());
        return new TypePins(
                over,
                index,
                new Judge(new KnownTypes(index, _ -> silentNanos.get(), Duration.ofMinutes(2)), index.types()),
                () -> labels,
                use,
                tell,
                InstantSource.system());
    }

    /** Lets a cluster define boats; null stands for a definition that cannot be read. */
    void define(ClusterName cluster, @Nullable DefinedType type) {
        ledger(cluster).relist(CRDS, List.of(Boats.crd("boats", type)), "");
    }

    /** Lets a cluster call its boats otherwise in paths. */
    void call(ClusterName cluster, String plural) {
        ledger(cluster).relist(CRDS, List.of(Boats.crd(plural, Boats.called(plural, index))), "");
    }

    ClusterLedger ledger(ClusterName cluster) {
        return ledgers.computeIfAbsent(cluster, name -> index.open(name, CRDS));
    }

    void register(ClusterName cluster) {
        root.create(
                RootCluster.CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + cluster
                        + "}, spec: {hosted: {}}}");
    }

    void create(String pin, String spec) {
        root.create(PINS, text(pin, spec));
    }

    static String text(String pin, String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: TypePin, metadata: {name: " + pin + "}, spec: {" + spec + "}}";
    }

    /** All events of the root cluster, as JSON. */
    String events() {
        return root.send(ADMIN, "GET", "/api/v1/namespaces/default/events", "")
                .body()
                .toString();
    }

    @Override
    public void close() {
        root.close();
    }
}
