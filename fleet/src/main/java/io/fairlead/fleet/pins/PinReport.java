package io.fairlead.fleet.pins;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.KnownTypes;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.Verdict;
import io.fairlead.fleet.root.Condition;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares a pin with every type of the fleet to which it applies. Any thread. */
public final class PinReport {
    private static final int PROBLEMS_TOLD_MAX = 3;

    private final FleetIndex index;
    private final KnownTypes types;
    private final Judge judge;

    public PinReport(FleetIndex index, Judge judge) {
        this.index = index;
        this.types = judge.types();
        this.judge = judge;
    }

    /**
     * Why a pin applies to no type now, for instance because of a misspelt name; empty if it applies to one, and while
     * that is unknown.
     *
     * @param clusters the registered ones
     */
    Optional<String> nothing(TypePin pin, Collection<ClusterName> clusters) {
        List<ClusterName> selected =
                clusters.stream().filter(cluster -> pin.clusters().has(cluster)).toList();
        if (selected.isEmpty()) {
            return Optional.of(noCluster(pin));
        }
        SortedSet<String> kinds = new TreeSet<>();
        for (ClusterName cluster : selected) {
            if (!types.isCurrent(cluster)) {
                return Optional.empty();
            }
            for (Holder holder : holdersOfGroup(pin, cluster)) {
                if (isOfKind(pin, holder.defines())) {
                    return Optional.empty();
                }
                kinds.add("\"" + Objects.requireNonNull(holder.defines()).kind() + "\"");
            }
        }
        return Optional.of(noType(pin, kinds));
    }

    private static String noCluster(TypePin pin) {
        if (!(pin.clusters() instanceof ClusterSet.Named(Set<ClusterName> names))) {
            return "no registered cluster is one that it selects";
        }
        SortedSet<String> quoted = new TreeSet<>();
        names.forEach(name -> quoted.add("\"" + name + "\""));
        return "no cluster that it selects is registered: " + first(quoted);
    }

    private static String noType(TypePin pin, SortedSet<String> kinds) {
        String group = " of group \"" + pin.group() + "\"";
        String defined = kinds.isEmpty() ? "" : " (the group's kinds there: " + first(kinds) + ")";
        return pin.kind().equals(TypePin.EVERY)
                ? "no cluster that it selects defines a type" + group
                : "no cluster that it selects defines kind \"" + pin.kind() + "\"" + group + defined;
    }

    /** The present state of a pin. */
    Observed of(TypePin pin, Collection<ClusterName> clusters) {
        Observed observed = new Observed(nothing(pin, clusters));
        for (ClusterName cluster : new TreeSet<>(clusters)) {
            if (pin.clusters().has(cluster) && types.isFollowed(cluster)) {
                look(pin, cluster, observed);
                if (!types.isCurrent(cluster)) {
                    observed.stale.add(cluster.value());
                }
            }
        }
        return observed;
    }

    private void look(TypePin pin, ClusterName cluster, Observed observed) {
        for (Holder holder : holdersOfGroup(pin, cluster)) {
            if (isOfKind(pin, holder.defines())) {
                observed.types++;
                look(pin, cluster, holder, observed);
            }
        }
    }

    private List<Holder> holdersOfGroup(TypePin pin, ClusterName cluster) {
        List<Holder> holders = index.view(cluster).map(view -> view.holders()).orElse(List.of());
        return holders.stream().filter(holder -> holder.isOfGroup(pin.group())).toList();
    }

    /** An unreadable definition counts as every kind, as it does for requests. */
    private static boolean isOfKind(TypePin pin, @Nullable DefinedType type) {
        return type == null || pin.concernsKind(type.kind());
    }

    /** A definition's name is its resource's, a dot and its group; requests name the served ones. */
    private void look(TypePin pin, ClusterName cluster, Holder holder, Observed observed) {
        String plural = holder.name().substring(0, holder.name().indexOf('.'));
        GroupResource resource = new GroupResource(pin.group(), plural);
        for (Contribution served : holder.contributions()) {
            String version = served.groupVersion().version();
            if (pin.versions().isEmpty() || pin.versions().contains(version)) {
                switch (judge.judge(pin, cluster, resource, version)) {
                    case Verdict.Kept _ -> {}
                    case Verdict.Broken(String why, var _) -> observed.broken.add(why);
                    case Verdict.Stale _ -> observed.stale.add(cluster.value());
                }
            }
        }
    }

    /** The first problems, and the number of further ones. */
    static String first(SortedSet<String> problems) {
        List<String> told =
                new ArrayList<>(problems.stream().limit(PROBLEMS_TOLD_MAX).toList());
        int more = problems.size() - told.size();
        if (more > 0) {
            told.add("and " + more + " more");
        }
        return String.join("; ", told);
    }

    /** The findings. */
    static final class Observed {
        private final SortedSet<String> broken = new TreeSet<>();

        /** The clusters whose types cannot be judged. */
        private final SortedSet<String> stale = new TreeSet<>();

        private final String nothing;
        private int types;

        /** @param nothing why the pin applies to no type */
        Observed(Optional<String> nothing) {
            this.nothing = nothing.orElse("no cluster that it selects defines such a type");
        }

        ObjectNode status(JsonNode before, long generation, Instant now) {
            ObjectNode status = Json.object();
            status.set(
                    "conditions",
                    Condition.merge(
                            before,
                            List.of(
                                    new Condition(Condition.SATISFIED, satisfied()),
                                    new Condition(Condition.STALE, staleness())),
                            generation,
                            now));
            status.put("types", types);
            return status;
        }

        private Finding satisfied() {
            if (!broken.isEmpty()) {
                return Finding.no("Mismatch", first(broken));
            }
            if (!stale.isEmpty()) {
                return Finding.unknown("Stale", notJudged());
            }
            return types == 0
                    ? Finding.yes("NothingPinned", nothing)
                    : Finding.yes("AsPinned", "every type that it is about is as pinned");
        }

        private Finding staleness() {
            return stale.isEmpty()
                    ? Finding.no("Current", "changes of the types that it is about are heard")
                    : Finding.yes("Stale", notJudged());
        }

        /** Without the age, which would change the message each second. */
        private String notJudged() {
            return "too little is known now to judge types of " + first(stale);
        }
    }
}
