package io.fairlead.gateway.guard;

import io.fairlead.config.ByteSize;
import io.fairlead.config.Configuration;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.limits.DirectMemory;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.index.history.WatchCursor;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.HistoryMode;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.Status;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes the guards of proxied watches. Any thread. */
public final class WatchGuards {
    /** The divisor of the direct memory that events of which the end has not come may take. */
    private static final int HELD_PARTS = 8;

    private final HistoryMode byDefault;
    private final HeldBytes memory;
    private final ClusterDirectory directory;
    private final Function<ClusterName, GuardMetrics> metrics;
    private final ConcurrentMap<ClusterName, ClusterWatches> clusters = new ConcurrentHashMap<>();

    public WatchGuards(
            Configuration.TimeTravel settings,
            ClusterDirectory directory,
            Function<ClusterName, GuardMetrics> metrics) {
        this.byDefault = settings.mode();
        this.memory = HeldBytes.of(
                settings.eventBytesMax().bytes(),
                ByteSize.bytes(settings.heldBytesMax(), DirectMemory.bytesMax() / HELD_PARTS));
        this.directory = directory;
        this.metrics = metrics;
    }

    /** Whether the order of versions of what a request is about is enforced. */
    public boolean enforces(ToAttached request) {
        return mode(request.cluster().name(), request.described().info().groupResource()) == HistoryMode.ENFORCE;
    }

    /** Counts the histories of a cluster, as {@link #guard} compares it. */
    public long historyOf(ClusterName cluster) {
        ClusterWatches watches = clusters.get(cluster);
        return watches == null ? 0 : watches.rewinds();
    }

    /**
     * The guard of a watch. If the history of the cluster proved to be another since its request was sent, it ends the watch.
     *
     * @param history when the request was sent
     * @param headers of its answer
     * @return empty if the watch is not guarded
     */
    public Optional<GuardedEvents> guard(
            ToAttached watch, long history, MutableFields headers, GuardedEvents.Client client) {
        ClusterName cluster = watch.cluster().name();
        GroupResource resource = watch.described().info().groupResource();
        Supplier<HistoryMode> mode = () -> mode(cluster, resource);
        if (mode.get() == HistoryMode.OFF) {
            return Optional.empty();
        }
        ClusterWatches watches = watchesOf(cluster);
        EventFormat format =
                EventFormat.of(headers.get(FieldName.CONTENT_TYPE, ""), headers.get(FieldName.CONTENT_ENCODING, ""));
        GuardedEvents guard = new GuardedEvents(format, start(watch.target().query()), mode, memory, watches, client);
        if (watches.rewinds() != history) {
            guard.rewound(rewoundHistory(cluster));
        }
        return Optional.of(guard);
    }

    /** Ends the watches of a cluster whose history proved to be another. */
    public void rewound(ClusterName cluster) {
        watchesOf(cluster).rewound(rewoundHistory(cluster));
    }

    /** Ends the watches of a cluster that is not served any more. */
    public void withheld(ClusterName cluster) {
        String message =
                "Cluster \"" + cluster + "\" is not served any more, for the cluster that its endpoints lead to"
                        + " (expected a list, once it is served again, and a watch from there)";
        watchesOf(cluster).withheld(Status.withCause(410, "Expired", message, "ClusterIdentityConflict", 0));
    }

    /** Drops what is known of a removed cluster. */
    public void forget(ClusterName cluster) {
        clusters.remove(cluster);
    }

    private ClusterWatches watchesOf(ClusterName cluster) {
        ClusterWatches watches = clusters.computeIfAbsent(cluster, name -> new ClusterWatches(metrics.apply(name)));
        if (directory.lookup(cluster) instanceof ClusterEntry.NotRegistered) {
            forget(cluster); // The cluster was removed meanwhile, and nothing else would forget it.
        }
        return watches;
    }

    private static Status rewoundHistory(ClusterName cluster) {
        String message = "The history of cluster \"" + cluster + "\" was rewound or replaced, as by a backup that was"
                + " restored: the watch cannot go on (expected a list without resourceVersion, and a watch from there)";
        return Status.withCause(410, "Expired", message, "HistoryRewound", 0);
    }

    /** As the cluster's registration says now. */
    private HistoryMode mode(ClusterName cluster, GroupResource resource) {
        return directory.lookup(cluster) instanceof ClusterEntry.Attached registered
                ? registered.historyModes().of(resource, byDefault)
                : byDefault;
    }

    private static WatchCursor start(String query) {
        QueryParameters parameters = QueryParameters.of(query);
        String resourceVersion = parameters.first("resourceVersion");
        return WatchCursor.of(resourceVersion == null ? "" : resourceVersion, parameters.isTrue("sendInitialEvents"));
    }
}
