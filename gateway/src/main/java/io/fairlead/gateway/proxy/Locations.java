package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.ClusterPath;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code Location} headers of an attached cluster. Clients follow them with their credential for the gateway, so that a cluster may
 * name its own paths alone: relative ones, and those that name the address of an endpoint and are below its path. All are
 * resolved here (RFC 3986 section 5.2), where they cannot lead above the cluster, and rewritten to its prefix.
 */
final class Locations {
    private static final int HTTPS_PORT = 443;
    private static final int LAST_ASCII = 0x7e;

    private Locations() {}

    /** A location as clients get it; empty if it is not one of the cluster. */
    static Optional<String> rewritten(String location, ToAttached request) {
        if (location.chars().anyMatch(character -> character > LAST_ASCII)) {
            return Optional.empty();
        }
        URI uri;
        try {
            uri = new URI(location);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
        return path(uri, request)
                .filter(path -> isOfCluster(path, request.target()))
                .map(path -> request.target().prefix() + path + rest(uri, request.target()));
    }

    /** The path below the cluster, without dot segments. */
    private static Optional<String> path(URI uri, ToAttached request) {
        String path = uri.getRawPath();
        if (path == null || hasEscapedDots(path)) {
            return Optional.empty();
        }
        boolean namesServer = uri.getScheme() != null || uri.getRawAuthority() != null;
        if (!namesServer && !path.startsWith("/")) {
            String base = request.target().path();
            return Optional.of(
                    withoutDots(path.isEmpty() ? base : base.substring(0, base.lastIndexOf('/') + 1) + path));
        }
        String absolute = withoutDots(path);
        for (URI endpoint : request.backend().endpoints()) {
            String below = !namesServer || isSame(uri, endpoint) ? below(endpoint, absolute) : "";
            if (!below.isEmpty()) {
                return Optional.of(below);
            }
        }
        // Relative to the root, which a server behind a path may take for that path.
        return namesServer ? Optional.empty() : Optional.of(absolute);
    }

    /** Without a prefix a path may select another cluster, or the gateway itself, or be taken for a host. */
    private static boolean isOfCluster(String path, Target.Cluster target) {
        return !target.prefix().isEmpty()
                || (!path.startsWith("//") && !ClusterPath.selects(path) && !Target.Gateway.claims(path));
    }

    /** Browsers take an escaped dot for one (WHATWG URL, "single-dot path segment"). */
    private static boolean hasEscapedDots(String path) {
        return path.toLowerCase(Locale.ROOT).contains("%2e");
    }

    /** RFC 3986 section 5.2.4. */
    private static String withoutDots(String path) {
        Deque<String> segments = new ArrayDeque<>();
        String[] given = path.split("/", -1);
        for (int i = 1; i < given.length; i++) {
            boolean isDots = given[i].equals(".") || given[i].equals("..");
            if (given[i].equals("..")) {
                segments.pollLast();
            }
            if (!isDots) {
                segments.addLast(given[i]);
            } else if (i == given.length - 1) {
                segments.addLast("");
            }
        }
        return "/" + String.join("/", segments);
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

    /** One that is only a fragment is of the same query. */
    private static String rest(URI uri, Target.Cluster target) {
        String fragment = uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment();
        if (uri.toString().equals(fragment)) {
            return (target.query().isEmpty() ? "" : "?" + target.query()) + fragment;
        }
        return (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()) + fragment;
    }

    private static boolean isSame(URI location, URI endpoint) {
        return (location.getScheme() == null || location.getScheme().equalsIgnoreCase("https"))
                && location.getRawUserInfo() == null
                && location.getHost() != null
                && endpoint.getHost() != null
                && location.getHost().equalsIgnoreCase(endpoint.getHost())
                && port(location) == port(endpoint);
    }

    private static int port(URI uri) {
        return uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
    }
}
