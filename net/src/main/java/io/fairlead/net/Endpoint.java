package io.fairlead.net;

import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One address of an upstream, and what was learnt about it: its protocol, and whether it failed lately.
 *
 * <p>Thread-safe; what is learnt is advice only.
 */
final class Endpoint {
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
    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable Protocol protocol;
    private volatile long avoidedUntilNanos;

    Endpoint(URI uri) {
        if (!"https".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("endpoint: \"" + uri + "\" (expected https://host[:port])");
        }
        if (uri.getPort() > PORT_MAX || uri.getPort() == 0) {
            throw new IllegalArgumentException(
                    "endpoint: \"" + uri + "\" (expected a port from 1 to " + PORT_MAX + ")");
        }
        this.uri = uri;
        this.avoidedUntilNanos = System.nanoTime();
    }

    /** The host without the brackets of an IPv6 literal. */
    String host() {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    int port() {
        return uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
    }

    /** The value of {@code Host}. */
    String authority() {
        return uri.getPort() < 0 || uri.getPort() == HTTPS_PORT ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }

    @Nullable
    Protocol protocol() {
        return protocol;
    }

    void connected(Protocol negotiated) {
        protocol = negotiated;
        reached();
    }

    /** A connection stands, whatever is spoken on it. */
    void reached() {
        failures.set(0);
        avoidedUntilNanos = System.nanoTime();
    }

    /** Has others preferred for half a second, doubled with each failure in a row up to 16 s. */
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
}
