package io.fairlead.net;

import io.fairlead.http.Transport;
import io.fairlead.http.Via;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.HostResolver;
import io.fairlead.net.address.SystemResolver;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The shared parts of all upstreams: event loops, address policy, resolver and limits. Thread-safe.
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
    private final Via via;
    private final SplittableRandom random = new SplittableRandom();
    private final ConcurrentMap<EventLoop, FirstByteWait> firstByteWaits = new ConcurrentHashMap<>();

    /** Resolves names with the operating system's resolver. {@code transport} must have created {@code loops}. */
    public UpstreamClient(
            EventLoopGroup loops, Transport transport, AddressPolicy addressPolicy, UpstreamLimits limits) {
        this(loops, transport, addressPolicy, limits, new SystemResolver(), Via.NONE);
    }

    /** That of a gateway, whose entry in {@code Via} each request has. */
    public UpstreamClient(
            EventLoopGroup loops, Transport transport, AddressPolicy addressPolicy, UpstreamLimits limits, Via via) {
        this(loops, transport, addressPolicy, limits, new SystemResolver(), via);
    }

    /** Resolves names with a resolver owned by the caller. */
    UpstreamClient(
            EventLoopGroup loops,
            Transport transport,
            AddressPolicy addressPolicy,
            UpstreamLimits limits,
            HostResolver resolver) {
        this(loops, transport, addressPolicy, limits, resolver, Via.NONE);
    }

    private UpstreamClient(
            EventLoopGroup loops,
            Transport transport,
            AddressPolicy addressPolicy,
            UpstreamLimits limits,
            HostResolver resolver,
            Via via) {
        this.via = via;
        this.loops = loops;
        this.transport = transport;
        this.addressPolicy = addressPolicy;
        this.limits = limits;
        this.resolver = resolver;
        this.connections = new ConnectionBudget(limits.connectionsMax());
    }

    /**
     * Creates an upstream; connects to nothing before the first request.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field
     */
    public Upstream open(UpstreamSpec spec, ConnectionMetrics metrics) {
        return new PooledUpstream(this, spec, metrics, null, false);
    }

    /**
     * Creates an upstream that balances requests over those of its endpoints that are ready, and asks them for that: of a
     * single endpoint nothing is asked, and it gets all requests.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field
     */
    public Upstream openProbed(UpstreamSpec spec, ConnectionMetrics metrics) {
        return new PooledUpstream(this, spec, metrics, null, true);
    }

    /**
     * Creates one whose connections take requests only after an introduction, and that refuses upgrades.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field
     */
    public Upstream open(UpstreamSpec spec, ConnectionMetrics metrics, Introduction introduction) {
        return new PooledUpstream(this, spec, metrics, introduction, true);
    }

    /** Creates an upstream whose connections are not counted. */
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

    /** Where the short calls of an event loop wait for the first byte of their answers. */
    FirstByteWait firstByteWait(EventLoop loop) {
        return firstByteWaits.computeIfAbsent(loop, of -> new FirstByteWait(of, limits.firstByteTimeout()));
    }

    /** The connection budget of one more upstream. */
    ConnectionBudget connectionsOfOne() {
        return connections.part(limits.connectionsPerUpstreamMax());
    }

    Via via() {
        return via;
    }

    /** Chance for one thread, or under one lock. */
    SplittableRandom random() {
        synchronized (random) {
            return random.split();
        }
    }

    HostResolver resolver() {
        return resolver;
    }
}
