package io.fairlead.gateway.api;

import io.fairlead.gateway.fleet.Fleet;
import io.fairlead.gateway.route.Router;
import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.index.Answer;
import io.fairlead.index.Audit;
import io.fairlead.index.Evidence;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Location;
import io.fairlead.index.Lookup;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the index knows, with its evidence. */
final class IndexReports {
    private final FleetIndex index;
    private final Fleet fleet;

    IndexReports(FleetIndex index, Fleet fleet) {
        this.index = index;
        this.fleet = fleet;
    }

    ObjectNode served(ClusterName cluster, String group, String version, String resource) {
        Location location = index.locate(cluster, group, version, resource);
        List<Holder> holders = location.answer() == Answer.SERVED ? location.holders() : List.of();
        ObjectNode report = Json.object();
        report.put("answer", location.answer().name());
        report.put("count", holders.size());
        ArrayNode listed = report.putArray("holders");
        for (Holder holder : holders) {
            listed.addObject()
                    .put("type", spelled(holder.type()))
                    .put("name", holder.name())
                    .put("uid", holder.uid());
        }
        Lookup.Reason unknown = location.reason();
        if (unknown != null) {
            report.put("reason", unknown.name());
        }
        ClusterEntry entry = fleet.lookup(cluster);
        boolean isServed = entry instanceof ClusterEntry.Hosted || entry instanceof ClusterEntry.Attached;
        if (!resource.isEmpty() && isServed) {
            report.put("route", Router.kind(location, group, entry).word());
        }
        report.set("asOf", evidence(location.evidence()));
        return report;
    }

    ObjectNode verify(ClusterName cluster) {
        Optional<Audit> audit = fleet.audit(cluster);
        ObjectNode report = Json.object();
        report.put("cluster", cluster.value());
        report.put("synced", audit.isPresent());
        report.put(
                "groupVersions",
                index.view(cluster).map(view -> view.apiVersions().size()).orElse(0));
        ArrayNode mismatches = report.putArray("mismatches");
        audit.ifPresent(found -> {
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
