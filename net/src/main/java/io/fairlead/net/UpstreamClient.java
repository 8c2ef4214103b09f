package io.fairlead.net;

import io.fairlead.http.Transport;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.HostResolver;
import io.fairlead.net.address.SystemResolver;
import io.netty.channel.EventLoopGroup;

/**
 * What all upstreams share: event loops, address policy, resolver and limits. Thread-safe.
 *
 * <p>The event loops belong to the caller. Close every upstream first, then this.
 */
public final class UpstreamClient implements AutoCloseable {
    private final EventLoopGroup loops;
    private final Transport transport;
    private final AddressPolicy addressPolicy;
    private final UpstreamLimits limits;
    private final HostResolver resolver;
    private final ConnectionBudget connections;

    /** Resolves names with the operating system's resolver. {@code loops} must have been made by {@code transport}. */
    public UpstreamClient(
            EventLoopGroup loops, Transport transport, AddressPolicy addressPolicy, UpstreamLimits limits) {
        this(loops, transport, addressPolicy, limits, new SystemResolver());
    }

    /** Resolves names with a resolver that belongs to the caller. */
    UpstreamClient(
            EventLoopGroup loops,
            Transport transport,
            AddressPolicy addressPolicy,
            UpstreamLimits limits,
            HostResolver resolver) {
        this.loops = loops;
        this.transport = transport;
        this.addressPolicy = addressPolicy;
        this.limits = limits;
        this.resolver = resolver;
        this.connections = new ConnectionBudget(limits.connectionsMax());
    }

    /**
     * Makes an upstream; nothing is connected to before the first request.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field
     */
    public Upstream open(UpstreamSpec spec, ConnectionMetrics metrics) {
        return new PooledUpstream(this, spec, metrics, null);
    }

    /**
     * Makes an upstream each of whose connections takes requests only after an introduction, and that takes no upgrade.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field
     */
    public Upstream open(UpstreamSpec spec, ConnectionMetrics metrics, Introduction introduction) {
        return new PooledUpstream(this, spec, metrics, introduction);
    }

    /** Makes an upstream whose connections nobody counts. */
    public Upstream open(UpstreamSpec spec) {
        return open(spec, ConnectionMetrics.NONE);
    }

    @Override
    public void close() {
        if (resolver instanceof SystemResolver own) {
            own.close();
        }
    }

    EventLoopGroup loops() {
        return loops;
    }

    Transport transport() {
        return transport;
    }

    AddressPolicy addressPolicy() {
        return addressPolicy;
    }

    UpstreamLimits limits() {
        return limits;
    }

    /** What connections one more upstream may have. */
    ConnectionBudget connectionsOfOne() {
        return connections.part(limits.connectionsPerUpstreamMax());
    }

    HostResolver resolver() {
        return resolver;
    }
}
