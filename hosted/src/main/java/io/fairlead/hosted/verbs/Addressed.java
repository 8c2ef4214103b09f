package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.PathShape;
import io.fairlead.model.RequestInfo;
import java.util.Set;

/**
 * The target of a request: a resource, and a namespace and name where given. They are those that were authorised, since
 * both come from the one {@link RequestInfo} and a path whose scope does not fit the resource has no target. Store keys
 * are made only from this.
 *
 * <p>Which paths there are follows kube-apiserver: for built-in kinds the routes of {@code endpoints/installer.go}, for
 * custom resources {@code customresource_handler.go} of apiextensions-apiserver, which uses only the request info.
 *
 * @param resource the resource, in one version
 * @param namespace the namespace, empty for cluster-scoped resources and across namespaces
 * @param name the object, or the only one that a collection request can select; empty if none is named
 */
record Addressed(ServedResource resource, String namespace, String name) {
    private static final Set<String> SUBRESOURCE_VERBS = Set.of("get", "update", "patch");
    private static final Set<String> COLLECTION_VERBS = Set.of("list", "watch", "create", "deletecollection");
    private static final Set<String> VERBS_OF_NAMED = Set.of("get", "update", "patch", "delete");
    private static final int OBJECT = 2;
    private static final int SUBRESOURCE = 3;

    /**
     * The target of a request.
     *
     * @param reached called once the request is known to be one that kube-apiserver gives to the kind
     * @throws io.fairlead.model.StatusException with 404 if the resource has no such path, with 405 if the path does not
     *     support the method, with 400 if it has no name
     */
    static Addressed of(ApiRequest request, ServedResource resource, Runnable reached) {
        RequestInfo info = request.info();
        ResourceType type = resource.type();
        if (type.custom()) {
            requireScope(type, info);
            reached.run();
            requireVerb(type, info);
        } else {
            requireRoute(type, info, request.method());
            reached.run();
        }
        return new Addressed(resource, type.namespaced() ? info.namespace() : "", info.name());
    }

    /** The key prefix of the selected objects. */
    String prefix() {
        return resource.prefix(namespace);
    }

    /** The key of the named object. */
    String key() {
        return resource.key(namespace, name);
    }

    private static void requireRoute(ResourceType type, RequestInfo info, String method) {
        PathShape shape = info.shape();
        boolean acrossNamespaces = type.namespaced() && !shape.inNamespace();
        boolean scopeFits = type.namespaced() == shape.inNamespace() || (acrossNamespaces && shape.isCollection());
        if (!scopeFits || shape.parts() > SUBRESOURCE || shape.prefix().equals("proxy")) {
            throw Refusals.unknownPath();
        }
        boolean isSubresource = shape.parts() == SUBRESOURCE;
        if (isSubresource && (shape.hasPrefix() || !type.subresources().contains(info.subresource()))) {
            throw Refusals.unknownPath();
        }
        boolean allowed = shape.hasPrefix()
                ? method.equals("GET")
                : !method.equals("HEAD") && verbsOf(info, acrossNamespaces).contains(info.verb());
        if (!allowed || !type.verbs().contains(info.verb())) {
            throw Refusals.methodNotAllowed();
        }
    }

    private static Set<String> verbsOf(RequestInfo info, boolean acrossNamespaces) {
        return switch (info.shape().parts()) {
            case SUBRESOURCE ->
                switch (info.subresource()) {
                    case "finalize" -> Set.of("update");
                    case "eviction" -> Set.of("create");
                    case "log" -> Set.of("get");
                    case "token" -> Set.of(); // only created, and answered before
                    default -> SUBRESOURCE_VERBS;
                };
            case OBJECT -> VERBS_OF_NAMED;
            default -> acrossNamespaces ? Set.of("list", "watch") : COLLECTION_VERBS;
        };
    }

    private static void requireScope(ResourceType type, RequestInfo info) {
        boolean isCollectionRead = info.verb().equals("list") || info.verb().equals("watch");
        boolean inNamespace = !info.namespace().isEmpty();
        boolean scopeFits = type.namespaced() ? inNamespace || isCollectionRead : !inNamespace;
        if (!scopeFits) {
            throw Refusals.unknownPath();
        }
    }

    private static void requireVerb(ResourceType type, RequestInfo info) {
        String subresource = info.subresource();
        if (!subresource.isEmpty() && !type.subresources().contains(subresource)) {
            throw Refusals.notFound(type.groupResource(), info.name());
        }
        // A terminating CRD no longer lists some verbs, but its objects still take updates and patches.
        if (!subresource.isEmpty() && !SUBRESOURCE_VERBS.contains(info.verb())) {
            throw Refusals.methodNotAllowed(type.groupResource(), info.verb());
        }
        if (info.name().isEmpty() && VERBS_OF_NAMED.contains(info.verb())) {
            throw Refusals.badRequest("name must be provided");
        }
    }
}
