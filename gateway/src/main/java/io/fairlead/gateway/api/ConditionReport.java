package io.fairlead.gateway.api;

import io.fairlead.fleet.conditions.ConditionRecordKind;
import io.fairlead.fleet.conditions.ConditionRecords;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.index.conditions.ConditionRow;
import io.fairlead.index.conditions.ConditionVerdict;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** What condition records have of an object, for callers that may read the records. */
final class ConditionReport {
    private final ConditionRecords records;
    private final ClusterAccess access;

    ConditionReport(ConditionRecords records, ClusterAccess access) {
        this.records = records;
        this.access = access;
    }

    /** Blocks in the root cluster's RBAC. */
    ObjectNode of(AdminRequest request, ClusterName cluster) {
        String resource = required(request, "resource");
        String name = required(request, "name");
        String namespace = request.parameter("namespace") == null ? "" : required(request, "namespace");
        ObjectKey object = new ObjectKey(cluster, namespace, name);
        Set<String> readable = records.observing(cluster, resource).stream()
                .filter(mayRead(request.caller()))
                .collect(Collectors.toSet());
        if (readable.isEmpty()) {
            throw notFound("no ConditionRecord that you may read observes " + resource + " in cluster \"" + cluster
                    + "\" (expected one with this resource and cluster)");
        }
        List<Row> rows = new ArrayList<>();
        for (ConditionRecords.Found found : records.find(object, resource)) {
            if (readable.contains(found.record())) {
                found.lines()
                        .forEach((condition, line) ->
                                line.rows().forEach(row -> rows.add(new Row(found.record(), condition, row))));
            }
        }
        if (rows.isEmpty()) {
            throw notFound("nothing is recorded of " + resource + " \"" + object.path() + "\" in cluster \"" + cluster
                    + "\"" + (namespace.isEmpty() ? " (expected a namespace, if the resource has them)" : ""));
        }
        rows.sort(Comparator.comparing(Row::observed));
        return report(object, resource, rows);
    }

    /** A row of a record's time line. */
    private record Row(String record, String condition, ConditionRow row) {
        Instant observed() {
            return row.observed();
        }
    }

    private static ObjectNode report(ObjectKey object, String resource, List<Row> rows) {
        ObjectNode report = Json.object()
                .put("cluster", object.cluster().value())
                .put("resource", resource)
                .put("namespace", object.namespace())
                .put("name", object.name());
        var transitions = report.putArray("transitions");
        for (Row each : rows) {
            transitions
                    .addObject()
                    .put("observed", each.observed().toString())
                    .put("condition", each.condition())
                    .put("verdict", spelled(each.row().verdict()))
                    .put("status", each.row().claim().status())
                    .put("stated", each.row().claim().stated())
                    .put("resourceVersion", each.row().claim().resourceVersion())
                    .put("manager", each.row().claim().manager())
                    .put("record", each.record());
        }
        return report;
    }

    private Predicate<String> mayRead(Identity caller) {
        return record -> access.mayRead(
                caller, RequestInfo.resource("get", ConditionRecordKind.CONDITION_RECORDS, "", record, ""));
    }

    private static String required(AdminRequest request, String parameter) {
        String value = request.parameter(parameter);
        if (value == null || value.isEmpty()) {
            throw new StatusException(Status.badRequest("query parameter \"" + parameter
                    + "\" is missing (expected resource, name and, for a resource with namespaces, namespace)"));
        }
        return value;
    }

    private static String spelled(ConditionVerdict verdict) {
        return switch (verdict) {
            case FIRST_SIGHT -> "FirstSight";
            case STATED -> "Stated";
            case UNSTATED -> "Unstated";
            case TRAVELLED -> "Travelled";
            case REMOVED -> "Removed";
        };
    }

    private static StatusException notFound(String message) {
        return new StatusException(Status.of(404, "NotFound", message));
    }
}
