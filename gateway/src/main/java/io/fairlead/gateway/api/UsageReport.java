package io.fairlead.gateway.api;

import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.usage.Counts;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.gateway.usage.Usage.OfCaller;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who uses what now, in the clusters that the caller may enter. Other callers are named to those who may {@code get} the path as a
 * {@code nonResourceURL} in the root cluster; all others find themselves alone beside the sums of clusters.
 *
 * <pre>
 * {"time": "2026-11-28T12:00:00.123456Z",
 *  "clusters": [{"cluster": "prod", "requests": 1021, "shortCalls": 3, "waiting": 0, "watches": 12, "streams": 1, "bytes": 20480}],
 *  "clustersTotal": 1,
 *  "callers": [{"cluster": "prod", "caller": "ann", "requests": …}], "callersTotal": 40}
 * </pre>
 *
 * <p>A caller that its cluster vouches for has that cluster as its {@code realm}; those that have no count of their own are
 * one with {@code others} in place of {@code caller}.
 */
final class UsageReport {
    private static final int ROWS_MAX = 1_000;

    private final Usage usage;
    private final ClusterAccess access;
    private final InstantSource clock;

    /** By what is reported first, and then by requests. */
    private enum Order {
        REQUESTS(Counts::requests),
        SHORTCALLS(Counts::shortCalls),
        WAITING(Counts::waiting),
        WATCHES(Counts::watches),
        STREAMS(Counts::streams),
        BYTES(Counts::bytes);

        @SuppressWarnings("ImmutableEnumChecker") // it is
        private final ToLongFunction<Counts> count;

        Order(ToLongFunction<Counts> count) {
            this.count = count;
        }

        static Order of(@Nullable String name) {
            if (name == null) {
                return REQUESTS;
            }
            for (Order order : values()) {
                if (order.name().equals(name.toUpperCase(Locale.ROOT))) {
                    return order;
                }
            }
            throw new StatusException(Status.badRequest("query parameter \"sort\": \"" + name
                    + "\" (expected requests, shortCalls, waiting, watches, streams or bytes)"));
        }

        Comparator<Counts> most() {
            return Comparator.comparingLong(count)
                    .thenComparingLong(Counts::requests)
                    .reversed();
        }
    }

    UsageReport(Usage usage, ClusterAccess access, InstantSource clock) {
        this.usage = usage;
        this.access = access;
        this.clock = clock;
    }

    ObjectNode of(AdminRequest request) {
        Order order = Order.of(request.parameter("sort"));
        int top = top(request.parameter("top"));
        String only = request.parameter("cluster");
        Usage.Report counted = usage.report(cluster ->
                (only == null || only.equals(cluster.value())) && access.mayEnter(request.caller(), cluster));
        ObjectNode report = Json.object().put("time", clock.instant().toString());
        clusters(counted.clusters(), order, top, report);
        boolean seesOthers = access.mayRead(request.caller(), RequestInfo.nonResource(request.path(), "get"));
        CallerName self = request.caller().caller();
        callers(
                counted.callers().stream()
                        .filter(one -> seesOthers || one.caller().equals(self))
                        .toList(),
                order,
                top,
                report);
        return report;
    }

    private static void clusters(Map<ClusterName, Counts> clusters, Order order, int top, ObjectNode report) {
        ArrayNode rows = report.putArray("clusters");
        clusters.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(order.most()))
                .limit(top)
                .forEach(one -> add(rows.addObject().put("cluster", one.getKey().value()), one.getValue()));
        report.put("clustersTotal", clusters.size());
    }

    private static void callers(List<OfCaller> callers, Order order, int top, ObjectNode report) {
        ArrayNode rows = report.putArray("callers");
        callers.stream()
                .sorted(Comparator.comparing(OfCaller::counts, order.most()))
                .limit(top)
                .forEach(one -> add(named(rows.addObject(), one), one.counts()));
        report.put("callersTotal", callers.size());
    }

    private static ObjectNode named(ObjectNode row, OfCaller one) {
        row.put("cluster", one.cluster().value());
        CallerName caller = one.caller();
        if (caller.equals(Usage.OTHERS)) {
            row.put("others", true);
        } else {
            row.put("caller", caller.name());
        }
        ClusterName realm = caller.realm();
        if (realm != null) {
            row.put("realm", realm.value());
        }
        return row;
    }

    private static void add(ObjectNode row, Counts counts) {
        row.put("requests", counts.requests())
                .put("shortCalls", counts.shortCalls())
                .put("waiting", counts.waiting())
                .put("watches", counts.watches())
                .put("streams", counts.streams())
                .put("bytes", counts.bytes());
    }

    private static int top(@Nullable String text) {
        if (text == null) {
            return ROWS_MAX;
        }
        try {
            int top = Integer.parseInt(text);
            if (top >= 1 && top <= ROWS_MAX) {
                return top;
            }
        } catch (NumberFormatException none) {
            // It is refused below.
        }
        throw new StatusException(
                Status.badRequest("query parameter \"top\": \"" + text + "\" (expected 1 to " + ROWS_MAX + ")"));
    }
}
