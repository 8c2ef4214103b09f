package io.fairlead.gateway.api;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.Fleet;
import io.fairlead.gateway.route.Router;
import io.fairlead.index.Answer;
import io.fairlead.index.Evidence;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.IndexComparison;
import io.fairlead.index.Location;
import io.fairlead.index.Lookup;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The content of the index, with its evidence. */
final class IndexReports {
    /** A watch ended by its server is open again after a moment. */
    private static final long CURRENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final FleetIndex index;
    private final Fleet fleet;
    private final InstantSource clock;

    IndexReports(FleetIndex index, Fleet fleet, InstantSource clock) {
        this.index = index;
        this.fleet = fleet;
        this.clock = clock;
    }

    /** Blocks if the index has no answer and the cluster is asked. */
    ObjectNode served(ClusterName cluster, String group, String version, String resource) {
        Location location = index.locate(cluster, group, version, resource);
        if (location.reason() == Lookup.Reason.RESOURCES_UNLISTED) {
            Optional<Set<String>> listed = fleet.resources(cluster, new GroupVersion(group, version));
            if (listed.isPresent()) {
                boolean isServed = listed.get().contains(resource);
                List<Holder> serving = isServed ? builtIn(index.locate(cluster, group, version, "")) : List.of();
                return asked(cluster, group, location, serving, isServed);
            }
        }
        List<Holder> holders = location.answer() == Answer.SERVED ? location.holders() : List.of();
        ObjectNode report = report(location.answer(), holders);
        Lookup.Reason unknown = location.reason();
        if (unknown != null) {
            report.put("reason", unknown.name());
        }
        if (!resource.isEmpty()) {
            putRoute(report, cluster, group, location);
        }
        ObjectNode asOf = evidence(location.evidence());
        putAge(asOf, fleet.silentNanos(cluster));
        report.set("asOf", asOf);
        return report;
    }

    /** The API server's current answer about a group/version that it serves itself. */
    private ObjectNode asked(
            ClusterName cluster, String group, Location location, List<Holder> serving, boolean isServed) {
        ObjectNode report = report(isServed ? Answer.SERVED : Answer.ABSENT, serving);
        report.put("askedServer", true);
        putRoute(report, cluster, group, location);
        report.set(
                "asOf",
                Json.object()
                        .put("epoch", location.evidence().epoch())
                        .put("resourceVersion", "")
                        .put("time", clock.instant().toString()));
        return report;
    }

    private static List<Holder> builtIn(Location groupVersion) {
        return groupVersion.holders().stream()
                .filter(holder -> holder.type() == HolderType.BUILT_IN)
                .toList();
    }

    private void putRoute(ObjectNode report, ClusterName cluster, String group, Location location) {
        ClusterEntry entry = fleet.lookup(cluster);
        if (entry instanceof ClusterEntry.Hosted || entry instanceof ClusterEntry.Attached) {
            report.put("route", Router.kind(location, group, entry).word());
        }
    }

    /** Whether changes arrive through a watch; if not, for how long they may have been missed, where that is known. */
    private static void putAge(ObjectNode asOf, long silentNanos) {
        boolean isCurrent = silentNanos <= CURRENT_NANOS;
        asOf.put("current", isCurrent);
        if (!isCurrent && silentNanos != Long.MAX_VALUE) {
            asOf.put("unheardSeconds", TimeUnit.NANOSECONDS.toSeconds(silentNanos));
        }
    }

    private static ObjectNode report(Answer answer, List<Holder> holders) {
        ObjectNode report = Json.object().put("answer", answer.name()).put("count", holders.size());
        ArrayNode listed = report.putArray("holders");
        for (Holder holder : holders) {
            listed.addObject()
                    .put("type", spelled(holder.type()))
                    .put("name", holder.name())
                    .put("uid", holder.uid());
        }
        return report;
    }

    ObjectNode verify(ClusterName cluster) {
        Optional<IndexComparison> compared = fleet.compareIndex(cluster);
        ObjectNode report = Json.object();
        report.put("cluster", cluster.value());
        report.put("synced", compared.isPresent());
        report.put(
                "groupVersions",
                index.view(cluster).map(view -> view.apiVersions().size()).orElse(0));
        ArrayNode mismatches = report.putArray("mismatches");
        compared.ifPresent(found -> {
            found.missing().forEach(claim -> mismatches.add("missing in the view: " + claim));
            found.surplus().forEach(claim -> mismatches.add("not in the source: " + claim));
        });
        index.view(cluster).ifPresent(view -> report.set("asOf", evidence(view.evidence())));
        return report;
    }

    private static ObjectNode evidence(Evidence evidence) {
        return Json.object()
                .put("epoch", evidence.epoch())
                .put("resourceVersion", evidence.resourceVersion())
                .put("time", evidence.time().toString());
    }

    private static String spelled(HolderType type) {
        return switch (type) {
            case BUILT_IN -> "BuiltIn";
            case CRD -> "CRD";
            case API_SERVICE -> "APIService";
            case PUBLICATION -> "Publication";
        };
    }
}
