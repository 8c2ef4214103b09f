package io.fairlead.gateway.edge;

import io.fairlead.gateway.limits.EdgeLimits;

/** The default limits, one part replaced. */
final class Limited {
    private static final EdgeLimits ALL = EdgeLimits.defaults();

    private Limited() {}

    static EdgeLimits shares(EdgeLimits.Shares shares) {
        return of(ALL.connections(), ALL.http2(), ALL.bodies(), ALL.answers(), shares);
    }

    static EdgeLimits connections(EdgeLimits.Connections connections) {
        return of(connections, ALL.http2(), ALL.bodies(), ALL.answers(), ALL.shares());
    }

    static EdgeLimits heads(EdgeLimits.Heads heads) {
        return new EdgeLimits(
                ALL.connections(),
                heads,
                ALL.http2(),
                ALL.bodies(),
                ALL.buffers(),
                ALL.answers(),
                ALL.shares(),
                ALL.reviews(),
                ALL.failedAuthenticationsPerSecond(),
                ALL.unknownWait(),
                ALL.unknownWaitersMax(),
                ALL.refusedLoggedPerSecondMax());
    }

    static EdgeLimits buffers(EdgeLimits.Buffers buffers) {
        return new EdgeLimits(
                ALL.connections(),
                ALL.heads(),
                ALL.http2(),
                ALL.bodies(),
                buffers,
                ALL.answers(),
                ALL.shares(),
                ALL.reviews(),
                ALL.failedAuthenticationsPerSecond(),
                ALL.unknownWait(),
                ALL.unknownWaitersMax(),
                ALL.refusedLoggedPerSecondMax());
    }

    static EdgeLimits refusedLogged(int perSecondMax) {
        return new EdgeLimits(
                ALL.connections(),
                ALL.heads(),
                ALL.http2(),
                ALL.bodies(),
                ALL.buffers(),
                ALL.answers(),
                ALL.shares(),
                ALL.reviews(),
                ALL.failedAuthenticationsPerSecond(),
                ALL.unknownWait(),
                ALL.unknownWaitersMax(),
                perSecondMax);
    }

    static EdgeLimits http2(EdgeLimits.Http2 http2) {
        return of(ALL.connections(), http2, ALL.bodies(), ALL.answers(), ALL.shares());
    }

    static EdgeLimits bodies(EdgeLimits.Bodies bodies) {
        return of(ALL.connections(), ALL.http2(), bodies, ALL.answers(), ALL.shares());
    }

    static EdgeLimits answers(EdgeLimits.Answers answers) {
        return of(ALL.connections(), ALL.http2(), ALL.bodies(), answers, ALL.shares());
    }

    private static EdgeLimits of(
            EdgeLimits.Connections connections,
            EdgeLimits.Http2 http2,
            EdgeLimits.Bodies bodies,
            EdgeLimits.Answers answers,
            EdgeLimits.Shares shares) {
        return new EdgeLimits(
                connections,
                ALL.heads(),
                http2,
                bodies,
                ALL.buffers(),
                answers,
                shares,
                ALL.reviews(),
                ALL.failedAuthenticationsPerSecond(),
                ALL.unknownWait(),
                ALL.unknownWaitersMax(),
                ALL.refusedLoggedPerSecondMax());
    }
}
