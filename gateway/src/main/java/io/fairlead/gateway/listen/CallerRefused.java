package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * That requests of a caller are refused, whatever they ask for: 429.
 *
 * @param limit beyond which the caller is
 * @param retrySeconds after which it may try again
 */
public record CallerRefused(Limit limit, int retrySeconds) {
    private static final int RETRY_CONNECTION_SECONDS = 1;

    /** The first reason there is to refuse a request that was authenticated on a connection; null if there is none. */
    static @Nullable CallerRefused of(Object caller, Place connection, Cancellations cancellations) {
        if (!connection.isTakenBy(caller)) {
            return new CallerRefused(Limit.CONNECTIONS_PER_CALLER, RETRY_CONNECTION_SECONDS);
        }
        int seconds = cancellations.refusedSeconds(caller);
        return seconds == 0 ? null : new CallerRefused(Limit.STREAM_RESETS, seconds);
    }
}
