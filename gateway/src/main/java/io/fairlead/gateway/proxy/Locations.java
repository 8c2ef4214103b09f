package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * {@code Location} headers of an attached cluster: one that names the endpoint's address and is below its path is
 * rewritten to the cluster's prefix, as is one relative to the root, which a server behind a path may take for that
 * path; any other stays.
 */
final class Locations {
    private static final int HTTPS_PORT = 443;

    private Locations() {}

    static String rewrite(String location, ToAttached request) {
        String prefix = request.target().prefix();
        URI uri;
        try {
            uri = new URI(location);
        } catch (URISyntaxException e) {
            return location;
        }
        boolean isRelative = uri.getRawAuthority() == null && uri.getScheme() == null;
        if (isRelative && !location.startsWith("/")) {
            return location;
        }
        for (URI endpoint : request.backend().endpoints()) {
            String below = isRelative || isSame(uri, endpoint) ? below(endpoint, uri.getRawPath()) : "";
            if (!below.isEmpty()) {
                return prefix + below + rest(uri);
            }
        }
        return isRelative ? prefix + location : location;
    }

    /** The path relative to an endpoint's URL; empty if it is not below it. */
    private static String below(URI endpoint, String path) {
        String base = endpoint.getRawPath();
        String withSlash = base.endsWith("/") ? base : base + "/";
        if (withSlash.equals(path + "/")) {
            return "/";
        }
        return path.startsWith(withSlash) ? path.substring(withSlash.length() - 1) : "";
    }

    private static String rest(URI uri) {
        return (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())
                + (uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment());
    }

    private static boolean isSame(URI location, URI endpoint) {
        return location.getHost() != null
                && endpoint.getHost() != null
                && location.getHost()
                        .toLowerCase(Locale.ROOT)
                        .equals(endpoint.getHost().toLowerCase(Locale.ROOT))
                && port(location) == port(endpoint);
    }

    private static int port(URI uri) {
        return uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
    }
}
