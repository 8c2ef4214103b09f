package io.fairlead.net;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one endpoint for one kind of call on one event loop, and the calls that wait for them.
 *
 * <p>Until the protocol is known, and over HTTP/2, one connection is established at a time; over HTTP/1.1 as many as
 * calls wait, up to the limit. Everything runs on the event loop.
 *
 * <p>A call waits only for a dial in progress, or for an HTTP/1.1 connection of short calls. So a failed dial fails all
 * waiting calls, even if other connections exist: those may be full or draining, and the callers can try again.
 */
final class EndpointPool implements Dial.Outcome<Connection> {
    /** Each keeps its server's answer until that is judged. */
    private static final int INTRODUCTIONS_MAX = 16;

    private static final long AHEAD_EVERY_NANOS = 1_000_000_000;

    private final PooledUpstream upstream;
    private final Generation generation;
    private final Endpoint endpoint;
    private final Upstream.Kind kind;
    private final EventLoop loop;
    private final UpstreamLimits limits;

    private final Deque<Call> waiting = new ArrayDeque<>();
    private final Deque<Http1Connection> free = new ArrayDeque<>();
    private final List<Http2Connection> multiplexed = new ArrayList<>();
    private final Set<Connection> open = new LinkedHashSet<>();
    private final Set<Dial<Connection>> dials = new HashSet<>();
    private boolean retired;

    /** The last dial that no call waited for, and when it began. */
    private @Nullable Dial<Connection> ahead;

    private long dialledAheadNanos = System.nanoTime() - AHEAD_EVERY_NANOS;
    private @Nullable ScheduledFuture<?> sweep;

    EndpointPool(
            PooledUpstream upstream, Generation generation, Endpoint endpoint, Upstream.Kind kind, EventLoop loop) {
        this.upstream = upstream;
        this.generation = generation;
        this.endpoint = endpoint;
        this.kind = kind;
        this.loop = loop;
        this.limits = upstream.client().limits();
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** The configuration of all its connections. */
    UpstreamSpec spec() {
        return generation.spec();
    }

    void submit(Call call) {
        if (retired || generation.isRetired()) {
            if (!retired) {
                retire(); // It may have been made too late to be told, and would keep its configuration for ever.
            }
            upstream.dispatch(call);
            return;
        }
        if (waiting.size() >= limits.waitingMax() || isFullOfStreams()) {
            call.failed(tooMany());
            return;
        }
        waiting.add(call);
        call.waitsIn(this);
        serve();
    }

    void forget(Call call) {
        waiting.remove(call);
    }

    /** A connection can take a call again. */
    void freed(Connection connection) {
        if (upstream.introduction() != null && !open.contains(connection)) {
            return; // Its introduction is in progress, and it takes no other call yet.
        }
        if (connection instanceof Http1Connection http1) {
            free.add(http1);
        }
        serve();
        sweepLater();
    }

    /** A connection takes no further call. */
    void retired(Http2Connection connection) {
        multiplexed.remove(connection);
        serve();
    }

    void closed(Connection connection) {
        if (!open.remove(connection)) {
            return;
        }
        switch (connection) {
            case Http1Connection http1 -> {
                free.remove(http1);
                upstream.metrics().closed("http/1.1");
            }
            case Http2Connection http2 -> {
                multiplexed.remove(http2);
                upstream.metrics().closed("h2");
            }
        }
        serve();
        tellIfEnded();
    }

    /** Moves waiting calls to the upstream's newer configuration, and lets the connections end with their calls. */
    void retire() {
        retired = true;
        stopSweep();
        new ArrayList<>(open).forEach(Connection::retire);
        dials.forEach(Dial::abandon);
        dials.clear();
        takeWaiting().forEach(upstream::dispatch);
        tellIfEnded();
    }

    void close(UpstreamFailure reason) {
        retired = true;
        stopSweep();
        dials.forEach(Dial::abandon);
        dials.clear();
        takeWaiting().forEach(call -> call.failed(reason));
        new ArrayList<>(open).forEach(connection -> connection.close(reason));
    }

    @Override
    public void agreed(Channel channel, Endpoint.Protocol protocol, Dial.Opening<Connection> opening) {
        switch (protocol) {
            case HTTP_2 -> channel.pipeline().addLast(new Http2Connection(channel, endpoint, this, limits, opening));
            case HTTP_1_1 -> {
                Http1Connection connection = new Http1Connection(channel, endpoint, this);
                channel.pipeline().addLast(connection);
                opening.ready(connection);
            }
        }
    }

    @Override
    public void connected(Dial<Connection> dial, Connection connection, Endpoint.Protocol protocol) {
        Introduction introduction = upstream.introduction();
        if (introduction == null) {
            dials.remove(dial);
            admit(connection, protocol);
        } else {
            Introducing.begin(introduction, connection, endpoint, loop, new Introduced(dial, connection, protocol));
        }
    }

    /** From now on the connection takes calls. */
    private void admit(Connection connection, Endpoint.Protocol protocol) {
        open.add(connection);
        endpoint.connected(protocol);
        switch (connection) {
            case Http1Connection http1 -> {
                free.add(http1);
                upstream.metrics().opened("http/1.1");
            }
            case Http2Connection http2 -> {
                multiplexed.add(http2);
                upstream.metrics().opened("h2");
            }
        }
        serve();
        sweepLater();
    }

    @Override
    public void failed(Dial<Connection> dial, UpstreamFailure failure) {
        dials.remove(dial);
        if (!dial.equals(ahead) || !waiting.isEmpty()) {
            endpoint.health().notConnected(failure);
        }
        upstream.metrics().failed(failure.kind());
        if (dials.isEmpty() && !turnsComeRound()) {
            takeWaiting().forEach(call -> call.failed(failure));
        } else if (!waiting.isEmpty()) {
            waiting.remove().failed(failure);
        }
    }

    /**
     * Whether a waiting call will get a connection without a dial: short calls release their HTTP/1.1 connections soon.
     */
    private boolean turnsComeRound() {
        return kind.isShort() && endpoint.protocol() == Endpoint.Protocol.HTTP_1_1 && !open.isEmpty();
    }

    /** The endpoint's name stands for other addresses by now: connections to those before end with their calls. */
    void leaveOthersThan(Set<InetAddress> addresses) {
        new ArrayList<>(open)
                .stream().filter(one -> !one.leadsToOneOf(addresses)).forEach(Connection::retire);
    }

    private boolean isFullOfStreams() {
        return kind == Upstream.Kind.LONG_RUNNING
                && endpoint.protocol() == Endpoint.Protocol.HTTP_1_1
                && free.isEmpty()
                && open.size() + dials.size() >= limits.longRunningConnectionsMax();
    }

    private void serve() {
        boolean wasSent = !waiting.isEmpty();
        while (!waiting.isEmpty()) {
            Connection connection = withRoom();
            if (connection == null) {
                dialAsNeeded();
                refuseWhatNoDialIsFor();
                return;
            }
            connection.send(waiting.remove());
        }
        if (wasSent) {
            dialAhead();
        }
    }

    /**
     * Over HTTP/2 the next connection is there before the last one is full: by a call that takes one of the last streams, at
     * most once a second, not to a server that fails, and not from the last connections that there may be.
     */
    private void dialAhead() {
        if (multiplexed.isEmpty() || !dials.isEmpty() || retired) {
            return;
        }
        for (Http2Connection connection : multiplexed) {
            if (connection.hasPlentyOfRoom()) {
                return;
            }
        }
        long nowNanos = System.nanoTime();
        if (nowNanos - dialledAheadNanos < AHEAD_EVERY_NANOS
                || endpoint.health().isAvoided()
                || !upstream.connections().takeSpare()) {
            return;
        }
        dialledAheadNanos = nowNanos;
        ahead = newDial();
        start(ahead);
    }

    private @Nullable Connection withRoom() {
        for (Http2Connection connection : multiplexed) {
            if (connection.hasRoom()) {
                return connection;
            }
        }
        for (Http1Connection connection = free.pollLast(); connection != null; connection = free.pollLast()) {
            if (connection.hasRoom()) {
                return connection;
            }
        }
        return null;
    }

    private void dialAsNeeded() {
        if (retired) {
            return;
        }
        int wanted = endpoint.protocol() == Endpoint.Protocol.HTTP_1_1
                ? Math.min(waiting.size() - dials.size(), connectionsMax() - open.size() - dials.size())
                : 1 - dials.size();
        if (upstream.introduction() != null) {
            wanted = Math.min(wanted, INTRODUCTIONS_MAX - dials.size());
        }
        for (int i = 0; i < wanted && upstream.connections().take(); i++) {
            start(newDial());
        }
    }

    /** For a connection that was taken of the budget. */
    private Dial<Connection> newDial() {
        return new Dial<>(
                upstream.client(), endpoint, generation.tls(), generation, loop, upstream.connections(), this);
    }

    private void start(Dial<Connection> dial) {
        dials.add(dial);
        dial.start();
    }

    /**
     * Streams do not end so that others get a connection: more calls may have waited, while the protocol was unknown,
     * than fit. And the limits of connections or descriptors may be reached.
     */
    private void refuseWhatNoDialIsFor() {
        if (!dials.isEmpty() || retired || turnsComeRound()) {
            return;
        }
        if (kind == Upstream.Kind.LIST && open.isEmpty()) {
            // Where there may be no connection for lists, they share those of short calls.
            EndpointPool ofShortCalls = generation.lane(loop, endpoint, Upstream.Kind.SHORT);
            takeWaiting().forEach(ofShortCalls::submit);
            return;
        }
        takeWaiting().forEach(call -> call.failed(tooMany()));
    }

    private UpstreamFailure tooMany() {
        return Failures.unreached(Kind.OVERLOADED, endpoint + ": too many requests wait for a connection");
    }

    private int connectionsMax() {
        return switch (kind) {
            case SHORT, LIST -> limits.shortConnectionsMax();
            case LONG_RUNNING -> limits.longRunningConnectionsMax();
        };
    }

    private void tellIfEnded() {
        if (retired && open.isEmpty()) {
            generation.ended(this);
        }
    }

    private List<Call> takeWaiting() {
        List<Call> taken = new ArrayList<>(waiting);
        waiting.clear();
        return taken;
    }

    private void sweepLater() {
        if (sweep == null && !retired) {
            sweep = loop.schedule(this::closeUnused, limits.idleTimeout().toNanos() / 2, TimeUnit.NANOSECONDS);
        }
    }

    private void closeUnused() {
        sweep = null;
        for (Connection connection : new ArrayList<>(open)) {
            if (connection.isUnusedSince(limits.idleTimeout().toNanos())) {
                connection.retire();
            }
        }
        if (!open.isEmpty()) {
            sweepLater();
        }
    }

    private void stopSweep() {
        if (sweep != null) {
            sweep.cancel(false);
            sweep = null;
        }
    }

    /** The outcome of an introduction on a connection; its dial counts as in progress until then. */
    private final class Introduced implements Introducing.Outcome {
        private final Dial<Connection> dial;
        private final Connection connection;
        private final Endpoint.Protocol protocol;

        Introduced(Dial<Connection> dial, Connection connection, Endpoint.Protocol protocol) {
            this.dial = dial;
            this.connection = connection;
            this.protocol = protocol;
        }

        @Override
        public void approved() {
            if (!connection.hasRoom()) {
                refused(Failures.unreached(
                        Kind.RESET, endpoint + " closed the connection after it had said who it is"));
            } else if (dials.remove(dial)) {
                admit(connection, protocol);
            }
        }

        /** A dial that was abandoned meanwhile has closed the connection, and nothing waits for it. */
        @Override
        public void refused(UpstreamFailure why) {
            connection.close(why);
            if (dials.contains(dial)) {
                failed(dial, why);
            }
        }
    }
}
