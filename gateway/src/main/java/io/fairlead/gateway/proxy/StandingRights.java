package io.fairlead.gateway.proxy;

import io.fairlead.model.Status;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The rights by which a request was let through, to be asked for again before a body that took long is complete: it may trickle
 * for an hour, and a caller who lost a right meanwhile must not write by the one of before.
 */
@FunctionalInterface
public interface StandingRights {
    /** For so long they need not be asked for again. */
    long HOLD_NANOS = 1_000_000_000L;

    /** Asks on another thread: why the request may no longer be made, empty if it may. */
    CompletionStage<Optional<Status>> refusal();
}
