package io.fairlead.fleet.root;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.OwnUser;
import io.fairlead.hosted.kinds.BuiltInKinds;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The root cluster's objects as plain calls, made with all rights.
 *
 * <p>Threads: any; calls block.
 */
public final class RootApi {
    public static final GroupVersionResource SECRETS = new GroupVersionResource("", "v1", "secrets");
    public static final GroupVersionResource CONFIG_MAPS = new GroupVersionResource("", "v1", "configmaps");
    public static final GroupVersionResource EVENTS = new GroupVersionResource("", "v1", "events");
    public static final GroupVersionResource NAMESPACES = new GroupVersionResource("", "v1", "namespaces");

    /** The namespace for credentials of attached clusters. */
    public static final String SYSTEM_NAMESPACE = BuiltInKinds.ROOT_NAMESPACE;

    private static final UserInfo SELF = OwnUser.of("fleet");

    /** An unknown field is refused by name, as kubectl requests it. */
    private static final Map<String, List<String>> DRY_RUN =
            Map.of("dryRun", List.of("All"), "fieldValidation", List.of("Strict"));

    private static final String PAGE = "500";

    private final HostedCluster root;

    public RootApi(HostedCluster root) {
        this.root = root;
    }

    /** One object, if it exists. */
    public Optional<ObjectNode> get(GroupVersionResource resource, String namespace, String name) {
        try {
            return Optional.of(call("GET", RequestInfo.resource("get", resource, namespace, name, ""), Map.of(), null));
        } catch (RootApiException failure) {
            if (failure.code() == 404) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** Every object of a namespace, or of the cluster if it is empty. */
    public ObjectNode list(GroupVersionResource resource, String namespace) {
        return call("GET", RequestInfo.resource("list", resource, namespace, "", ""), Map.of(), null);
    }

    /** Creates an object; an existing one stays as it is, even while nothing can be written. */
    public void createIfAbsent(GroupVersionResource resource, String namespace, ObjectNode object) {
        String name = object.path("metadata").path("name").asString("");
        if (get(resource, namespace, name).isEmpty()) {
            create(resource, namespace, object);
        }
    }

    /** Creates an object; whether there was none of its name. */
    public boolean create(GroupVersionResource resource, String namespace, ObjectNode object) {
        try {
            call("POST", RequestInfo.resource("create", resource, namespace, "", ""), Map.of(), object);
            return true;
        } catch (RootApiException failure) {
            if (!failure.reason().equals("AlreadyExists")) {
                throw failure;
            }
            return false;
        }
    }

    /** Hands over every object, as {@link #list} does, but has few of them at a time. */
    public void forEach(GroupVersionResource resource, String namespace, Consumer<JsonNode> each) {
        Map<String, List<String>> query = Map.of("limit", List.of(PAGE));
        String next;
        do {
            ObjectNode page = call("GET", RequestInfo.resource("list", resource, namespace, "", ""), query, null);
            page.path("items").values().forEach(each);
            next = page.at("/metadata/continue").asString("");
            query = Map.of("limit", List.of(PAGE), "continue", List.of(next));
        } while (!next.isEmpty());
    }

    /** The result of a creation; nothing is stored. */
    public ObjectNode dryRunCreate(GroupVersionResource resource, String namespace, ObjectNode object) {
        return call("POST", RequestInfo.resource("create", resource, namespace, "", ""), DRY_RUN, object);
    }

    /** The result of a replacement; nothing is stored. */
    public ObjectNode dryRunUpdate(GroupVersionResource resource, String namespace, ObjectNode object) {
        String name = object.path("metadata").path("name").asString("");
        return call("PUT", RequestInfo.resource("update", resource, namespace, name, ""), DRY_RUN, object);
    }

    /** Deletes an object; a missing one is not a failure. */
    public void delete(GroupVersionResource resource, String namespace, String name) {
        try {
            call("DELETE", RequestInfo.resource("delete", resource, namespace, name, ""), Map.of(), null);
        } catch (RootApiException failure) {
            if (failure.code() != 404) {
                throw failure;
            }
        }
    }

    /** Replaces an object, or its status. */
    public void update(GroupVersionResource resource, String namespace, ObjectNode object, String subresource) {
        String name = object.path("metadata").path("name").asString("");
        switch (serve(
                "PUT", RequestInfo.resource("update", resource, namespace, name, subresource), Map.of(), object)) {
            case ApiResponse.Whole whole -> requireSuccess(whole);
            case ApiResponse.Pieces pieces -> pieces.pieces().close();
            case ApiResponse.Stream stream -> stream.frames().close();
        }
    }

    /**
     * The same, but does nothing if the object was changed or deleted since it was read, which a watch reports.
     *
     * @return whether it was written
     */
    public boolean updateUnlessChanged(
            GroupVersionResource resource, String namespace, ObjectNode object, String subresource) {
        try {
            update(resource, namespace, object, subresource);
            return true;
        } catch (RootApiException failure) {
            if (failure.code() != 409 && failure.code() != 404) {
                throw failure;
            }
            return false;
        }
    }

    /** The changes after a resource version, as lines of JSON. */
    ApiResponse.Frames watch(GroupVersionResource resource, String namespace, String resourceVersion) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        query.put("watch", List.of("true"));
        query.put("allowWatchBookmarks", List.of("true"));
        query.put("resourceVersion", List.of(resourceVersion));
        return switch (serve("GET", RequestInfo.resource("watch", resource, namespace, "", ""), query, null)) {
            case ApiResponse.Stream stream -> stream.frames();
            case ApiResponse.Whole whole -> throw RootApiException.of(whole.status(), Json.read(whole.body()));
            case ApiResponse.Pieces pieces -> {
                pieces.pieces().close();
                throw new IllegalStateException("a list answers a watch");
            }
        };
    }

    private ObjectNode call(
            String method, RequestInfo info, Map<String, List<String>> query, @Nullable ObjectNode body) {
        return switch (serve(method, info, query, body)) {
            case ApiResponse.Whole whole -> {
                requireSuccess(whole);
                yield (ObjectNode) Json.read(whole.body());
            }
            case ApiResponse.Pieces pieces -> (ObjectNode) Json.read(joined(pieces));
            case ApiResponse.Stream stream -> {
                stream.frames().close();
                throw new IllegalStateException("a stream answers " + info.verb());
            }
        };
    }

    private static void requireSuccess(ApiResponse.Whole answer) {
        if (answer.status() >= 300) {
            throw RootApiException.of(answer.status(), Json.read(answer.body()));
        }
    }

    private static byte[] joined(ApiResponse.Pieces pieces) {
        try {
            return pieces.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading a list", e);
        }
    }

    private ApiResponse serve(
            String method, RequestInfo info, Map<String, List<String>> query, @Nullable ObjectNode body) {
        Map<String, String> headers =
                Map.of("accept", "application/json", "content-type", "application/json", "user-agent", "fairlead");
        byte[] bytes = body == null ? new byte[0] : Json.write(body);
        return root.baseHandler().serve(new ApiRequest(info, method, query, headers, SELF, bytes));
    }

    /** A refusal of the root cluster. */
    public static final class RootApiException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int code;
        private final String reason;

        private RootApiException(int code, String reason, String message) {
            super(message, null, false, false);
            this.code = code;
            this.reason = reason;
        }

        static RootApiException of(int code, JsonNode status) {
            return new RootApiException(
                    code,
                    status.path("reason").asString(""),
                    status.path("message").asString("HTTP status " + code));
        }

        public int code() {
            return code;
        }

        String reason() {
            return reason;
        }
    }
}
