package io.fairlead.gateway.fleet;

import io.fairlead.gateway.FairleadVersion;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.index.Audit;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import io.fairlead.model.GroupVersion;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the index from a hosted cluster: what it says of its types becomes holders.
 *
 * <p>Threads: events come on one thread of the cluster; the ledger is safe for any.
 */
final class HostedObservation implements Observation {
    private static final Logger LOG = LoggerFactory.getLogger(HostedObservation.class);
    private static final Set<HolderType> TYPES = EnumSet.of(HolderType.BUILT_IN, HolderType.CRD);
    private static final int AUDIT_ATTEMPTS = 5;

    /** Stands for the core group, whose name is empty, where a name is needed. */
    private static final String CORE = "core";

    private final HostedCluster cluster;
    private final ClusterLedger ledger;
    private final Runnable changed;
    private final AutoCloseable types;
    private volatile @Nullable Instant lastSync;

    HostedObservation(HostedCluster cluster, FleetIndex index, Runnable changed) {
        this.cluster = cluster;
        this.changed = changed;
        this.ledger = index.open(cluster.name(), TYPES);
        this.types = cluster.observeTypes(this::accept);
    }

    @Override
    public Observed now() {
        ClusterView view = ledger.view();
        Condition synced = view.sync() == Sync.SYNCED
                ? Condition.yes(Condition.TYPES_SYNCED, "Synced", "the types that it serves are known")
                : Condition.unknown(Condition.TYPES_SYNCED, "NotSyncedYet", "the types are not listed yet");
        return new Observed(
                Condition.yes(Condition.REACHABLE, "ServedHere", "Fairlead serves it"),
                synced,
                FairleadVersion.KUBERNETES,
                view.apiVersions().size(),
                Surface.resources(view),
                view.evidence().epoch(),
                lastSync);
    }

    /** The view may be a moment behind or ahead of the source; a difference that stays is a mismatch. */
    @Override
    public Audit audit() {
        Audit audit = ledger.audit(source());
        for (int attempt = 1; attempt < AUDIT_ATTEMPTS && !audit.isClean(); attempt++) {
            audit = ledger.audit(source());
        }
        return audit;
    }

    @Override
    public void close() {
        closeQuietly(types);
        ledger.close();
    }

    private void accept(TypeEvent event) {
        switch (event) {
            case TypeEvent.Complete(List<ServedType> all, long revision) -> {
                report(ledger.relist(TYPES, holders(all, revision), Long.toString(revision))
                        .problems());
                lastSync = ledger.view().evidence().time();
            }
            case TypeEvent.Upserted(ServedType type, long revision) ->
                report(ledger.upsert(holder(type, revision)).problems());
            case TypeEvent.Removed(ServedType type, long revision) ->
                ledger.delete(typeOf(type), nameOf(type), uidOf(type), Long.toString(revision));
        }
        changed.run();
    }

    private void report(List<String> problems) {
        for (String problem : problems) {
            LOG.atWarn()
                    .addKeyValue("cluster", cluster.name())
                    .addKeyValue("problem", problem)
                    .log("A type is not indexed");
        }
    }

    /** What the cluster serves according to itself, asked anew. */
    private List<Holder> source() {
        AtomicReference<List<Holder>> told = new AtomicReference<>(List.of());
        AutoCloseable asked = cluster.observeTypes(event -> {
            if (event instanceof TypeEvent.Complete(List<ServedType> all, long revision)) {
                told.set(holders(all, revision));
            }
        });
        closeQuietly(asked);
        return Objects.requireNonNull(told.get());
    }

    private static List<Holder> holders(List<ServedType> types, long revision) {
        return types.stream().map(type -> holder(type, revision)).toList();
    }

    private static Holder holder(ServedType type, long revision) {
        List<Contribution> contributions = type.versions().stream()
                .sorted()
                .map(version -> Contribution.of(new GroupVersion(type.group(), version), type.resources()))
                .toList();
        return new Holder(typeOf(type), nameOf(type), uidOf(type), Long.toString(revision), contributions, "");
    }

    private static HolderType typeOf(ServedType type) {
        return type.builtIn() ? HolderType.BUILT_IN : HolderType.CRD;
    }

    private static String nameOf(ServedType type) {
        return type.name().isEmpty() ? CORE : type.name();
    }

    private static String uidOf(ServedType type) {
        return type.uid().isEmpty() ? CORE : type.uid();
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception failure) {
            throw new IllegalStateException("an observer of types cannot be closed", failure);
        }
    }
}
