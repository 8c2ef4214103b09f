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
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the guards of proxied watches. Any thread. */
public final class WatchGuards {
    /** The divisor of the direct memory that events of which the end has not come may take. */
    private static final int HELD_PARTS = 8;

    private final HistoryMode byDefault;
    private final HeldBytes memory;
    private final ClusterDirectory directory;
    private final Function<ClusterName, GuardMetrics> metrics;

    public WatchGuards(
            Configuration.TimeTravel settings,
            ClusterDirectory directory,
            Function<ClusterName, GuardMetrics> metrics) {
        this.byDefault = settings.mode();
        this.memory = HeldBytes.of(settings.eventBytesMax().bytes(), heldBytesMax(settings.heldBytesMax()));
        this.directory = directory;
        this.metrics = metrics;
    }

    /**
     * The guard of a watch.
     *
     * @param headers of its answer
     * @return empty if the watch is not guarded
     */
    public Optional<GuardedEvents> guard(ToAttached watch, MutableFields headers, GuardedEvents.Client client) {
        ClusterName cluster = watch.cluster().name();
        GroupResource resource = watch.described().info().groupResource();
        Supplier<HistoryMode> mode = () -> mode(cluster, resource);
        if (mode.get() == HistoryMode.OFF) {
            return Optional.empty();
        }
        EventFormat format =
                EventFormat.of(headers.get(FieldName.CONTENT_TYPE, ""), headers.get(FieldName.CONTENT_ENCODING, ""));
        return Optional.of(
                new GuardedEvents(format, start(watch.target().query()), mode, memory, metrics.apply(cluster), client));
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

    private static long heldBytesMax(@Nullable ByteSize given) {
        return given == null ? DirectMemory.bytesMax() / HELD_PARTS : given.bytes();
    }
}
