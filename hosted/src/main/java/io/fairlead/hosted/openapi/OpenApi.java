package io.fairlead.hosted.openapi;

import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ApiScope;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.hosted.discovery.Digests;
import io.fairlead.hosted.meta.ReadOnly;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers {@code /openapi/v3}, which names a document for each group and version, and the documents; and
 * {@code /openapi/v2}, with one document for all of them.
 *
 * <p>A document's URL carries the hash of its content: clients keep it for a year. An outdated hash is redirected to
 * the current one. Documents are built at their first use and cached as bytes; when the catalog changes, only those
 * with a changed type are rebuilt. Threads: any; one of them applies a change.
 */
public final class OpenApi {
    private static final String ROOT = "/openapi/v3";
    private static final List<String> OFFERED = List.of(Accept.JSON);
    private static final Duration KEPT = Duration.ofDays(365);

    /** Parts whose document of v2 is kept, which is at most as large as that of the whole. */
    private static final int PARTS_MAX = 4;

    private final TypeCatalog catalog;
    private final List<ResourceType> virtualTypes;
    private final InstantSource clock;
    private volatile Documents documents = new Documents(-1, Map.of(), List.of());

    /**
     * Describes a catalog.
     *
     * @param virtualTypes resources served in addition to the catalog's
     */
    public OpenApi(TypeCatalog catalog, List<ResourceType> virtualTypes, InstantSource clock) {
        this.catalog = catalog;
        this.virtualTypes = List.copyOf(virtualTypes);
        this.clock = clock;
    }

    /**
     * Answers a request for a path below {@code /openapi}; null for any other.
     *
     * @throws StatusException 404 for a version that is not served; 405, 406
     */
    public @Nullable ApiResponse answer(ApiRequest request) {
        String path = withoutTrailingSlash(request.info().path());
        if (request.info().resourceRequest() || !(path.equals("/openapi") || path.startsWith("/openapi/"))) {
            return null;
        }
        if (path.equals(LegacyDocument.PATH)) {
            ReadOnly.require(request);
            return documents().legacy(request.scope()).answer(request);
        }
        Document document = document(path, request.scope());
        if (document == null && !path.equals(ROOT)) {
            throw new StatusException(Status.of(404, "NotFound", "the server could not find the requested resource"));
        }
        requireReadableJson(request);
        return document == null
                ? whole(200, Map.of(), Json.write(documents().index(request.scope())))
                : answer(request, document);
    }

    private @Nullable Document document(String path, ApiScope scope) {
        Document document =
                path.startsWith(ROOT + "/") ? documents().byPath.get(path.substring(ROOT.length() + 1)) : null;
        return document != null && scope.has(document.version()) ? document : null;
    }

    private ApiResponse answer(ApiRequest request, Document document) {
        Map<String, List<String>> headers = new TreeMap<>();
        headers.put("ETag", List.of('"' + document.hash() + '"'));
        headers.put("Vary", List.of("Accept"));
        String wanted = request.parameter("hash");
        if (wanted != null && !wanted.equals(document.hash())) {
            // Relative, so that the request's path prefix is kept.
            headers.put("Location", List.of("?hash=" + document.hash()));
            return whole(301, headers, new byte[0]);
        }
        if (wanted != null) {
            headers.put("Cache-Control", List.of("public, immutable"));
            headers.put("Expires", List.of(expiry()));
        }
        return request.header("if-none-match").contains(document.hash())
                ? whole(304, headers, new byte[0])
                : whole(200, headers, document.content());
    }

    private String expiry() {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                clock.instant().plus(KEPT).atOffset(ZoneOffset.UTC));
    }

    private static ApiResponse whole(int status, Map<String, List<String>> headers, byte[] body) {
        return new ApiResponse.Whole(status, Accept.JSON, headers, body);
    }

    private static void requireReadableJson(ApiRequest request) {
        ReadOnly.require(request);
        if (Accept.parse(request.header("accept")).choose(OFFERED, (mediaType, range) -> true) == null) {
            throw new StatusException(Accept.notAcceptable(OFFERED));
        }
    }

    private static String withoutTrailingSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private Documents documents() {
        Documents current = documents;
        return current.version == catalog.snapshot().version() ? current : refresh();
    }

    private synchronized Documents refresh() {
        TypeCatalog.Snapshot snapshot = catalog.snapshot();
        if (documents.version != snapshot.version()) {
            documents = documents.at(snapshot, virtualTypes);
        }
        return documents;
    }

    /** The documents of one state of the catalog, by {@code api/v1} and {@code apis/GROUP/VERSION}. */
    private static final class Documents {
        private final long version;
        private final Map<String, Document> byPath;

        /** Of backends, which answer for their documents themselves. */
        private final List<AggregatedVersion> aggregated;

        private @Nullable LegacyDocument legacy;

        /** Of the parts that were asked for last. */
        private final Map<ApiScope, LegacyDocument> parts = new LinkedHashMap<>(PARTS_MAX, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<ApiScope, LegacyDocument> eldest) {
                return size() > PARTS_MAX;
            }
        };

        Documents(long version, Map<String, Document> byPath, List<AggregatedVersion> aggregated) {
            this.version = version;
            this.byPath = byPath;
            this.aggregated = aggregated;
        }

        /** The one document of v2, built at its first use. */
        synchronized LegacyDocument legacy(ApiScope scope) {
            if (!(scope instanceof ApiScope.Whole)) {
                return parts.computeIfAbsent(scope, this::written);
            }
            LegacyDocument current = legacy;
            if (current == null) {
                current = written(scope);
                legacy = current;
            }
            return current;
        }

        private LegacyDocument written(ApiScope scope) {
            return LegacyDocument.of(byPath.values().stream()
                    .filter(document -> scope.has(document.version()))
                    .map(document -> (ObjectNode) Json.read(document.content()))
                    .toList());
        }

        ObjectNode index(ApiScope scope) {
            ObjectNode index = Json.object();
            ObjectNode paths = index.putObject("paths");
            byPath.forEach((path, document) -> {
                if (scope.has(document.version())) {
                    put(paths, path, document.hash());
                }
            });
            for (AggregatedVersion ofBackend : aggregated) {
                if (!ofBackend.openApi().isEmpty() && scope.has(ofBackend.groupVersion())) {
                    put(paths, ofBackend.groupVersion().path().substring(1), ofBackend.openApi());
                }
            }
            return index;
        }

        private static void put(ObjectNode paths, String path, String hash) {
            paths.putObject(path).put("serverRelativeURL", ROOT + "/" + path + "?hash=" + hash);
        }

        Documents at(TypeCatalog.Snapshot snapshot, List<ResourceType> virtualTypes) {
            Map<String, List<ResourceType>> types = new TreeMap<>();
            Set<GroupVersion> ofBackends = snapshot.aggregated().stream()
                    .map(AggregatedVersion::groupVersion)
                    .collect(Collectors.toSet());
            snapshot.types().stream()
                    .filter(type -> !ofBackends.contains(type.groupVersion()))
                    .forEach(type -> add(types, type));
            virtualTypes.stream()
                    .filter(type -> snapshot.find(type.group(), type.version(), type.plural()) == null)
                    .forEach(type -> add(types, type));
            Map<String, Document> now = new TreeMap<>();
            types.forEach((path, ofVersion) -> now.put(path, unchangedOrNew(byPath.get(path), ofVersion)));
            return new Documents(snapshot.version(), now, snapshot.aggregated());
        }

        private static void add(Map<String, List<ResourceType>> types, ResourceType type) {
            String path = (type.group().isEmpty() ? "api/" : "apis/" + type.group() + "/") + type.version();
            types.computeIfAbsent(path, ignored -> new ArrayList<>()).add(type);
        }

        private static Document unchangedOrNew(@Nullable Document document, List<ResourceType> types) {
            return document != null && document.types.equals(types) ? document : new Document(types);
        }
    }

    /** The document of one version, written at its first use. */
    private static final class Document {
        private final List<ResourceType> types;
        private @Nullable Written written;

        private record Written(byte[] content, String hash) {}

        Document(List<ResourceType> types) {
            this.types = types;
        }

        GroupVersion version() {
            return types.getFirst().groupVersion();
        }

        byte[] content() {
            return written().content;
        }

        String hash() {
            return written().hash;
        }

        private synchronized Written written() {
            Written known = written;
            if (known == null) {
                byte[] content = Json.write(tree(types));
                known = new Written(content, Digests.ofContent(content));
                written = known;
            }
            return known;
        }

        private static ObjectNode tree(List<ResourceType> types) {
            ObjectNode tree = Json.object().put("openapi", "3.0.0");
            tree.putObject("info").put("title", "Fairlead").put("version", "unversioned");
            ObjectNode paths = tree.putObject("paths");
            ObjectNode schemas = tree.putObject("components").putObject("schemas");
            for (ResourceType type : types) {
                new Paths(type).addTo(paths);
                Schemas.addTo(schemas, type);
            }
            MetaSchemas.addTo(schemas, types.getFirst().groupVersion());
            return tree;
        }
    }
}
