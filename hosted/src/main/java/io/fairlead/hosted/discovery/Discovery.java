package io.fairlead.hosted.discovery;

import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ApiScope;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.hosted.meta.ReadOnly;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.hosted.representation.MediaRange;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers {@code /api} and {@code /apis} and what is below them down to the resource lists, aggregated where a client
 * asks for that.
 *
 * <p>Documents are built at their first use and cached until the catalog changes, at most one per served path. Threads:
 * any.
 */
public final class Discovery {
    private static final List<String> OFFERED = List.of(Accept.JSON);
    private static final String AGGREGATED_TYPE =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final MediaRange.Transformation AGGREGATED =
            new MediaRange.Transformation("apidiscovery.k8s.io", "v2", "APIGroupDiscoveryList");

    private final TypeCatalog catalog;
    private final List<ResourceType> virtualTypes;
    private volatile Documents documents =
            new Documents(-1, new ApiSurface(List.of(), List.of()), new ConcurrentHashMap<>());

    /**
     * Describes a catalog.
     *
     * @param virtualTypes resources served in addition to the catalog's
     */
    public Discovery(TypeCatalog catalog, List<ResourceType> virtualTypes) {
        this.catalog = catalog;
        this.virtualTypes = List.copyOf(virtualTypes);
    }

    /**
     * Answers a request for a discovery path; null for any other.
     *
     * @throws StatusException 404 for a group or version that is not served, 406 for an unknown form
     */
    public @Nullable ApiResponse answer(ApiRequest request) {
        List<String> path = segments(request.info().path());
        if (request.info().resourceRequest() || path.isEmpty() || !isDiscovery(path)) {
            return null;
        }
        ReadOnly.require(request);
        Accept.Choice choice = Accept.parse(request.header("accept")).choose(OFFERED, restriction(path));
        if (choice == null) {
            throw new StatusException(Accept.notAcceptable(OFFERED));
        }
        return AGGREGATED.equals(choice.range().transformation()) ? aggregated(request, path) : legacy(request, path);
    }

    /** The paths of groups and versions, as {@code /} lists them. */
    public List<String> paths() {
        ApiSurface surface = documents().surface;
        List<String> paths = new ArrayList<>(List.of("/api"));
        surface.versions("").keySet().forEach(version -> paths.add("/api/" + version));
        paths.add("/apis");
        for (String group : surface.namedGroups()) {
            paths.add("/apis/" + group);
            surface.versions(group).keySet().forEach(version -> paths.add("/apis/" + group + "/" + version));
        }
        return paths;
    }

    private static boolean isDiscovery(List<String> path) {
        return switch (path.getFirst()) {
            case "api" -> path.size() <= 2;
            case "apis" -> path.size() <= 3;
            default -> false;
        };
    }

    /** Aggregated discovery exists at the two roots only; elsewhere such a clause is ignored. */
    private static Accept.Restriction restriction(List<String> path) {
        return (mediaType, range) ->
                range.transformation() == null || (path.size() == 1 && AGGREGATED.equals(range.transformation()));
    }

    private ApiResponse aggregated(ApiRequest request, List<String> path) {
        Document document = documents(request.scope()).aggregated(path.getFirst());
        Map<String, List<String>> headers =
                Map.of("ETag", List.of(document.etag), "Vary", List.of("Accept"), "Cache-Control", List.of("public"));
        boolean unchanged = request.header("if-none-match").contains(document.etag);
        return new ApiResponse.Whole(
                unchanged ? 304 : 200, AGGREGATED_TYPE, headers, unchanged ? new byte[0] : document.content);
    }

    private ApiResponse legacy(ApiRequest request, List<String> path) {
        Document document = documents(request.scope()).legacy(path);
        if (document == null) {
            throw new StatusException(Status.of(404, "NotFound", "the server could not find the requested resource"));
        }
        return new ApiResponse.Whole(200, Accept.JSON, Map.of(), document.content);
    }

    /** A part is made anew for each request: those who see it ask seldom, and it is small. */
    private Documents documents(ApiScope scope) {
        if (scope instanceof ApiScope.Whole) {
            return documents();
        }
        TypeCatalog.Snapshot snapshot = catalog.snapshot();
        List<ResourceType> types = all(snapshot).stream()
                .filter(type -> scope.has(type.groupVersion()))
                .toList();
        List<AggregatedVersion> backends = snapshot.aggregated().stream()
                .filter(version -> scope.has(version.groupVersion()))
                .toList();
        return new Documents(snapshot.version(), new ApiSurface(types, backends), new ConcurrentHashMap<>());
    }

    private Documents documents() {
        Documents current = documents;
        TypeCatalog.Snapshot snapshot = catalog.snapshot();
        if (current.version != snapshot.version()) {
            current = new Documents(
                    snapshot.version(),
                    new ApiSurface(all(snapshot), snapshot.aggregated()),
                    new ConcurrentHashMap<>());
            documents = current;
        }
        return current;
    }

    private List<ResourceType> all(TypeCatalog.Snapshot snapshot) {
        List<ResourceType> all = new ArrayList<>(snapshot.types());
        for (ResourceType virtual : virtualTypes) {
            if (snapshot.find(virtual.group(), virtual.version(), virtual.plural()) == null) {
                all.add(virtual);
            }
        }
        return all;
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>(List.of(path.split("/", -1)));
        segments.removeFirst();
        if (!segments.isEmpty() && segments.getLast().isEmpty()) {
            segments.removeLast();
        }
        return segments;
    }

    private record Document(byte[] content, String etag) {
        static Document of(ObjectNode tree) {
            byte[] content = Json.write(tree);
            return new Document(content, '"' + Digests.ofContent(content) + '"');
        }
    }

    private record Documents(long version, ApiSurface surface, Map<String, Document> byPath) {
        Document aggregated(String root) {
            return byPath.computeIfAbsent("aggregated " + root, ignored -> Document.of(aggregatedTree(root)));
        }

        private ObjectNode aggregatedTree(String root) {
            return root.equals("api") ? AggregatedDocuments.core(surface) : AggregatedDocuments.named(surface);
        }

        @Nullable
        Document legacy(List<String> path) {
            String key = String.join("/", path);
            Document known = byPath.get(key);
            if (known != null) {
                return known;
            }
            ObjectNode tree = legacyTree(path);
            return tree == null ? null : byPath.computeIfAbsent(key, ignored -> Document.of(tree));
        }

        /** A backend answers for its version itself; the request was routed before it was registered. */
        private void requireOwn(String group, String version) {
            if (surface.aggregated(group, version) != null) {
                throw new StatusException(Status.of(
                        503,
                        "ServiceUnavailable",
                        "an APIService of " + group + "/" + version + " was just registered"));
            }
        }

        private @Nullable ObjectNode legacyTree(List<String> path) {
            boolean core = path.getFirst().equals("api");
            return switch (path.size()) {
                case 1 -> core ? LegacyDocuments.apiVersions(surface) : LegacyDocuments.groupList(surface);
                case 2 ->
                    core
                            ? LegacyDocuments.resourceList(surface, "", path.get(1))
                            : LegacyDocuments.group(surface, path.get(1));
                default -> {
                    requireOwn(path.get(1), path.get(2));
                    yield LegacyDocuments.resourceList(surface, path.get(1), path.get(2));
                }
            };
        }
    }
}
