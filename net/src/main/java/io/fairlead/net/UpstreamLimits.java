package io.fairlead.net;

import java.time.Duration;

/**
 * The bounds of one upstream. Counts of connections are per endpoint and event loop, except those of all.
 *
 * @param connectTimeout until the host is resolved, and then until a TCP connection is established
 * @param tlsTimeout until the handshake is done and, over HTTP/2, the peer's settings have arrived
 * @param firstByteTimeout until the head of the answer to a short call, from the last piece of the request
 * @param idleTimeout after which an unused connection is closed
 * @param pingInterval after which a silent HTTP/2 connection with open streams gets a ping; it is closed if nothing
 *     arrives within half of it
 * @param shortConnectionsMax HTTP/1.1 connections for short calls; more calls wait
 * @param longRunningConnectionsMax HTTP/1.1 connections for streams; more streams are refused
 * @param streamsMax calls on one HTTP/2 connection, if the peer allows as many
 * @param waitingMax calls that wait for a connection; more are refused
 * @param connectionsMax connections of all upstreams of a client; calls that would need more are refused
 * @param connectionsPerUpstreamMax connections of one upstream, to all its endpoints; calls that would need more are
 *     refused
 * @param endpoints when an endpoint counts as ready
 */
public record UpstreamLimits(
        Duration connectTimeout,
        Duration tlsTimeout,
        Duration firstByteTimeout,
        Duration idleTimeout,
        Duration pingInterval,
        int shortConnectionsMax,
        int longRunningConnectionsMax,
        int streamsMax,
        int waitingMax,
        int connectionsMax,
        int connectionsPerUpstreamMax,
        EndpointLimits endpoints) {
    /**
     * Those of tests that know no configuration, without a limit of all connections; the product's defaults are those of
     * the configuration.
     */
    public static UpstreamLimits defaults() {
        return new UpstreamLimits(
                Duration.ofSeconds(3),
                Duration.ofSeconds(5),
                Duration.ofSeconds(70),
                Duration.ofSeconds(55),
                Duration.ofSeconds(30),
                128,
                10_000,
                100,
                1_000,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                EndpointLimits.defaults());
    }

    public UpstreamLimits withConnectTimeout(Duration timeout) {
        return with(timeout, tlsTimeout, firstByteTimeout, idleTimeout, pingInterval);
    }

    public UpstreamLimits withTlsTimeout(Duration timeout) {
        return with(connectTimeout, timeout, firstByteTimeout, idleTimeout, pingInterval);
    }

    public UpstreamLimits withFirstByteTimeout(Duration timeout) {
        return with(connectTimeout, tlsTimeout, timeout, idleTimeout, pingInterval);
    }

    public UpstreamLimits withIdleTimeout(Duration timeout) {
        return with(connectTimeout, tlsTimeout, firstByteTimeout, timeout, pingInterval);
    }

    public UpstreamLimits withPingInterval(Duration interval) {
        return with(connectTimeout, tlsTimeout, firstByteTimeout, idleTimeout, interval);
    }

    public UpstreamLimits withConnections(int max, int perUpstreamMax) {
        return new UpstreamLimits(
                connectTimeout,
                tlsTimeout,
                firstByteTimeout,
                idleTimeout,
                pingInterval,
                shortConnectionsMax,
                longRunningConnectionsMax,
                streamsMax,
                waitingMax,
                max,
                perUpstreamMax,
                endpoints);
    }

    public UpstreamLimits withEndpoints(EndpointLimits ofEndpoints) {
        return new UpstreamLimits(
                connectTimeout,
                tlsTimeout,
                firstByteTimeout,
                idleTimeout,
                pingInterval,
                shortConnectionsMax,
                longRunningConnectionsMax,
                streamsMax,
                waitingMax,
                connectionsMax,
                connectionsPerUpstreamMax,
                ofEndpoints);
    }

    private UpstreamLimits with(
            Duration ofConnect, Duration ofTls, Duration ofFirstByte, Duration ofIdle, Duration ofPing) {
        return new UpstreamLimits(
                ofConnect,
                ofTls,
                ofFirstByte,
                ofIdle,
                ofPing,
                shortConnectionsMax,
                longRunningConnectionsMax,
                streamsMax,
                waitingMax,
                connectionsMax,
                connectionsPerUpstreamMax,
                endpoints);
    }
}
