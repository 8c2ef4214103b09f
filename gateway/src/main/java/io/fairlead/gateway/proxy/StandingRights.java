package io.fairlead.gateway.proxy;

import io.fairlead.model.Status;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The rights that allowed a request, to be checked again before a slow body is complete: a body may take an hour, and a
 * caller that lost a right meanwhile must not write.
 */
@FunctionalInterface
public interface StandingRights {
    /** How long a check stays valid. */
    long HOLD_NANOS = 1_000_000_000L;

    /** Checks on another thread: why the request is no longer allowed, empty if it is. */
    CompletionStage<Optional<Status>> refusal();
}
