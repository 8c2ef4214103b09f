package io.fairlead.gateway.flow;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Admits requests within the concurrency limits, or refuses them with 429.
 *
 * <p>Short calls are bounded in total, by cluster, and by caller in a cluster; watches and other long-running requests
 * by cluster. Exempt are health checks and {@code system:masters} of the gateway's realm who act as themselves, as in
 * Kubernetes' priority level {@code exempt}: administrators can then repair an overloaded cluster. So is the question of
 * another cluster's aggregation layer whether a published version is available, which it answers to all its clients.
 * Never blocks; any thread.
 */
public final class Flow {
    private static final int RETRY_AFTER_SECONDS = 1;

    /** As whom kube-aggregator asks ({@code pkg/controllers/status/remote}). */
    private static final String AGGREGATOR = "system:kube-aggregator";

    private final LimitSettings limits;
    private final LimitMeter meter;
    private final Quota shortCalls;
    private final ConcurrentMap<ClusterName, OfCluster> clusters = new ConcurrentHashMap<>();

    public Flow(LimitSettings limits, LimitMeter meter) {
        this.limits = limits;
        this.meter = meter;
        this.shortCalls = new Quota(Limit.SHORT_CALLS, "short calls", limits.shortCallsMax());
    }

    /**
     * Admits.
     *
     * @throws StatusException with 429 naming the limit
     */
    public Admitted admit(Acting acting) {
        Described described = acting.entered().described();
        if (isExempt(acting, described.info())) {
            return new Admitted(acting, new Share(() -> {}));
        }
        OfCluster cluster = clusters.computeIfAbsent(acting.entered().target().name(), _ -> new OfCluster(limits));
        return new Admitted(
                acting, described.isLongRunning() ? longRunning(cluster, acting) : shortCall(cluster, acting));
    }

    /** Drops a removed cluster; its open requests still release their shares. */
    public void forget(ClusterName cluster) {
        clusters.remove(cluster);
    }

    private Share longRunning(OfCluster cluster, Acting acting) {
        boolean isWatch = acting.entered().described().info().verb().equals("watch");
        Quota quota = isWatch ? cluster.watches : cluster.upgrades;
        take(quota, acting);
        return new Share(quota::giveBack);
    }

    private Share shortCall(OfCluster cluster, Acting acting) {
        CallerName caller = acting.entered().identity().caller();
        if (!cluster.takeOfCaller(caller)) {
            meter.reached(Limit.SHORT_CALLS_PER_CALLER);
            throw new StatusException(refusal(
                    "user \"" + acting.entered().identity().user().name() + "\"",
                    limits.shortCallsPerCallerMax() + " short calls in this cluster",
                    Limit.SHORT_CALLS_PER_CALLER,
                    acting));
        }
        try {
            take(cluster.shortCalls, acting);
        } catch (StatusException refused) {
            cluster.giveBackOfCaller(caller);
            throw refused;
        }
        try {
            take(shortCalls, acting);
        } catch (StatusException refused) {
            cluster.shortCalls.giveBack();
            cluster.giveBackOfCaller(caller);
            throw refused;
        }
        return new Share(() -> {
            shortCalls.giveBack();
            cluster.shortCalls.giveBack();
            cluster.giveBackOfCaller(caller);
        });
    }

    private void take(Quota quota, Acting acting) {
        if (!quota.take()) {
            meter.reached(quota.limit());
            throw new StatusException(refusal(quota, acting));
        }
    }

    private static boolean isExempt(Acting acting, RequestInfo info) {
        if (!info.resourceRequest() && isHealthCheck(info.path())) {
            return true;
        }
        return switch (acting.entered().identity()) {
            case Identity.OfGateway(UserInfo user) -> user.groups().contains(UserInfo.MASTERS) && acting.isThemselves();
            case Identity.OfCluster _ -> false;
            case Identity.OfPublication publication -> isAvailabilityCheck(publication, info);
        };
    }

    /** The discovery of a version, or that of all of them at once (KEP-3352). */
    private static boolean isAvailabilityCheck(Identity.OfPublication publication, RequestInfo info) {
        return publication.user().name().equals(AGGREGATOR)
                && !info.resourceRequest()
                && info.verb().equals("get")
                && (info.path().equals("/apis")
                        || publication.groupVersions().stream()
                                .anyMatch(version -> info.path().equals(version.path())));
    }

    private static boolean isHealthCheck(String path) {
        return path.startsWith("/readyz") || path.startsWith("/livez") || path.equals("/healthz");
    }

    private static Status refusal(Quota quota, Acting acting) {
        String where = quota.limit() == Limit.SHORT_CALLS
                ? "the gateway"
                : "cluster \"" + acting.entered().target().name() + "\"";
        return refusal(where, quota.toString(), quota.limit(), acting);
    }

    private static Status refusal(String whose, String what, Limit limit, Acting acting) {
        RequestInfo info = acting.entered().described().info();
        return Status.withCause(
                429,
                "TooManyRequests",
                "too many requests: " + whose + " has " + what + " already (expected fewer at once, by " + limit.key()
                        + "; try again later)",
                "TooManyRequests",
                isEventWrite(info) ? 0 : RETRY_AFTER_SECONDS);
    }

    /** Without {@code Retry-After} clients drop an event rather than add to the load. */
    private static boolean isEventWrite(RequestInfo info) {
        return info.resourceRequest() && info.resource().equals("events") && !info.isReadOnly();
    }

    /** The quotas of one cluster. */
    private static final class OfCluster {
        private final Quota shortCalls;
        private final Quota watches;
        private final Quota upgrades;
        private final int perCallerMax;

        /** The short calls by caller, for callers with at least one. */
        private final ConcurrentMap<CallerName, Integer> callers = new ConcurrentHashMap<>();

        OfCluster(LimitSettings limits) {
            perCallerMax = limits.shortCallsPerCallerMax();
            shortCalls = new Quota(Limit.SHORT_CALLS_PER_CLUSTER, "short calls", limits.shortCallsPerClusterMax());
            watches = new Quota(Limit.WATCHES_PER_CLUSTER, "watches", limits.watchesPerClusterMax());
            upgrades = new Quota(
                    Limit.UPGRADES_PER_CLUSTER,
                    "logs, proxied calls and upgraded streams",
                    limits.upgradesPerClusterMax());
        }

        boolean takeOfCaller(CallerName caller) {
            if (callers.merge(caller, 1, Integer::sum) <= perCallerMax) {
                return true;
            }
            giveBackOfCaller(caller);
            return false;
        }

        void giveBackOfCaller(CallerName caller) {
            callers.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
