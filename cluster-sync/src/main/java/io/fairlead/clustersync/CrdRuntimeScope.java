package io.fairlead.clustersync;

import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.util.function.Consumer;

/** The API servers of an attached cluster that take what CRDs serve: their connections. Thread-safe. */
public final class CrdRuntimeScope implements AutoCloseable {
    private final Upstream upstream;
    private final Consumer<CrdRuntimeScope> whenClosed;

    CrdRuntimeScope(Upstream upstream, Consumer<CrdRuntimeScope> whenClosed) {
        this.upstream = upstream;
        this.whenClosed = whenClosed;
    }

    /** The connections, for requests; closed with this scope. */
    public Upstream upstream() {
        return upstream;
    }

    /**
     * Uses other endpoints, trust or credentials from now on. Requests under way end on the old connections.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field; nothing is changed then
     */
    public void reconfigure(UpstreamSpec spec) {
        upstream.reconfigure(spec);
    }

    /** Ends every connection and every request on one. */
    @Override
    public void close() {
        upstream.close();
        whenClosed.accept(this);
    }
}
