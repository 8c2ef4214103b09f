package io.fairlead.gateway.route;

import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Decides from the index who answers.
 *
 * <p>A hosted cluster answers what is SERVED and what is ABSENT (its base handler knows the 404); while it is UNKNOWN the
 * request waits a little, then gets 503. An attached cluster is always asked: only the real server may say no.
 */
public final class Router {
    private static final int RETRY_AFTER_SECONDS = 1;

    private final TypeIndex index;
    private final Duration unknownWait;
    private final Semaphore waiters;

    public Router(TypeIndex index, Duration unknownWait, int unknownWaitersMax) {
        this.index = index;
        this.unknownWait = unknownWait;
        this.waiters = new Semaphore(unknownWaitersMax);
    }

    /** Never blocks. */
    public ToAttached toAttached(Admitted admitted, ClusterEntry.Attached cluster) {
        return new ToAttached(admitted.acting(), cluster);
    }

    /**
     * Blocks while the index does not know.
     *
     * @throws StatusException with 503 and cause {@code TypeIndexNotSynced} if it still does not
     */
    public ToHosted toHosted(Authorized authorized) {
        ClusterName cluster = authorized.cluster().name();
        RequestInfo info = authorized.info();
        if (info.resourceRequest() && isUnknown(cluster, info)) {
            awaitSync(cluster);
            if (isUnknown(cluster, info)) {
                throw notSynced(cluster, info);
            }
        }
        return new ToHosted(authorized);
    }

    private boolean isUnknown(ClusterName cluster, RequestInfo info) {
        return switch (index.lookup(cluster, info.group(), info.version(), info.resource())) {
            case SERVED, ABSENT -> false;
            case UNKNOWN -> true;
        };
    }

    /** Waits until the view is complete or the time is over; a caller beyond the limit does not wait at all. */
    private void awaitSync(ClusterName cluster) {
        if (!waiters.tryAcquire()) {
            return;
        }
        CompletableFuture<Void> synced = index.synced(cluster).toCompletableFuture();
        try {
            synced.get(unknownWait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            synced.cancel(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiters.release();
        }
    }

    private static StatusException notSynced(ClusterName cluster, RequestInfo info) {
        return new StatusException(Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + cluster + "\": it is not known yet whether " + info.groupResource() + " is served"
                        + " (expected the index to be complete soon; try again)",
                "TypeIndexNotSynced",
                RETRY_AFTER_SECONDS));
    }
}
