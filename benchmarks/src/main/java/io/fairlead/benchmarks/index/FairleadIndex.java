package io.fairlead.benchmarks.index;

import io.fairlead.index.Answer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The index under test, fed through its public door. */
final class FairleadIndex implements MeasuredIndex {
    /** The holders of the clusters' group/versions. */
    enum Holders {
        /** The same in every cluster: the API server's own groups. */
        BUILT_IN,
        /** A CRD for each group/version of each cluster, with a uid of its own. */
        CRDS
    }

    private static final Set<HolderType> TYPES = Set.of(HolderType.BUILT_IN, HolderType.CRD);

    private final FleetIndex index = FleetIndex.create();
    private final FleetShape shape;
    private final List<ClusterLedger> ledgers = new ArrayList<>();
    private final BitSet toggled = new BitSet();

    FairleadIndex(FleetShape shape, Holders holders) {
        this.shape = shape;
        for (int i = 0; i < shape.clusters().size(); i++) {
            ClusterLedger ledger = index.open(shape.clusters().get(i), TYPES);
            ledger.relist(TYPES, holders(shape.served()[i], holders), "1");
            ledgers.add(ledger);
        }
    }

    @Override
    public boolean serves(ClusterName cluster, GroupVersion groupVersion) {
        return index.lookup(cluster, groupVersion.group(), groupVersion.version()) == Answer.SERVED;
    }

    @Override
    public void toggle(int cluster, int groupVersion) {
        int place = cluster * shape.groupVersions().size() + groupVersion;
        toggled.flip(place);
        List<Contribution> contributions = toggled.get(place)
                ? List.of(Contribution.of(shape.groupVersions().get(groupVersion), Set.of()))
                : List.of();
        ledgers.get(cluster).upsert(new Holder(HolderType.CRD, "toggled", "toggled", "", contributions));
    }

    private List<Holder> holders(int[] places, Holders kind) {
        return Arrays.stream(places)
                .mapToObj(place -> holder(shape.groupVersions().get(place), kind))
                .toList();
    }

    private static Holder holder(GroupVersion groupVersion, Holders kind) {
        String apiVersion = groupVersion.apiVersion();
        List<Contribution> contributions = List.of(Contribution.of(groupVersion, Set.of()));
        return switch (kind) {
            case BUILT_IN -> new Holder(HolderType.BUILT_IN, apiVersion, apiVersion, "", contributions);
            case CRDS ->
                new Holder(HolderType.CRD, apiVersion, UUID.randomUUID().toString(), "100", contributions);
        };
    }
}
