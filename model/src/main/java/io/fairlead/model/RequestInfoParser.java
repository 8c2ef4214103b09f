package io.fairlead.model;

import java.util.Locale;

/**
 * Reads what a request asks for from its method, path and query, by the rules of Kubernetes' {@code RequestInfoFactory}
 * (apiserver {@code endpoints/request/requestinfo.go}), from a path that must parse alike raw and percent-decoded.
 *
 * <p>Where this differs from Kubernetes: a path with two readings is refused ({@link PathSegments}), and a verb prefix with
 * nothing after it is a 400 rather than a 500. A field selector pins the name of a list or watch, so that rights for single names
 * ({@code resourceNames}) hold for it; that of a deletecollection it does not.
 *
 * <p>Safe for any thread; keeps no state.
 */
public final class RequestInfoParser {
    private RequestInfoParser() {}

    /**
     * Reads a request.
     *
     * @param method the HTTP method as received
     * @param path the path below the cluster's prefix, still percent-encoded, one char for each byte
     * @param query the query without its question mark, likewise; empty if none
     * @throws StatusException with 400, naming the value that was not understood; nothing else is thrown
     */
    public static RequestInfo parse(String method, String path, String query) {
        PathSegments segments = PathSegments.of(path);
        requireNoControlBytes(query);
        int version = segments.version();
        return version == 0 || segments.count() < version + 2
                ? RequestInfo.nonResource(path, lowerCase(method))
                : resource(method, path, segments, version, query);
    }

    private static RequestInfo resource(String method, String path, PathSegments segments, int version, String query) {
        int first = version + 1;
        boolean verbInPath = segments.is(first, "watch") || segments.is(first, "proxy");
        if (verbInPath && segments.count() == first + 1) {
            throw Refusal.of("path", path, "expected a resource after \"" + segments.text(first) + "\"");
        }
        String verb = verbInPath ? segments.text(first) : verb(method);
        first += verbInPath ? 1 : 0;
        int resource = segments.resource(first);
        String namespace = segments.is(first, "namespaces") ? segments.text(first + 1) : "";
        boolean hasSubresource = !verb.equals("proxy");
        String name = segments.text(resource + 1);
        QueryParameters parameters = QueryParameters.of(query);
        return new RequestInfo(
                true,
                path,
                name.isEmpty() ? collectionVerb(verb, parameters) : verb,
                version == 1 ? "api" : "apis",
                version == 1 ? "" : segments.text(1),
                segments.text(version),
                namespace,
                segments.text(resource),
                hasSubresource ? segments.text(resource + 2) : "",
                name.isEmpty() && verb.equals("get") ? PinnedName.of(parameters) : name,
                segments.after(hasSubresource ? resource + 2 : resource + 1),
                new PathShape(verbInPath ? verb : "", resource > first, segments.count() - resource));
    }

    /** The verb of a request for one object. */
    private static String verb(String method) {
        return switch (method) {
            case "GET", "HEAD" -> "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> "";
        };
    }

    /** The verb of the same request for a collection. */
    private static String collectionVerb(String verb, QueryParameters query) {
        return switch (verb) {
            case "get" -> query.isTrue("watch") ? "watch" : "list";
            case "delete" -> "deletecollection";
            default -> verb;
        };
    }

    private static String lowerCase(String method) {
        return method.equals("GET") ? "get" : method.toLowerCase(Locale.ROOT);
    }

    private static void requireNoControlBytes(String query) {
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            if (SegmentText.isControl(c) || c == ' ' || c > 0xff) {
                throw Refusal.of("query", query, "expected no control byte and no space");
            }
        }
    }
}
