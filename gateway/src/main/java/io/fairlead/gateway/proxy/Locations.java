package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

/**
 * {@code Location} headers of an attached cluster: one that is relative to its root or names its own address leads below
 * the cluster's prefix; any other is none of ours and stays.
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
        if (uri.getRawAuthority() == null && uri.getScheme() == null) {
            return location.startsWith("/") ? prefix + location : location;
        }
        if (!isOwn(uri, request.backend().endpoints())) {
            return location;
        }
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return prefix
                + path
                + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())
                + (uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment());
    }

    private static boolean isOwn(URI location, List<URI> endpoints) {
        return location.getHost() != null && endpoints.stream().anyMatch(endpoint -> isSame(location, endpoint));
    }

    private static boolean isSame(URI location, URI endpoint) {
        return endpoint.getHost() != null
                && location.getHost()
                        .toLowerCase(Locale.ROOT)
                        .equals(endpoint.getHost().toLowerCase(Locale.ROOT))
                && port(location) == port(endpoint);
    }

    private static int port(URI uri) {
        return uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
    }
}
