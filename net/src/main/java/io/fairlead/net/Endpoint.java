package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Via;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One address of an upstream with its credential, and with hints: its protocol, and whether it failed lately. It belongs
 * to one specification, so that the credential never reaches the endpoints of another.
 *
 * <p>Thread-safe.
 */
final class Endpoint implements Hop {
    private static final int HTTPS_PORT = 443;
    private static final int PORT_MAX = 65_535;
    private static final long PENALTY_FIRST_NANOS = 500_000_000L;
    private static final int PENALTY_DOUBLINGS_MAX = 5;

    /** What ALPN chose last time; null before the first connection. */
    enum Protocol {
        HTTP_1_1,
        HTTP_2
    }

    private final URI uri;
    private final String basePath;
    private final String authority;
    private final Fields hostAndOwn;
    private final Fields own;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable Protocol protocol;
    private volatile long avoidedUntilNanos;

    /** One without a token. */
    Endpoint(URI uri) {
        this(uri, null, Via.NONE);
    }

    /**
     * @param bearerToken the token of every request, or null
     * @param via who sends them
     */
    Endpoint(URI uri, @Nullable String bearerToken, Via via) {
        if (!"https".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("endpoint: \"" + uri + "\" (expected https://host[:port][/path])");
        }
        if (uri.getPort() > PORT_MAX || uri.getPort() == 0) {
            throw new IllegalArgumentException(
                    "endpoint: \"" + uri + "\" (expected a port from 1 to " + PORT_MAX + ")");
        }
        this.uri = uri;
        this.basePath = basePath(uri);
        this.authority = authority(uri);
        this.own = credential(bearerToken).toMutable().addAll(via.fields()).toFields();
        this.hostAndOwn =
                new MutableFields().add(FieldName.HOST, authority).addAll(own).toFields();
        this.avoidedUntilNanos = System.nanoTime();
    }

    /** The host without the brackets of an IPv6 literal. */
    @Override
    public String host() {
        return withoutBrackets(uri.getHost());
    }

    @Override
    public int port() {
        return uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
    }

    /** The value of {@code Host}. */
    String authority() {
        return authority;
    }

    /** What every request has: the credential, if there is one, and who sends it. */
    Fields own() {
        return own;
    }

    /** {@code Host} and what every request has. */
    Fields hostAndOwn() {
        return hostAndOwn;
    }

    /** Host and port, for {@code CONNECT}. */
    String hostAndPort() {
        return uri.getHost() + ":" + port();
    }

    /** The target of a request on this server: below the path of its URL. */
    String target(String target) {
        return basePath + target;
    }

    @Nullable
    Protocol protocol() {
        return protocol;
    }

    void connected(Protocol negotiated) {
        protocol = negotiated;
        reached();
    }

    /** A connection was established, in any protocol. */
    void reached() {
        failures.set(0);
        avoidedUntilNanos = System.nanoTime();
    }

    /** Prefers other endpoints for half a second, doubled with each failure in a row up to 16 s. */
    void failed() {
        int doublings = Math.min(failures.getAndIncrement(), PENALTY_DOUBLINGS_MAX);
        avoidedUntilNanos = System.nanoTime() + (PENALTY_FIRST_NANOS << doublings);
    }

    long avoidedForNanos() {
        return avoidedUntilNanos - System.nanoTime();
    }

    /** Scheme, host and port, as failures name it; nothing else of the URL. */
    @Override
    public String toString() {
        return "https://" + authority();
    }

    /** A URL's host in the form for resolution. */
    static String withoutBrackets(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String authority(URI uri) {
        return uri.getPort() < 0 || uri.getPort() == HTTPS_PORT ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }

    private static Fields credential(@Nullable String bearerToken) {
        return bearerToken == null
                ? Fields.EMPTY
                : new MutableFields()
                        .add(FieldName.AUTHORIZATION, "Bearer " + bearerToken)
                        .toFields();
    }

    private static String basePath(URI uri) {
        String path = uri.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
