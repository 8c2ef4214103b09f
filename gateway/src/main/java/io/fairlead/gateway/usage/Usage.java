package io.fairlead.gateway.usage;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.usage.CallerUsage.Kind;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Counts what the callers of each cluster have under way: those that made a request lately. If there are too many, further ones
 * are counted together, as are those with very long names. A cluster has no more callers of its own count than there is room left
 * for: one with many leaves half of it to others, two leave a third, and so on.
 *
 * <p>Threads: any; {@link #sweep} is for one.
 */
public final class Usage {
    /** Who has no count of its own; no user has this name. */
    public static final CallerName OTHERS = CallerName.ofGateway("");

    private static final int NAME_CHARACTERS_MAX = 256;

    private final int callersMax;
    private final ConcurrentMap<Place, CallerUsage> callers = new ConcurrentHashMap<>();

    /** How many entries each cluster has above; no entry for 0. */
    private final ConcurrentMap<ClusterName, Integer> entries = new ConcurrentHashMap<>();

    private final ConcurrentMap<ClusterName, LongAdder> requests = new ConcurrentHashMap<>();

    /**
     * A caller in a cluster. Comparable, so that callers whose names were chosen for their equal hashes are told apart in few steps.
     */
    private record Place(ClusterName cluster, CallerName caller) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byCluster = cluster.compareTo(other.cluster);
            return byCluster != 0 ? byCluster : caller.name().compareTo(other.caller.name());
        }
    }

    /**
     * One line of a report.
     *
     * @param caller {@link #OTHERS} for those without one of their own
     */
    public record OfCaller(ClusterName cluster, CallerName caller, Counts counts) {}

    /**
     * What is counted at a moment, in no order.
     *
     * @param clusters that had a request, with the sums of their callers
     */
    public record Report(Map<ClusterName, Counts> clusters, List<OfCaller> callers) {}

    public Usage(LimitSettings limits) {
        this.callersMax = limits.usageCallersMax();
    }

    /**
     * Counts a request of a cluster that is served, until it is over.
     *
     * @param measured observes it too
     */
    public Used begin(ClusterName cluster, CallerName caller, Described described, Outcome measured) {
        requests.computeIfAbsent(cluster, _ -> new LongAdder()).increment();
        Kind kind = kind(described);
        return new Used(
                take(cluster, caller, kind),
                measured,
                kind,
                described.received().heldBytes());
    }

    /** Gets the bytes that a request under way keeps beside its head: how many more, or fewer. */
    public LongConsumer holder(ClusterName cluster, CallerName caller) {
        CallerUsage own = callers.get(new Place(cluster, caller));
        CallerUsage usage = own == null ? callers.get(new Place(cluster, OTHERS)) : own;
        return usage == null ? _ -> {} : usage::hold;
    }

    /** Drops callers that made no request since the last time. To be called periodically. */
    public void sweep() {
        callers.keySet().forEach(place -> drop(place, CallerUsage::isDroppedIfIdle));
    }

    /** Drops a removed cluster. */
    public void forget(ClusterName cluster) {
        requests.remove(cluster);
        callers.keySet().stream()
                .filter(place -> place.cluster().equals(cluster))
                .forEach(place -> drop(place, _ -> true));
    }

    /**
     * Counts of some clusters.
     *
     * @param isMeant asked once for each cluster that had a request; may block
     */
    public Report report(Predicate<ClusterName> isMeant) {
        Map<ClusterName, Counts> sums = new HashMap<>();
        requests.forEach((cluster, count) -> {
            if (isMeant.test(cluster)) {
                sums.put(cluster, Counts.NONE.withRequests(count.sum()));
            }
        });
        List<OfCaller> ofCallers = new ArrayList<>();
        if (!sums.isEmpty()) {
            callers.forEach((place, usage) -> {
                Counts sum = sums.get(place.cluster());
                if (sum != null) {
                    Counts own = usage.counts();
                    ofCallers.add(new OfCaller(place.cluster(), place.caller(), own));
                    sums.put(place.cluster(), sum.plus(own).withRequests(sum.requests()));
                }
            });
        }
        return new Report(sums, ofCallers);
    }

    private CallerUsage take(ClusterName cluster, CallerName caller, Kind kind) {
        Place own = new Place(cluster, caller);
        CallerUsage usage = callers.get(own);
        while (usage == null || !usage.begin(kind)) {
            usage = callers.computeIfAbsent(hasRoom(own) ? own : new Place(cluster, OTHERS), this::add);
        }
        return usage;
    }

    private boolean hasRoom(Place place) {
        return place.caller().name().length() <= NAME_CHARACTERS_MAX
                && entries.getOrDefault(place.cluster(), 0) < callersMax - callers.size();
    }

    private CallerUsage add(Place place) {
        entries.merge(place.cluster(), 1, Integer::sum);
        return new CallerUsage();
    }

    private void drop(Place place, Predicate<CallerUsage> isDropped) {
        callers.computeIfPresent(place, (_, usage) -> {
            if (!isDropped.test(usage)) {
                return usage;
            }
            entries.computeIfPresent(place.cluster(), (_, count) -> count == 1 ? null : count - 1);
            return null;
        });
    }

    private static Kind kind(Described described) {
        if (!described.isLongRunning()) {
            return Kind.SHORT_CALL;
        }
        return described.info().verb().equals("watch") ? Kind.WATCH : Kind.STREAM;
    }
}
