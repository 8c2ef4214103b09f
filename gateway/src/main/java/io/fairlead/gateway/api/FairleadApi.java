package io.fairlead.gateway.api;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.ClusterKind;
import io.fairlead.fleet.Fleet;
import io.fairlead.fleet.conditions.ConditionRecords;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.exclusive.ExclusiveKeys.RuleConflicts;
import io.fairlead.fleet.root.Condition;
import io.fairlead.gateway.admin.AdminEndpoints;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.enter.Gate;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.cluster.ClusterArchives;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.model.FairleadVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The gateway's own API. Answers about one cluster only callers that may enter it; all others get the same bytes
 * whether it exists or not. Answers about the fleet name only the clusters that the caller may enter.
 */
public final class FairleadApi implements AdminEndpoints {
    private static final String PREFIX = "/fairlead/v1/";

    private final Fleet fleet;
    private final ClusterAccess access;
    private final InstantSource clock;
    private final String defaultCluster;
    private final @Nullable String baseDomain;
    private final IndexReports reports;
    private final TypeReport types;
    private final TransitionReport transitions;
    private final ConditionReport conditions;
    private final ConflictReport conflicts;
    private final ArchiveDownloads archives;
    private final UsageReport usage;

    /**
     * The API.
     *
     * @param archives what hosted clusters have
     * @param exclusive the conflicts of users' rules
     * @param usage what callers have under way
     * @param clock the current time
     * @param defaultCluster the cluster for requests that name none, as configured
     * @param baseDomain the domain below which each cluster has a host name, or null
     */
    public FairleadApi(
            Fleet fleet,
            ClusterAccess access,
            ClusterArchives archives,
            FleetIndex index,
            ConditionRecords records,
            ClusterIdentities identities,
            Supplier<List<RuleConflicts>> exclusive,
            Usage usage,
            InstantSource clock,
            String defaultCluster,
            @Nullable String baseDomain) {
        this.clock = clock;
        this.fleet = fleet;
        this.access = access;
        this.defaultCluster = defaultCluster;
        this.baseDomain = baseDomain;
        this.reports = new IndexReports(index, fleet, clock);
        this.types = new TypeReport(index);
        this.transitions = new TransitionReport(index, clock);
        this.conflicts = new ConflictReport(identities, exclusive, access);
        this.conditions = new ConditionReport(records, access);
        this.archives = new ArchiveDownloads(archives, access);
        this.usage = new UsageReport(usage, access, clock);
    }

    @Override
    public ApiResponse serve(AdminRequest request) {
        List<String> path = segments(request.path());
        if (path.equals(List.of("version"))) {
            return get(request, version());
        }
        if (path.equals(List.of("clusters"))) {
            return get(request, clusters(request.caller()));
        }
        if (path.equals(List.of("types"))) {
            return get(request, types(request));
        }
        if (path.equals(List.of("conflicts"))) {
            return get(request, conflicts.of(request.caller(), request.parameter("key")));
        }
        if (path.equals(List.of("usage"))) {
            return get(request, usage.of(request));
        }
        if (path.equals(List.of("store", "backup"))) {
            return archives.ofStore(request);
        }
        if (path.size() >= 2 && path.getFirst().equals("clusters")) {
            return aboutCluster(request, entered(request.caller(), path.get(1)), path.subList(2, path.size()));
        }
        throw unknownPath(request);
    }

    private ApiResponse aboutCluster(AdminRequest request, ClusterName cluster, List<String> rest) {
        return switch (String.join("/", rest)) {
            case "" -> get(request, registered(cluster, request.caller()));
            case "served" -> get(request, served(request, cluster));
            case "index/verify" -> get(request, reports.verify(requireRegistered(cluster)));
            case "transitions" -> get(request, transitions(request, cluster));
            case "conditions" -> get(request, conditions.of(request, requireRegistered(cluster)));
            case "data" -> purge(request, cluster);
            case "export" -> archives.ofCluster(request, cluster);
            default -> throw unknownPath(request);
        };
    }

    private ClusterName entered(Identity caller, String id) {
        if (!ClusterName.isValid(id)) {
            throw new StatusException(Status.badRequest(
                    "cluster id \"" + id + "\" is invalid (expected a DNS-1123 label of at most 63 characters)"));
        }
        ClusterName cluster = new ClusterName(id);
        if (!access.mayEnter(caller, cluster)) {
            throw new StatusException(Gate.forbidden(caller));
        }
        return cluster;
    }

    private ObjectNode version() {
        ObjectNode version = Json.object()
                .put("product", FairleadVersion.PRODUCT)
                .put("version", FairleadVersion.NUMBER)
                .put("kubernetes", FairleadVersion.KUBERNETES)
                .put("time", clock.instant().toString())
                .put("defaultCluster", defaultCluster);
        if (baseDomain != null) {
            version.put("baseDomain", baseDomain);
        }
        return version;
    }

    private ObjectNode clusters(Identity caller) {
        ArrayNode clusters = Json.array();
        for (ObjectNode cluster : fleet.clusters()) {
            if (access.mayEnter(caller, nameOf(cluster))) {
                clusters.add(summary(cluster, caller));
            }
        }
        fleet.retained().stream().sorted(Comparator.naturalOrder()).forEach(name -> {
            if (access.mayEnter(caller, name)) {
                clusters.add(retained(name));
            }
        });
        ObjectNode document = Json.object();
        document.set("clusters", clusters);
        return document;
    }

    private ObjectNode registered(ClusterName name, Identity caller) {
        Optional<ObjectNode> cluster = fleet.cluster(name);
        if (cluster.isEmpty() && fleet.retained().contains(name)) {
            return retained(name);
        }
        return cluster.map(found -> summary(found, caller)).orElseThrow(() -> notRegistered(name));
    }

    private ObjectNode served(AdminRequest request, ClusterName cluster) {
        String group = request.parameter("group");
        String version = request.parameter("version");
        String resource = request.parameter("resource");
        if (version == null || version.isEmpty()) {
            throw new StatusException(
                    Status.badRequest("query parameter \"version\" is missing (expected group, version and,"
                            + " for one resource, resource)"));
        }
        return reports.served(
                requireRegistered(cluster), group == null ? "" : group, version, resource == null ? "" : resource);
    }

    private ObjectNode transitions(AdminRequest request, ClusterName name) {
        ObjectNode cluster = fleet.cluster(name).orElseThrow(() -> notRegistered(name));
        return transitions.of(cluster, fleet.availability().of(name), request.parameter("at"));
    }

    private ObjectNode types(AdminRequest request) {
        String group = request.parameter("group");
        String kind = request.parameter("kind");
        return types.types(
                cluster -> access.mayEnter(request.caller(), cluster),
                group == null ? "" : group,
                kind == null ? "" : kind);
    }

    private ClusterName requireRegistered(ClusterName name) {
        if (fleet.lookup(name) instanceof ClusterEntry.NotRegistered) {
            throw notRegistered(name);
        }
        return name;
    }

    private ApiResponse purge(AdminRequest request, ClusterName name) {
        requireMethod(request, "DELETE");
        if (!access.always(request.caller())) {
            throw new StatusException(
                    Status.of(403, "Forbidden", "only administrators may delete the data of cluster \"" + name + "\""));
        }
        if (request.parameter("dryRun") != null) {
            throw new StatusException(Status.badRequest("query parameter \"dryRun\": data are deleted for good, which"
                    + " cannot be tried (expected none)"));
        }
        boolean registered = !(fleet.lookup(name) instanceof ClusterEntry.NotRegistered);
        if (!registered && !fleet.retained().contains(name)) {
            throw notRegistered(name);
        }
        if (registered || !fleet.purge(name)) {
            throw new StatusException(Status.of(
                    409,
                    "Conflict",
                    "cluster \"" + name + "\" is registered (expected one whose registration was deleted)"));
        }
        return json(200, Json.object().put("name", name.value()).put("purged", true));
    }

    /** The message can name other clusters and Secrets, which are for those who may read the registration. */
    private ObjectNode summary(ObjectNode cluster, Identity caller) {
        JsonNode status = cluster.path("status");
        ObjectNode summary = Json.object();
        summary.put("name", nameOf(cluster).value());
        summary.put("type", status.path("type").asString(""));
        JsonNode ready = Condition.in(status, Condition.READY);
        JsonNode available = Condition.in(status, Condition.AVAILABLE);
        summary.put("ready", ready.path("status").asString("Unknown"));
        summary.put("available", available.path("status").asString("Unknown"));
        boolean isAwaited = ready.path("status").asString("").equals("True")
                && !available.path("status").asString("").equals("True");
        JsonNode why = isAwaited ? available : ready;
        summary.put("reason", why.path("reason").asString(""));
        String message = why.path("message").asString("");
        summary.put("message", message.isEmpty() || mayReadRegistration(caller, nameOf(cluster)) ? message : "");
        summary.put("version", status.path("version").asString(""));
        for (String count : List.of("groupVersions", "resources")) {
            if (status.has(count)) {
                summary.set(count, status.get(count));
            }
        }
        summary.put(
                "creationTimestamp",
                cluster.path("metadata").path("creationTimestamp").asString(""));
        summary.put("retained", false);
        return summary;
    }

    private boolean mayReadRegistration(Identity caller, ClusterName cluster) {
        return access.mayRead(caller, RequestInfo.resource("get", ClusterKind.CLUSTERS, "", cluster.value(), ""));
    }

    private static ObjectNode retained(ClusterName name) {
        return Json.object()
                .put("name", name.value())
                .put("type", "Retained")
                .put("ready", "False")
                .put("available", "False")
                .put("reason", "Retained")
                .put("message", "its registration was deleted, its data is kept")
                .put("retained", true);
    }

    private static ClusterName nameOf(ObjectNode cluster) {
        return new ClusterName(cluster.path("metadata").path("name").asString(""));
    }

    private static StatusException notRegistered(ClusterName name) {
        return new StatusException(Status.of(404, "ClusterNotFound", "cluster \"" + name + "\" is not registered"));
    }

    private static List<String> segments(String path) {
        return path.startsWith(PREFIX)
                ? Arrays.asList(path.substring(PREFIX.length()).split("/", -1))
                : List.of();
    }

    private static ApiResponse get(AdminRequest request, ObjectNode body) {
        requireMethod(request, "GET");
        return json(200, body);
    }

    static void requireMethod(AdminRequest request, String method) {
        if (!request.method().equals(method)) {
            throw new StatusException(Status.of(
                    405,
                    "MethodNotAllowed",
                    "method " + request.method() + " is not served for " + request.path() + " (expected " + method
                            + ")"));
        }
    }

    private static StatusException unknownPath(AdminRequest request) {
        return new StatusException(Status.of(404, "NotFound", "there is nothing at " + request.path()));
    }

    private static ApiResponse json(int status, ObjectNode body) {
        return new ApiResponse.Whole(status, "application/json", Map.of(), Json.write(body));
    }
}
