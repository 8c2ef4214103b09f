package io.fairlead.net;

import io.netty.channel.EventLoop;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The upstream over pooled HTTP/1.1 and multiplexed HTTP/2 connections. Thread-safe. */
final class PooledUpstream implements Upstream {
    private final UpstreamClient client;
    private final ConnectionMetrics metrics;
    private final @Nullable Introduction introduction;
    private final ConnectionBudget connections;
    private final EventLoop home;
    private final Set<Generation> ending = ConcurrentHashMap.newKeySet();
    private volatile Generation generation;
    private volatile boolean closed;

    PooledUpstream(
            UpstreamClient client, UpstreamSpec spec, ConnectionMetrics metrics, @Nullable Introduction introduction) {
        this.client = client;
        this.metrics = metrics;
        this.introduction = introduction;
        this.connections = client.connectionsOfOne();
        this.home = client.loops().next();
        this.generation = new Generation(this, spec);
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
        UpgradeCall upgrade = new UpgradeCall(this, current, head, protocols, loop, receiver);
        current.add(upgrade);
        loop.execute(() -> {
            // A thread that closes checks the upgrades after it has set the flag: one of the two sees the other.
            if (closed) {
                upgrade.close(closedHere());
            } else {
                upgrade.start();
            }
        });
        return upgrade;
    }

    @Override
    public synchronized void reconfigure(UpstreamSpec spec) {
        Generation newer = new Generation(this, spec);
        Generation older = generation;
        generation = newer;
        ending.add(older);
        older.retire();
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

    /** Assigns a call to an endpoint of the newest configuration. On the call's event loop. */
    void dispatch(Call call) {
        if (closed) {
            call.failed(closedHere());
            return;
        }
        Generation current = generation;
        Endpoint endpoint = current.choose();
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

    private boolean sendAgain(Call call, UpstreamFailure failure) {
        boolean worthIt = switch (failure.kind()) {
            case CONNECT, TLS, TIMEOUT, CERTIFICATE, UNKNOWN_HOST, ADDRESS_DENIED, IDENTITY ->
                !generation.hasOneEndpoint();
            case RESET -> true;
            case PROTOCOL, OVERLOADED, CLOSED -> false;
        };
        if (worthIt && !closed) {
            dispatch(call);
            return true;
        }
        return false;
    }

    private static UpstreamFailure closedHere() {
        return Failures.unreached(UpstreamFailure.Kind.CLOSED, "the cluster is no longer registered");
    }
}
