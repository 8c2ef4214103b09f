package io.fairlead.gateway.edge;

import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The HTTPS front end: accepts connections and leads every request through the stages to its handler.
 *
 * <p>Threads: the methods here are for the owner, one at a time, but for {@link #close}, which may interrupt a drain from
 * any thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class EdgeServer implements AutoCloseable {
    private final EdgeParts parts;

    public EdgeServer(EdgeParts parts) {
        this.parts = parts;
    }

    /**
     * Listens.
     *
     * @return the bound address
     * @throws IOException naming the address if it is taken or not ours
     * @throws IllegalArgumentException if the TLS material cannot be used
     */
    public InetSocketAddress start() throws IOException {
        throw new UnsupportedOperationException("listen on " + parts.bindAddress());
    }

    /**
     * Uses other TLS material for connections from now on.
     *
     * @throws IllegalArgumentException if it cannot be used; the old one stays
     */
    public void reload(TlsMaterial tls) {
        throw new UnsupportedOperationException("reload " + tls);
    }

    /** Drops the metric series of a cluster that is gone. */
    public void forget(ClusterName cluster) {
        throw new UnsupportedOperationException("forget " + cluster);
    }

    /**
     * Ends in an orderly way: {@code /readyz} fails at once, for {@code delay} everything is still served, then no new
     * connections or requests are taken, short calls finish within {@code grace} and watches are ended with a clean end.
     * Blocks until done; the server is closed then.
     */
    public void drain(Duration delay, Duration grace) throws InterruptedException {
        throw new UnsupportedOperationException("drain " + delay + " " + grace);
    }

    /** Ends at once. */
    @Override
    public void close() {}
}
