package io.fairlead.gateway.route;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.hosted.ApiScope;
import io.fairlead.http.HttpMethod;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Location;
import io.fairlead.index.Lookup;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides from the serves index where a request goes: the only maker of {@link Route}s.
 *
 * <pre>
 * cluster   the index says          route
 * hosted    SERVED by a CRD         the CRD runtime
 * hosted    SERVED by the server    the base handler
 * hosted    SERVED by an APIService its backend, while that is available; then its discovery and OpenAPI too
 * hosted    ABSENT                  the base handler, which has the 404
 * hosted    UNKNOWN                 waits a moment, then 503 with cause TypeIndexNotSynced
 * attached  SERVED by a CRD         the endpoints of its crdRuntime, or else the base endpoints
 * attached  anything else           the base endpoints: only the real server may say no
 * attached  UNKNOWN                 the same, unless a crdRuntime is named, so that the answer decides: as hosted
 * </pre>
 */
public final class Router {
    /**
     * Groups that every attached API server serves itself, without a look-up: through the second one administrators
     * repair definitions that keep the index incomplete.
     */
    private static final Set<String> SERVERS_OWN = Set.of("", "apiextensions.k8s.io");

    /** Discovery and OpenAPI of one version. */
    private static final Pattern OF_A_VERSION =
            Pattern.compile("(/openapi/v3)?/apis/(?<group>[^/]+)/(?<version>[^/]+)/?");

    private static final int RETRY_AFTER_SECONDS = 1;

    private final TypeIndex index;
    private final RouteMetrics meter;
    private final Duration unknownWait;
    private final Semaphore waiters;
    private final AggregatedBackends backends;

    /**
     * A router over an index.
     *
     * @param backends of the APIServices of hosted clusters
     * @param unknownWait how long a request waits for an incomplete index
     * @param unknownWaitersMax how many wait at once; a further one is rejected at once
     */
    public Router(
            TypeIndex index,
            AggregatedBackends backends,
            RouteMetrics meter,
            Duration unknownWait,
            int unknownWaitersMax) {
        this.index = index;
        this.backends = backends;
        this.meter = meter;
        this.unknownWait = unknownWait;
        this.waiters = new Semaphore(unknownWaitersMax);
    }

    /** Routes to an attached cluster; empty while the index cannot decide. Never blocks. */
    public Optional<ToAttached> toAttachedAtOnce(Admitted admitted, ClusterEntry.Attached cluster) {
        Route route = route(cluster, info(admitted));
        return route instanceof Route.Rejected ? Optional.empty() : Optional.of(attached(admitted, cluster, route));
    }

    /**
     * Routes to an attached cluster; blocks while the index cannot decide.
     *
     * @throws StatusException with 503 and cause {@code TypeIndexNotSynced} if it still cannot
     */
    public ToAttached toAttached(Admitted admitted, ClusterEntry.Attached cluster) {
        RequestInfo info = info(admitted);
        Route route = awaited(cluster.name(), () -> route(cluster, info));
        return attached(admitted, cluster, accepted(cluster.name(), route));
    }

    /**
     * Routes to a hosted cluster; blocks while the index cannot decide.
     *
     * @throws StatusException with 503 if it still cannot
     */
    public ToHosted toHosted(Authorized authorized) {
        ToHosted routed = again(authorized);
        meter.routed(routed.cluster().name(), routed.route().kind());
        return routed;
    }

    /** The same for a request that was routed before; not counted again. */
    public ToHosted again(Authorized authorized) {
        ClusterEntry cluster = new ClusterEntry.Hosted(authorized.cluster());
        ClusterName name = cluster.name();
        return new ToHosted(authorized, accepted(name, awaited(name, () -> route(cluster, authorized.info()))));
    }

    /**
     * Routes a request for what an APIService of a hosted cluster serves to its backend, which sees the request as the cluster
     * allowed it. Never blocks.
     *
     * @throws StatusException with 503 and cause {@code BackendNotAvailable} while it is not available; with 403 for users of another
     *     cluster, of whom the backend would think as of those of this one; with 405 for a method that the verb in the path, by which
     *     rights were asked for, does not have
     */
    public ToAttached toBackend(ToHosted routed, Route.ToAggregated route) {
        ClusterName name = routed.cluster().name();
        if (!(routed.scope() instanceof ApiScope.Whole)) {
            throw new StatusException(Status.of(
                    403, "Forbidden", "what the backend of an APIService serves is not published in other clusters"));
        }
        boolean isRead = routed.described().received().method().equals(HttpMethod.GET);
        String verb = routed.described().info().verb();
        if (verb.equals("proxy") || (verb.equals("watch") && !isRead)) {
            throw new StatusException(Status.of(
                    405, "MethodNotAllowed", "the server does not allow this method on the requested resource"));
        }
        ClusterEntry.Attached backend = backends.served(name, route.service().uid())
                .orElseThrow(() ->
                        new StatusException(unavailable(name, route.service().name())));
        return new ToAttached(routed.acting(), backend, route);
    }

    private static RequestInfo info(Admitted admitted) {
        return admitted.acting().entered().described().info();
    }

    private ToAttached attached(Admitted admitted, ClusterEntry.Attached cluster, Route route) {
        meter.routed(cluster.name(), route.kind());
        return new ToAttached(admitted.acting(), cluster, route);
    }

    /**
     * The route for a located resource.
     *
     * @param cluster the registration under the cluster's name
     */
    public static Route.Kind kind(Location location, String group, ClusterEntry cluster) {
        boolean decides = !(cluster instanceof ClusterEntry.Attached attached) || attached.crdRuntime() != null;
        return switch (location.answer()) {
            case SERVED -> served(location.holder());
            case ABSENT -> Route.Kind.BASE_HANDLER;
            case UNKNOWN ->
                decides
                                && !isOfTheServer(location)
                                && (!(cluster instanceof ClusterEntry.Attached) || !SERVERS_OWN.contains(group))
                        ? Route.Kind.REJECTED
                        : Route.Kind.BASE_HANDLER;
        };
    }

    private static Route.Kind served(@Nullable Holder holder) {
        return switch (holder == null ? HolderType.BUILT_IN : holder.type()) {
            case BUILT_IN -> Route.Kind.BASE_HANDLER;
            case CRD -> Route.Kind.CRD_RUNTIME;
            case API_SERVICE, PUBLICATION -> Route.Kind.AGGREGATED;
        };
    }

    /** A group/version that the API server serves itself without a resource list: no CRD serves it. */
    private static boolean isOfTheServer(Location location) {
        return location.reason() == Lookup.Reason.RESOURCES_UNLISTED;
    }

    /** One look-up. */
    private Route route(ClusterEntry cluster, RequestInfo info) {
        ClusterName name = cluster.name();
        if (!info.resourceRequest()) {
            return cluster instanceof ClusterEntry.Attached
                    ? new Route.ToBaseHandler(Route.Look.NONE)
                    : document(name, info.path());
        }
        long silentNanos = index.silentNanos(name);
        Location location = index.locate(name, info.group(), info.version(), info.resource());
        Route.Look look = new Route.Look(location, silentNanos);
        return switch (kind(location, info.group(), cluster)) {
            case CRD_RUNTIME -> new Route.ToCrdRuntime(look, Objects.requireNonNull(location.holder()));
            case BASE_HANDLER -> new Route.ToBaseHandler(look);
            case AGGREGATED -> new Route.ToAggregated(look, Objects.requireNonNull(location.holder()));
            case REJECTED -> new Route.Rejected(look, notSynced(name, info));
        };
    }

    /** The discovery and the OpenAPI of a version that a backend serves are its own; all others are the cluster's. */
    private Route document(ClusterName cluster, String path) {
        Matcher version = OF_A_VERSION.matcher(path);
        if (!version.matches()) {
            return new Route.ToBaseHandler(Route.Look.NONE);
        }
        Location location = index.locate(cluster, version.group("group"), version.group("version"), "");
        Holder holder = location.holder();
        return holder != null && holder.type() == HolderType.API_SERVICE
                ? new Route.ToAggregated(new Route.Look(location, 0), holder)
                : new Route.ToBaseHandler(Route.Look.NONE);
    }

    private Route awaited(ClusterName cluster, Supplier<Route> lookup) {
        Route route = lookup.get();
        if (route instanceof Route.Rejected rejected && rejected.isForNow()) {
            awaitSync(cluster);
            return lookup.get();
        }
        return route;
    }

    private Route accepted(ClusterName cluster, Route route) {
        if (route instanceof Route.Rejected rejected) {
            meter.routed(cluster, rejected.kind());
            throw new StatusException(rejected.status());
        }
        return route;
    }

    /** Waits until the view is complete or the time is over; a caller beyond the limit does not wait. */
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

    private static Status notSynced(ClusterName cluster, RequestInfo info) {
        return Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + cluster + "\": it is not known yet whether " + info.groupResource() + " is served"
                        + " (expected the index to be complete soon; try again)",
                "TypeIndexNotSynced",
                RETRY_AFTER_SECONDS);
    }

    private static Status unavailable(ClusterName cluster, String service) {
        return Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + cluster + "\": the backend of the APIService \"" + service
                        + "\" is not available (its condition Available says why)",
                "BackendNotAvailable",
                RETRY_AFTER_SECONDS);
    }
}
