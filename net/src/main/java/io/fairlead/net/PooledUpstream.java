package io.fairlead.net;

import io.netty.channel.EventLoop;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The upstream over pooled HTTP/1.1 and multiplexed HTTP/2 connections. Thread-safe. */
final class PooledUpstream implements Upstream {
    private final UpstreamClient client;
    private final ConnectionMetrics metrics;
    private final @Nullable Introduction introduction;
    private final ConnectionBudget connections;
    private final EventLoop home;
    private final boolean isProbed;
    private final AtomicBoolean isToldSoon = new AtomicBoolean();
    private final Set<Generation> ending = ConcurrentHashMap.newKeySet();
    private volatile Generation generation;
    private volatile boolean closed;

    PooledUpstream(
            UpstreamClient client,
            UpstreamSpec spec,
            ConnectionMetrics metrics,
            @Nullable Introduction introduction,
            boolean isProbed) {
        this.client = client;
        this.metrics = metrics;
        this.introduction = introduction;
        this.connections = client.connectionsOfOne();
        this.home = client.loops().next();
        this.isProbed = isProbed;
        this.generation = new Generation(this, spec, null);
        generation.begin();
        tellOfEndpoints();
    }

    @Override
    public Exchange send(
            RequestHead head, Upstream.Kind kind, @Nullable EventLoop preferredLoop, ResponseReceiver receiver) {
        EventLoop loop = preferredLoop != null && client.loops().equals(preferredLoop.parent()) ? preferredLoop : home;
        Call call = new Call(loop, head, kind, receiver, this::sendAgain);
        if (loop.inEventLoop()) {
            begin(call);
        } else {
            loop.execute(() -> begin(call));
        }
        return call;
    }

    @Override
    public Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver) {
        if (!client.loops().equals(loop.parent())) {
            throw new IllegalArgumentException("loop: expected one of the client's own");
        }
        if (introduction != null) {
            throw new IllegalStateException("an upstream whose servers are made sure of takes no upgrade");
        }
        Generation current = generation;
        Endpoint endpoint = current.choose(null);
        UpgradeCall upgrade = new UpgradeCall(
                this, current, endpoint == null ? current.first() : endpoint, head, protocols, loop, receiver);
        current.add(upgrade);
        loop.execute(() -> {
            UpstreamFailure refusal = current.refusal(head);
            // A thread that closes checks the upgrades after it has set the flag: one of the two sees the other.
            if (closed) {
                upgrade.close(closedHere());
            } else if (refusal != null) {
                upgrade.close(refusal);
            } else if (endpoint == null) {
                upgrade.close(current.noneReady());
            } else {
                upgrade.start();
            }
        });
        return upgrade;
    }

    @Override
    public String withoutCredential(String said) {
        return generation.withoutCredential(said);
    }

    @Override
    public void triedAsFrontProxy(UpstreamSpec tried, boolean isTaken) {
        Generation current = generation;
        if (current.spec().equals(tried)) {
            current.tried(isTaken);
        }
    }

    @Override
    public synchronized void reconfigure(UpstreamSpec spec) {
        Generation older = generation;
        Generation newer = new Generation(this, spec, older);
        generation = newer;
        ending.add(older);
        older.retire();
        if (!closed) {
            newer.begin();
            tellOfEndpoints();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        generation.close(closedHere());
        ending.forEach(older -> older.close(closedHere()));
    }

    void ended(Generation older) {
        ending.remove(older);
    }

    /** The number of former configurations that still have connections. */
    int endingCount() {
        return ending.size();
    }

    UpstreamClient client() {
        return client;
    }

    ConnectionMetrics metrics() {
        return metrics;
    }

    ConnectionBudget connections() {
        return connections;
    }

    /** How servers are verified; null if they are not. */
    @Nullable
    Introduction introduction() {
        return introduction;
    }

    /** Whether endpoints are asked whether they are ready, where there are several, and told of. */
    boolean isProbed() {
        return isProbed;
    }

    /** The event loop of what belongs to no call. */
    EventLoop home() {
        return home;
    }

    /** Another thing is known of an endpoint: it is told soon, with what comes until then. Any thread. */
    void tellOfEndpoints() {
        if (isProbed && isToldSoon.compareAndSet(false, true)) {
            home.execute(() -> {
                isToldSoon.set(false);
                if (!closed) {
                    metrics.endpoints(generation.reports());
                }
            });
        }
    }

    /** Assigns a call to an endpoint of the newest configuration. On the call's event loop. */
    void dispatch(Call call) {
        if (closed) {
            call.failed(closedHere());
            return;
        }
        Generation current = generation;
        Endpoint endpoint = current.choose(null);
        if (endpoint == null) {
            call.failed(current.noneReady());
        } else {
            submit(call, current, endpoint);
        }
    }

    private static void submit(Call call, Generation current, Endpoint endpoint) {
        UpstreamFailure refusal = current.refusal(call.head());
        if (refusal != null) {
            call.failed(refusal);
            return;
        }
        current.lane(call.eventLoop(), endpoint, laneOf(call.kind(), endpoint)).submit(call);
    }

    /** Over HTTP/1.1 a connection has one call at a time, and lists delay nothing. */
    private static Upstream.Kind laneOf(Upstream.Kind kind, Endpoint endpoint) {
        return kind == Upstream.Kind.LIST && endpoint.protocol() == Endpoint.Protocol.HTTP_1_1
                ? Upstream.Kind.SHORT
                : kind;
    }

    private void begin(Call call) {
        try {
            dispatch(call);
        } catch (RuntimeException | Error e) {
            call.broke(e);
        }
        call.started(call.kind().isShort() ? client.firstByteWait(call.eventLoop()) : null);
    }

    /** Over another endpoint where one is ready; over the same only if that has refused nothing but the connection. */
    private boolean sendAgain(Call call, UpstreamFailure failure) {
        Generation current = generation;
        Endpoint tried = call.endpoint();
        Endpoint next = current.choose(tried);
        boolean isWorthIt = switch (failure.kind()) {
            case CONNECT, TLS, TIMEOUT, CERTIFICATE, UNKNOWN_HOST, ADDRESS_DENIED, IDENTITY ->
                !Objects.equals(next, tried);
            case RESET -> true;
            case PROTOCOL, OVERLOADED, CLOSED, NO_READY_ENDPOINT -> false;
        };
        if (!isWorthIt || closed || next == null) {
            return false;
        }
        metrics.resent();
        submit(call, current, next);
        return true;
    }

    private static UpstreamFailure closedHere() {
        return Failures.unreached(UpstreamFailure.Kind.CLOSED, "the cluster is no longer registered");
    }
}
