package io.fairlead.fleet;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.availability.AvailabilityGate;
import io.fairlead.fleet.availability.AvailabilityLog;
import io.fairlead.fleet.availability.Requirement;
import io.fairlead.fleet.conflicts.ConflictEvents;
import io.fairlead.fleet.conflicts.IdentityVerdict;
import io.fairlead.fleet.root.ClusterEvent;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.history.Rewind;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is said of each cluster in the status of its object.
 *
 * <p>Threads: the fleet's controller reports; the rest is for any.
 */
final class ClusterReports {
    private final RootApi api;
    private final StatusInbox inbox;
    private final FleetIndex index;
    private final TokenRenewals renewals;
    private final FleetLog log;
    private final InstantSource clock;
    private final ClusterFacts facts;
    private final AvailabilityLog availability;

    /** Written only by the controller. */
    private final Map<ClusterName, Health> health = new ConcurrentHashMap<>();

    /** Clusters that are not available yet for what they require, and when that is too late. Written only by the controller. */
    private final Map<ClusterName, Instant> waiting = new ConcurrentHashMap<>();

    /** Whether the APIServices that clusters require are available; empty before that was looked at. */
    private volatile Map<ClusterName, Requirement.Look> services = Map.of();

    /** Null until the pins of this process have been compared with the clusters. */
    private volatile @Nullable Map<ClusterName, Finding> typesConsistent;

    private volatile String endpoint = "";

    ClusterReports(
            RootApi api,
            StatusInbox inbox,
            FleetIndex index,
            TokenRenewals renewals,
            FleetLog log,
            ClusterFacts facts,
            InstantSource clock) {
        this.api = api;
        this.inbox = inbox;
        this.index = index;
        this.renewals = renewals;
        this.log = log;
        this.clock = clock;
        this.facts = facts;
        this.availability = new AvailabilityLog(api, clock);
    }

    /** Below which URL each status says that its cluster is reached. */
    void below(String endpointUrl) {
        endpoint = endpointUrl;
    }

    /** Of each cluster, when it was last looked at. */
    Map<ClusterName, Health> health() {
        return Map.copyOf(health);
    }

    /** Takes what is found of the clusters whose types pins want alike; those of which something else was found before. */
    Set<ClusterName> typesConsistent(Map<ClusterName, Finding> findings) {
        Map<ClusterName, Finding> before = typesConsistent;
        typesConsistent = Map.copyOf(findings);
        Set<ClusterName> concerned = new HashSet<>(findings.keySet());
        if (before == null) {
            concerned.addAll(health.keySet());
            return concerned;
        }
        concerned.addAll(before.keySet());
        concerned.removeIf(name -> Objects.equals(before.get(name), findings.get(name)));
        return concerned;
    }

    /** Takes whether what clusters require is available; those of which something else was found before, or it is late. */
    Set<ClusterName> servicesAvailable(Map<ClusterName, Requirement.Look> looks) {
        Map<ClusterName, Requirement.Look> before = services;
        services = Map.copyOf(looks);
        Set<ClusterName> concerned = new HashSet<>();
        looks.forEach((name, look) -> {
            if (!look.equals(before.get(name))) {
                concerned.add(name);
            }
        });
        Instant now = clock.instant();
        waiting.forEach((name, late) -> {
            if (!now.isBefore(late)) {
                concerned.add(name);
            }
        });
        return concerned;
    }

    /** Whether a cluster is not available yet for APIServices that it requires. */
    boolean isWaiting(ClusterName name) {
        return waiting.containsKey(name);
    }

    /** A cluster is registered: whether it waits is as its object says, until more is known. */
    void registered(ClusterName name, JsonNode status) {
        boolean hasPassed = AvailabilityGate.of(status).passed().isPresent();
        boolean isShut = AvailabilityGate.isShut(status)
                || !facts.requirement(name).names().isEmpty();
        if (!hasPassed && isShut) {
            waiting.put(name, Instant.MAX);
        }
    }

    /** A cluster that may have been none that is served is registered no more. */
    void left(ClusterName name) {
        waiting.remove(name);
    }

    /** When each cluster was Ready. */
    AvailabilityLog availability() {
        return availability;
    }

    /** A cluster is no longer registered. */
    void forget(ClusterName name) {
        health.remove(name);
        inbox.forget(name);
        renewals.forget(name);
        availability.forget(name);
        log.removed(name);
    }

    /** Whether there is something to report: a hosted cluster is first observed a moment after it is open. */
    boolean isObserved(ClusterName name, Member member) {
        return switch (member) {
            case Member.Opening _ -> false;
            case Member.Hosted _ -> inbox.newest(name).isPresent();
            case Member.Attached _, Member.Withheld _, Member.Unready _ -> true;
        };
    }

    /** Writes the status as it is now, unless it says so already. */
    void report(ObjectNode cluster, Member member, Optional<IdentityVerdict> verdict) {
        ClusterName name = new ClusterName(cluster.path("metadata").path("name").asString(""));
        Optional<Finding> served = Optional.ofNullable(services.get(name))
                .filter(look -> look.requirement().equals(facts.requirement(name)))
                .map(Requirement.Look::available);
        ObjectNode status = StatusDocument.of(
                cluster,
                new StatusDocument.Known(
                        member,
                        inbox.newest(name),
                        verdict,
                        typesConsistent(name, cluster.path("status")),
                        renewals.look(name, cluster.at("/metadata/uid").asString(""), member),
                        served,
                        index.view(name)),
                endpoint,
                clock.instant());
        health.put(
                name,
                new Health(Condition.holds(status, Condition.READY), Condition.holds(status, Condition.AVAILABLE)));
        served.ifPresent(found -> await(name, cluster, AvailabilityGate.of(status), found));
        log.observed(name, status);
        Condition.stored(status, Condition.READY).ifPresent(found -> availability.observed(cluster, found));
        tellOfRewinds(cluster, status);
        ConflictEvents.tell(cluster, status, clock.instant(), api);
        if (!status.equals(cluster.path("status"))) {
            cluster.set("status", status);
            api.updateUnlessChanged(ClusterKind.CLUSTERS, "", cluster, "status");
        }
    }

    private void await(ClusterName name, ObjectNode cluster, AvailabilityGate gate, Finding served) {
        if (gate.passed().isPresent() || served.status() == Finding.Status.TRUE) {
            waiting.remove(name);
            return;
        }
        Instant late = gate.begun()
                .flatMap(begun -> AvailabilityGate.timeout(cluster).map(begun::plus))
                .filter(clock.instant()::isBefore)
                .orElse(Instant.MAX);
        waiting.put(name, late);
    }

    /** After a restart the stored condition stands until the pins are compared: it has not changed by that. */
    private Optional<Finding> typesConsistent(ClusterName name, JsonNode stored) {
        Map<ClusterName, Finding> findings = typesConsistent;
        return findings == null
                ? Condition.stored(stored, Condition.TYPES_CONSISTENT)
                : Optional.ofNullable(findings.get(name));
    }

    /** Before the status has them, so that none is left out if this fails, and written again at most. */
    private void tellOfRewinds(ObjectNode cluster, ObjectNode status) {
        List<Rewind> told =
                HistoryDocument.read(cluster.path("status")).rewound().rewinds();
        for (Rewind rewind : HistoryDocument.read(status).rewound().rewinds()) {
            if (!told.contains(rewind)) {
                new ClusterEvent(cluster, "history", "HistoryRewound", sentence(rewind), rewind.time()).write(api);
            }
        }
    }

    private static String sentence(Rewind rewind) {
        String from = rewind.after().isEmpty() ? "" : " after resourceVersion " + rewind.after();
        return "the cluster's history was replaced, by a backup or by another cluster's: what happened" + from
                + (rewind.upTo().isEmpty() ? "" : " up to " + rewind.upTo())
                + " may be gone; its types are listed again, and watches and lists that continue from there are"
                + " expired";
    }
}
