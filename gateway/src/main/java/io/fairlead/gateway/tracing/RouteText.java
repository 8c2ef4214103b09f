package io.fairlead.gateway.tracing;

import io.fairlead.model.RequestInfo;

/** What a request is for, without names ({@code http.route}): how many there are depends on types, not on objects. */
final class RouteText {
    private RouteText() {}

    /** As {@code /apis/apps/v1/namespaces/{namespace}/deployments/{name}/status}. */
    static String of(RequestInfo info) {
        return Attributes.bounded(info.resourceRequest() ? ofResource(info) : ofPath(info.path()));
    }

    private static String ofResource(RequestInfo info) {
        StringBuilder route = new StringBuilder("/").append(info.apiPrefix());
        if (!info.group().isEmpty()) {
            route.append('/').append(info.group());
        }
        route.append('/').append(info.version());
        if (info.shape().inNamespace()) {
            route.append("/namespaces/{namespace}");
        }
        route.append('/').append(info.resource());
        if (!info.shape().isCollection()) {
            route.append("/{name}");
        }
        if (!info.subresource().isEmpty()) {
            route.append('/').append(info.subresource());
        }
        return route.toString();
    }

    /** Discovery has no names; of what else there may be the first part is enough. */
    private static String ofPath(String path) {
        if (path.equals("/api") || path.startsWith("/api/") || path.equals("/apis") || path.startsWith("/apis/")) {
            return path;
        }
        int end = path.indexOf('/', 1);
        return end < 0 ? path : path.substring(0, end) + "/*";
    }
}
