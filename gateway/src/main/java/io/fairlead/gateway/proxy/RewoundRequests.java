package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.index.history.Histories;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Requests to attached clusters that continue a history which has ended: their cluster was restored from a backup, and they name a
 * resourceVersion of before. An API server would make one wait whose version is above its own, and answer another from
 * its new history, as if nothing were missing in between.
 *
 * <p>Versions of API services and of events are not judged: their servers may have stores of their own, whose versions have
 * nothing to do with those of the cluster's types. What is asked of a workload behind {@code proxy} is the workload's. Any
 * thread.
 */
public final class RewoundRequests {
    private static final String CAUSE = "HistoryRewound";
    private static final String PARAMETER = "resourceVersion";

    private final Histories histories;
    private final Predicate<ToAttached> isEnforced;

    /**
     * The judge of requests.
     *
     * @param histories of the clusters
     * @param isEnforced whether the order of versions of what a request is about is enforced
     */
    public RewoundRequests(Histories histories, Predicate<ToAttached> isEnforced) {
        this.histories = histories;
        this.isEnforced = isEnforced;
    }

    /** Whether a request may have to be refused. */
    public boolean concerns(ToAttached request) {
        RequestInfo info = request.described().info();
        return info.resourceRequest()
                && isRead(info.verb())
                && request.target().query().contains(PARAMETER)
                && !(request.route() instanceof Route.ToAggregated)
                && !info.subresource().equals("proxy")
                && !isEvents(info)
                && isEnforced.test(request);
    }

    /** Why a request is refused, if it is; never fails. Completed already unless the cluster has to be asked. */
    public CompletionStage<Optional<Status>> refusal(ToAttached request) {
        String named = Objects.requireNonNullElse(
                QueryParameters.of(request.target().query()).first(PARAMETER), "");
        return histories
                .judge(request.cluster().name(), named)
                .thenApply(found -> found.isExpired() ? Optional.of(expired(request, named)) : Optional.empty());
    }

    /** As an API server answers a request for a version that it has compacted. */
    private static Status expired(ToAttached request, String named) {
        String message = "too old resource version: " + named + ": the history of cluster \""
                + request.cluster().name()
                + "\" was rewound or replaced, as by a backup that was restored, and the version is of the history that"
                + " ended (expected a list without resourceVersion, and a watch from there)";
        return Status.withCause(410, "Expired", message, CAUSE, 0);
    }

    private static boolean isRead(String verb) {
        return verb.equals("list") || verb.equals("watch") || verb.equals("get");
    }

    private static boolean isEvents(RequestInfo info) {
        return info.resource().equals("events")
                && (info.group().isEmpty() || info.group().equals("events.k8s.io"));
    }
}
