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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Admits requests within the concurrency limits; what is beyond them waits for its turn or gets 429.
 *
 * <p>Short calls are bounded in total, by cluster, and by caller in a cluster, and wait in fair queues; watches and other
 * long-running requests are bounded by cluster, and by caller in a cluster, and never wait; nor do requests to the gateway
 * itself, which are bounded by caller. Exempt are some health checks at once in each cluster, and {@code system:masters} of
 * the gateway's realm who act as themselves, as in Kubernetes' priority level {@code exempt}: administrators can then repair
 * an overloaded cluster. So is the question of another cluster's aggregation layer whether a published version is
 * available, which it answers to all its clients. Never blocks; any thread.
 */
public final class Flow {
    private static final int RETRY_AFTER_SECONDS = 1;

    /** As whom kube-aggregator asks ({@code pkg/controllers/status/remote}). */
    private static final String AGGREGATOR = "system:kube-aggregator";

    /** As Kubernetes exempts them ({@code apiserver/pkg/apis/flowcontrol/bootstrap}, flow schema {@code probes}). */
    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

    /** At once in a cluster; beyond them one is a short call like others, since every caller may ask. */
    private static final int EXEMPT_HEALTH_CHECKS_MAX = 16;

    private static final String UPGRADES = " logs, proxied calls and upgraded streams";

    private final LimitSettings limits;
    private final LimitMeter meter;
    private final ShortCalls shortCalls;
    private final GatewayCalls gatewayCalls;
    private final LongRunningBytes longRunningBytes;
    private final ConcurrentMap<ClusterName, OfCluster> clusters = new ConcurrentHashMap<>();

    public Flow(LimitSettings limits, LimitMeter meter) {
        this.limits = limits;
        this.meter = meter;
        this.shortCalls = new ShortCalls(limits);
        this.gatewayCalls = new GatewayCalls(limits, meter);
        this.longRunningBytes = new LongRunningBytes(limits);
    }

    /**
     * Admits at once; empty if the request has to wait.
     *
     * @throws StatusException with 429 naming the limit, for requests that never wait
     */
    public Optional<Admitted> admitAtOnce(Acting acting) {
        Described described = acting.entered().described();
        if (isExempt(acting, described.info())) {
            return Optional.of(new Admitted(acting, new Share(() -> {})));
        }
        OfCluster cluster = ofCluster(acting);
        if (isHealthCheck(described.info()) && cluster.healthChecks.take()) {
            return Optional.of(new Admitted(acting, new Share(cluster.healthChecks::giveBack)));
        }
        if (described.isLongRunning()) {
            return Optional.of(new Admitted(acting, longRunning(cluster, acting)));
        }
        Share share = cluster.shortCalls.take(acting.entered().identity().caller());
        return Optional.ofNullable(share).map(taken -> new Admitted(acting, taken));
    }

    /** Lets a short call wait for at most {@code limits.queueWait}. */
    public WaitingCall await(Acting acting, ScheduledExecutorService timer) {
        WaitingCall call = new WaitingCall(
                shortCalls,
                ofCluster(acting).shortCalls,
                acting.entered().identity().caller(),
                acting.entered().described().received().heldBytes(),
                share -> new Admitted(acting, share),
                limit -> refusal(limit, acting));
        Future<?> end = timer.schedule(call::expire, limits.queueWait().toMillis(), TimeUnit.MILLISECONDS);
        call.admission().whenComplete((_, _) -> end.cancel(false));
        shortCalls.enqueue(call);
        return call;
    }

    /**
     * Admits a request to the gateway itself.
     *
     * @throws StatusException with 429 if its caller has too many under way
     */
    public Share ofGateway(CallerName caller) {
        return gatewayCalls.take(caller);
    }

    /** How many short calls wait. */
    public int waiting() {
        return shortCalls.waiting();
    }

    /** Drops a removed cluster; its open requests still release their shares. */
    public void forget(ClusterName cluster) {
        clusters.remove(cluster);
    }

    private OfCluster ofCluster(Acting acting) {
        return clusters.computeIfAbsent(
                acting.entered().target().name(), _ -> new OfCluster(limits, shortCalls, longRunningBytes.ofCluster()));
    }

    private Share longRunning(OfCluster cluster, Acting acting) {
        Described described = acting.entered().described();
        boolean isWatch = described.info().verb().equals("watch");
        Runnable countBack = counted(isWatch ? cluster.watches : cluster.upgrades, acting);
        try {
            Runnable bytesBack = cluster.longRunningBytes.take(
                    acting.entered().identity().caller(), described, limit -> refusal(limit, acting));
            return new Share(() -> {
                bytesBack.run();
                countBack.run();
            });
        } catch (StatusException full) {
            countBack.run();
            throw full;
        }
    }

    /** Counts one more and returns what counts it no longer. */
    private Runnable counted(LongCalls calls, Acting acting) {
        CallerName caller = acting.entered().identity().caller();
        if (!calls.ofCaller.take(caller)) {
            throw refusal(calls.ofCaller.limit(), acting);
        }
        if (!calls.ofCluster.take()) {
            calls.ofCaller.giveBack(caller);
            throw refusal(calls.ofCluster.limit(), acting);
        }
        return () -> {
            calls.ofCluster.giveBack();
            calls.ofCaller.giveBack(caller);
        };
    }

    private static boolean isExempt(Acting acting, RequestInfo info) {
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

    private static boolean isHealthCheck(RequestInfo info) {
        return !info.resourceRequest() && info.verb().equals("get") && HEALTH.contains(info.path());
    }

    private StatusException refusal(Limit limit, Acting acting) {
        meter.reached(limit);
        RequestInfo info = acting.entered().described().info();
        return new StatusException(Status.withCause(
                429,
                "TooManyRequests",
                "too many requests: " + crowd(limit, acting) + " already (expected fewer at once, by " + limit.key()
                        + "; try again later)",
                "TooManyRequests",
                isEventWrite(info) ? 0 : RETRY_AFTER_SECONDS));
    }

    private String crowd(Limit limit, Acting acting) {
        String user = "user \"" + acting.entered().identity().user().name() + "\" has ";
        String cluster = "cluster \"" + acting.entered().target().name() + "\" has ";
        return switch (limit) {
            case SHORT_CALLS_PER_CALLER -> user + limits.shortCallsPerCallerMax() + " short calls in this cluster";
            case SHORT_CALLS_PER_CLUSTER -> cluster + limits.shortCallsPerClusterMax() + " short calls";
            case WATCHES_PER_CLUSTER -> cluster + limits.watchesPerClusterMax() + " watches";
            case WATCHES_PER_CALLER -> user + limits.watchesPerCallerMax() + " watches in this cluster";
            case LONG_RUNNING_BYTES_PER_CALLER -> user + "the bytes of its watches and streams in this cluster";
            case LONG_RUNNING_BYTES_PER_CLUSTER -> cluster + "the bytes of its watches and streams";
            case LONG_RUNNING_BYTES -> "the gateway has the bytes of its watches and streams";
            case UPGRADES_PER_CLUSTER -> cluster + limits.upgradesPerClusterMax() + UPGRADES;
            case UPGRADES_PER_CALLER -> user + limits.upgradesPerCallerMax() + UPGRADES + " in this cluster";
            case QUEUED_BYTES, QUEUED_BYTES_PER_CLUSTER -> user + "most of the calls that wait";
            default -> "the gateway has " + limits.shortCallsMax() + " short calls";
        };
    }

    /** Without {@code Retry-After} clients drop an event rather than add to the load. */
    private static boolean isEventWrite(RequestInfo info) {
        return info.resourceRequest() && info.resource().equals("events") && !info.isReadOnly();
    }

    /** Of one kind, in one cluster. */
    private record LongCalls(Quota ofCluster, CallerQuota ofCaller) {}

    /** What is under way in one cluster. */
    private static final class OfCluster {
        private final ShortCalls.OfCluster shortCalls;
        private final Quota healthChecks = new Quota(Limit.SHORT_CALLS_PER_CLUSTER, EXEMPT_HEALTH_CHECKS_MAX);
        private final LongCalls watches;
        private final LongRunningBytes.OfCluster longRunningBytes;
        private final LongCalls upgrades;

        OfCluster(LimitSettings limits, ShortCalls all, LongRunningBytes.OfCluster longRunningBytes) {
            this.longRunningBytes = longRunningBytes;
            shortCalls = all.ofCluster();
            watches = new LongCalls(
                    new Quota(Limit.WATCHES_PER_CLUSTER, limits.watchesPerClusterMax()),
                    new CallerQuota(Limit.WATCHES_PER_CALLER, limits.watchesPerCallerMax()));
            upgrades = new LongCalls(
                    new Quota(Limit.UPGRADES_PER_CLUSTER, limits.upgradesPerClusterMax()),
                    new CallerQuota(Limit.UPGRADES_PER_CALLER, limits.upgradesPerCallerMax()));
        }
    }
}
