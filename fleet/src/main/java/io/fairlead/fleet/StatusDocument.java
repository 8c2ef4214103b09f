package io.fairlead.fleet;

import io.fairlead.clustersync.ClusterStatus;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.availability.AvailabilityGate;
import io.fairlead.fleet.conflicts.IdentityVerdict;
import io.fairlead.fleet.root.Condition;
import io.fairlead.index.ClusterView;
import io.fairlead.model.FairleadVersion;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The status of a {@code Cluster}: its member, the reported health, its gate, and the size of the index. */
final class StatusDocument {
    private static final Finding NOT_TRIED = Finding.unknown("NotTriedYet", "no answer has come yet");
    private static final Finding NOT_SYNCED = Finding.unknown("NotSyncedYet", "the types are not listed yet");
    private static final Finding NOT_LOOKED =
            Finding.unknown("NotObserved", "the APIServices that are required were not looked at yet");
    private static final Finding OPENING = Finding.unknown("Opening", "the cluster is being opened");
    private static final Finding SERVED_HERE = Finding.yes("ServedHere", "Fairlead serves it");

    private StatusDocument() {}

    /**
     * What is known of a cluster.
     *
     * @param services the condition APIServicesAvailable; empty if that was not looked at yet
     */
    record Known(
            Member member,
            Optional<ClusterStatus> reported,
            Optional<IdentityVerdict> verdict,
            Optional<Finding> typesConsistent,
            Optional<Finding> tokenRenewed,
            Optional<Finding> services,
            Optional<ClusterView> view) {}

    static ObjectNode of(ObjectNode cluster, Known known, String endpoint, Instant now) {
        Member member = known.member();
        Optional<ClusterStatus> reported = known.reported();
        JsonNode before = cluster.path("status");
        Finding services = known.services().orElse(NOT_LOOKED);
        long generation = cluster.path("metadata").path("generation").asLong(0);
        List<Condition> conditions = conditions(cluster, known);
        Finding ready = conditions.getFirst().finding();
        AvailabilityGate gate = AvailabilityGate.of(before).next(ready, services, now);
        Duration timeout = AvailabilityGate.timeout(cluster).orElse(Duration.ZERO);
        conditions.addAll(
                1,
                List.of(
                        new Condition(Condition.AVAILABLE, gate.available(ready, services, timeout, now)),
                        new Condition(
                                Condition.API_SERVICES_AVAILABLE,
                                known.services().orElseGet(() -> storedServices(before, generation)))));
        ObjectNode status = Json.object();
        status.set("conditions", Condition.merge(before, conditions, generation, now));
        gate.write(status);
        status.put("type", ClusterSpec.of(cluster).type());
        putText(status, "version", version(member, reported));
        putText(status, "url", url(cluster, endpoint));
        reported.ifPresent(found -> putCounts(status, found));
        EndpointDocument.write(
                status, before, reported.map(ClusterStatus::endpoints).orElse(List.of()), now);
        status.put(
                "epoch",
                known.view()
                        .map(view -> view.evidence().epoch())
                        .orElse(before.path("epoch").asLong(0)));
        HistoryDocument.write(
                status,
                reported.map(ClusterStatus::rewound)
                        .orElseGet(() -> HistoryDocument.read(before).rewound()));
        known.verdict().ifPresent(verdict -> verdict.write(status));
        reported.map(ClusterStatus::lastSyncTime)
                .ifPresent(time -> status.put(
                        "lastSyncTime", time.truncatedTo(ChronoUnit.SECONDS).toString()));
        return status;
    }

    /** Before the first complete list nothing is known to be absent. */
    private static void putCounts(ObjectNode status, ClusterStatus reported) {
        if (reported.lastSyncTime() != null) {
            status.put("groupVersions", reported.groupVersions());
            reported.resources().ifPresent(count -> status.put("resources", count));
        }
    }

    /** After a restart what is stored stands until it is looked at again, unless the cluster may require something else. */
    private static Finding storedServices(JsonNode status, long generation) {
        JsonNode condition = Condition.in(status, Condition.API_SERVICES_AVAILABLE);
        return condition.path("observedGeneration").asLong(-1) == generation
                ? Condition.stored(status, Condition.API_SERVICES_AVAILABLE).orElse(NOT_LOOKED)
                : NOT_LOOKED;
    }

    /** All but those of the gate; Ready is the first. */
    private static List<Condition> conditions(ObjectNode cluster, Known known) {
        Member member = known.member();
        Optional<ClusterStatus> reported = known.reported();
        Optional<IdentityVerdict> verdict = known.verdict();
        Finding reachable = switch (member) {
            case Member.Hosted _ -> SERVED_HERE;
            case Member.Opening _ -> OPENING;
            case Member.Attached _, Member.Withheld _ ->
                reported.map(ClusterStatus::reachable).orElse(NOT_TRIED);
            case Member.Unready unready -> Finding.no(unready.reason(), unready.message());
        };
        Finding typesSynced = reported.map(ClusterStatus::typesSynced).orElse(NOT_SYNCED);
        List<Finding> needed = new ArrayList<>(List.of(reachable, typesSynced));
        verdict.flatMap(IdentityVerdict::objection)
                .ifPresent(found -> needed.add(found.status() == Finding.Status.FALSE ? 0 : needed.size(), found));
        boolean isAttached = member instanceof Member.Attached;
        Optional<Finding> historyConsistent = isAttached
                ? reported.map(ClusterStatus::historyConsistent).orElse(Optional.of(NOT_SYNCED))
                : Optional.empty();
        Optional<Finding> crdRuntime = crdRuntime(cluster, member, reported);
        crdRuntime.map(StatusDocument::toldOfTheCluster).ifPresent(needed::add);
        List<Condition> conditions = new ArrayList<>(List.of(
                new Condition(Condition.READY, ready(needed)),
                new Condition(Condition.REACHABLE, reachable),
                new Condition(Condition.TYPES_SYNCED, typesSynced)));
        verdict.ifPresent(found -> conditions.addAll(List.of(
                new Condition(Condition.IDENTITY_VERIFIED, found.verified()),
                new Condition(Condition.CONFLICT, found.conflict()))));
        if (isAttached) {
            conditions.add(new Condition(
                    Condition.TYPES_SHADOWED,
                    reported.flatMap(ClusterStatus::typesShadowed).orElse(NOT_SYNCED)));
        }
        historyConsistent.ifPresent(found -> conditions.add(new Condition(Condition.HISTORY_CONSISTENT, found)));
        crdRuntime.ifPresent(found -> conditions.add(new Condition(Condition.CRD_RUNTIME_REACHABLE, found)));
        known.typesConsistent().ifPresent(found -> conditions.add(new Condition(Condition.TYPES_CONSISTENT, found)));
        known.tokenRenewed().ifPresent(found -> conditions.add(new Condition(Condition.TOKEN_RENEWED, found)));
        return conditions;
    }

    /** For a cluster with a CRD runtime: whether that can be used. */
    private static Optional<Finding> crdRuntime(ObjectNode cluster, Member member, Optional<ClusterStatus> reported) {
        if (!(ClusterSpec.of(cluster) instanceof ClusterSpec.Attached attached) || attached.crdRuntime() == null) {
            return Optional.empty();
        }
        return Optional.of(
                member instanceof Member.Unready unready
                        ? Finding.no(unready.reason(), unready.message())
                        : reported.flatMap(ClusterStatus::crdRuntimeReachable).orElse(NOT_TRIED));
    }

    /** For the condition Ready: the reason alone would seem to be about the cluster's endpoints. */
    private static Finding toldOfTheCluster(Finding crdRuntime) {
        return crdRuntime.status() == Finding.Status.TRUE
                ? crdRuntime
                : new Finding(
                        crdRuntime.status(),
                        "CRDRuntimeNotReachable",
                        "spec.attached.crdRuntime: " + crdRuntime.reason() + ": " + crdRuntime.message());
    }

    /**
     * True if the cluster and its CRD runtime are reachable and its types known; otherwise the first false condition
     * gives the reason.
     */
    private static Finding ready(List<Finding> needed) {
        for (Finding finding : needed) {
            if (finding.status() != Finding.Status.TRUE) {
                return finding;
            }
        }
        return Finding.yes("Ready", "the cluster can be used");
    }

    private static String version(Member member, Optional<ClusterStatus> reported) {
        return member instanceof Member.Hosted
                ? FairleadVersion.KUBERNETES
                : reported.map(ClusterStatus::version).orElse("");
    }

    /** The URL for callers; empty while unknown. */
    private static String url(ObjectNode cluster, String endpoint) {
        return endpoint.isEmpty()
                ? ""
                : endpoint + "/clusters/"
                        + cluster.path("metadata").path("name").asString("");
    }

    private static void putText(ObjectNode status, String field, String text) {
        if (!text.isEmpty()) {
            status.put(field, text);
        }
    }
}
