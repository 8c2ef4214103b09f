package io.fairlead.fleet.pins;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.pins.judge.KnownTypes;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.index.ClusterView;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the clusters whose type differs from the majority of those that a pin requires to be equal; all of them, if
 * there is no majority.
 *
 * <p>Threads: confined to one.
 */
final class TypeConsistency {
    private static final Finding CONSISTENT =
            Finding.yes("Consistent", "the types that pins want alike are those of the other clusters");

    private final FleetIndex index;
    private final KnownTypes types;

    /** Each cluster's definitions at the last check. */
    private Map<Definition, TypeDigest> before = new HashMap<>();

    TypeConsistency(FleetIndex index, KnownTypes types) {
        this.index = index;
        this.types = types;
    }

    /**
     * The result for all pins.
     *
     * @param findings for each cluster in some pin's comparison
     * @param drifts the definitions that changed since the last check, to differ from the others
     */
    record Seen(Map<ClusterName, Finding> findings, List<Drift> drifts) {}

    /** A change of a type of a cluster. */
    record Drift(ClusterName cluster, String type, TypeDigest old, TypeDigest now) {}

    /** A CRD of a cluster. */
    private record Definition(ClusterName cluster, String name) {}

    Seen look(Collection<TypePin> pins) {
        Look look = new Look();
        for (TypePin pin : pins) {
            if (pin.requirement() instanceof Requirement.SameAcross across) {
                look.across(pin, new TreeSet<>(across.clusters().names()));
            }
        }
        look.carryOver(before);
        before = look.now;
        return new Seen(look.findings(), look.drifts);
    }

    /** One check of all pins. */
    private final class Look {
        private final Map<Definition, TypeDigest> now = new HashMap<>();
        private final Map<ClusterName, SortedSet<String>> problems = new TreeMap<>();
        private final List<Drift> drifts = new ArrayList<>();

        /** The clusters whose types are unknown for now. */
        private final Set<ClusterName> mute = new HashSet<>();

        void across(TypePin pin, Collection<ClusterName> clusters) {
            Map<String, Map<Definition, DefinedType>> definitions = new TreeMap<>();
            for (ClusterName cluster : clusters) {
                Optional<ClusterView> view = index.view(cluster);
                if (view.isPresent()) {
                    problems.putIfAbsent(cluster, new TreeSet<>());
                    if (view.get().sync() == Sync.UNSYNCED) {
                        mute.add(cluster);
                    }
                    for (Holder holder : view.get().holders()) {
                        DefinedType type = holder.type() == HolderType.CRD ? holder.defines() : null;
                        if (type != null && type.group().equals(pin.group()) && pin.concernsKind(type.kind())) {
                            definitions
                                    .computeIfAbsent(type.groupKind(), _ -> new LinkedHashMap<>())
                                    .put(new Definition(cluster, holder.name()), type);
                        }
                    }
                }
            }
            definitions.values().forEach(this::compare);
        }

        /** Compares the definitions of a kind, whatever the resource's name in each cluster. */
        private void compare(Map<Definition, DefinedType> definitions) {
            TypeDigest usual = usual(definitions.values());
            definitions.forEach((definition, type) -> {
                TypeDigest old = before.get(definition);
                boolean isAlone = !type.api().equals(usual)
                        && definitions.values().stream()
                                .anyMatch(other -> !other.api().equals(type.api()));
                if (isAlone) {
                    problems.computeIfAbsent(definition.cluster(), _ -> new TreeSet<>())
                            .add(problem(type, definitions));
                }
                if (isAlone && old != null && !old.equals(type.api()) && !now.containsKey(definition)) {
                    drifts.add(new Drift(definition.cluster(), type.groupKind(), old, type.api()));
                }
            });
            definitions.forEach((definition, type) -> now.put(definition, type.api()));
        }

        /**
         * Keeps the last known definitions of clusters that are unknown now, so that a drift meanwhile is detected
         * later.
         */
        void carryOver(Map<Definition, TypeDigest> known) {
            known.forEach((definition, digest) -> {
                if (mute.contains(definition.cluster())) {
                    now.putIfAbsent(definition, digest);
                }
            });
        }

        Map<ClusterName, Finding> findings() {
            Map<ClusterName, Finding> findings = new TreeMap<>();
            problems.forEach((cluster, texts) -> findings.put(cluster, finding(cluster, texts)));
            return findings;
        }

        private Finding finding(ClusterName cluster, SortedSet<String> texts) {
            if (!texts.isEmpty()) {
                return Finding.no("TypeDrift", PinReport.first(texts));
            }
            return types.isCurrent(cluster)
                    ? CONSISTENT
                    : Finding.unknown("Stale", "too little is known now of the cluster's types");
        }
    }

    /** The digest of more clusters than any other; null if there is none. */
    private static @Nullable TypeDigest usual(Collection<DefinedType> types) {
        Map<TypeDigest, Integer> counts = new HashMap<>();
        types.forEach(type -> counts.merge(type.api(), 1, Integer::sum));
        TypeDigest usual = null;
        int most = 0;
        for (Map.Entry<TypeDigest, Integer> count : counts.entrySet()) {
            if (count.getValue() > most) {
                usual = count.getKey();
                most = count.getValue();
            } else if (count.getValue() == most) {
                usual = null;
            }
        }
        return usual;
    }

    /** Without the others' names and digests: a reader of one cluster's object may lack access to other clusters. */
    private static String problem(DefinedType type, Map<Definition, DefinedType> definitions) {
        long others = definitions.entrySet().stream()
                .filter(other -> !other.getValue().api().equals(type.api()))
                .map(other -> other.getKey().cluster())
                .distinct()
                .count();
        return type.groupKind() + " is " + type.api() + ", and something else in " + others
                + (others == 1 ? " other cluster" : " other clusters") + " that a pin wants alike";
    }
}
