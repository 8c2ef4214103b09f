package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a caller are refused, whatever they are: 429.
 *
 * @param limit the exceeded limit
 * @param retrySeconds when the caller may retry
 */
public record CallerRefused(Limit limit, int retrySeconds) {
    private static final int RETRY_CONNECTION_SECONDS = 1;

    /** The first reason to refuse an authenticated request on a connection; null if there is none. */
    static @Nullable CallerRefused of(Object owner, Object caller, Place connection, Cancellations cancellations) {
        if (!connection.isTakenBy(owner)) {
            return new CallerRefused(Limit.CONNECTIONS_PER_CALLER, RETRY_CONNECTION_SECONDS);
        }
        int seconds = cancellations.refusedSeconds(caller);
        return seconds == 0 ? null : new CallerRefused(Limit.STREAM_RESETS, seconds);
    }
}
