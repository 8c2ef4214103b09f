package io.fairlead.net;

import java.net.InetAddress;
import java.util.Set;

/** A connection of a {@link EndpointPool}, ready for calls. On its event loop. */
sealed interface Connection permits Http1Connection, Http2Connection {
    /** Whether another call may be sent on it now. */
    boolean hasRoom();

    void send(Call call);

    /** Takes no further call and closes when the last has ended. */
    void retire();

    /** Closes at once; calls in progress fail. */
    void close(UpstreamFailure reason);

    /** Whether its peer has one of these addresses. */
    boolean leadsToOneOf(Set<InetAddress> addresses);

    /** Whether no call is on it and it has been idle for this long. */
    boolean isUnusedSince(long idleNanos);
}
