package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.net.EndpointReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the findings about one cluster, and reports them when they differ: several changes at a time as one. */
final class StatusBoard implements AutoCloseable {
    private static final Finding NOT_PROBED = Finding.unknown("Pending", "the cluster was not asked yet");
    private static final Finding RUNTIME_NOT_PROBED = Finding.unknown("Pending", "the CRD runtime was not asked yet");
    private static final Finding LISTING = Finding.unknown("Listing", "the first complete list of types is under way");
    private static final Finding CONSISTENT =
            Finding.yes("Consistent", "no list of types contradicts what was known of the cluster before");
    private static final Finding SYNCED = Finding.yes("Synced", "the types of the cluster are known and followed");

    private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);

    /** The most unreadable definitions to name. */
    private static final int UNREAD_NAMED_MAX = 3;

    private final ClusterName cluster;
    private final ClusterLedger ledger;
    private final ClusterStatusSink sink;
    private final InstantSource clock;
    private final ScheduledExecutorService scheduler;
    private final Executor executor;
    private final Duration delay;
    private final Repetitions failures = new Repetitions();

    /** Held while a status is reported; taken before this object's own lock. */
    private final Object reporting = new Object();

    private final Set<HolderType> expected;
    private final Map<HolderType, Finding> types = new EnumMap<>(HolderType.class);
    private final Set<HolderType> completed = new HashSet<>();
    private Finding reachable;
    private Finding frontProxy = FrontProxyCheck.NOT_NEEDED;
    private String version = "";
    private @Nullable CrdRuntimeScope crdRuntime;
    private Finding crdRuntimeReachable = RUNTIME_NOT_PROBED;
    private Optional<Finding> historyConsistent;
    private Optional<ObservedIdentity> identity;
    private RewoundRevisions rewound = RewoundRevisions.NONE;
    private @Nullable Instant lastSyncTime;
    private List<EndpointFinding> endpoints = List.of();
    private @Nullable ClusterStatus reported;
    private @Nullable Future<?> flush;
    /** The message about the last replaced history; empty if none was. */
    private String replacement = "";

    private boolean closed;

    StatusBoard(
            ClusterLedger ledger,
            Set<HolderType> expected,
            ClusterStatusSink sink,
            InstantSource clock,
            ScheduledExecutorService scheduler,
            Executor executor,
            Duration delay,
            boolean probed) {
        this.cluster = ledger.cluster();
        this.ledger = ledger;
        this.expected = expected;
        this.sink = sink;
        this.clock = clock;
        this.scheduler = scheduler;
        this.executor = executor;
        this.delay = delay;
        this.reachable = probed ? NOT_PROBED : Finding.yes("Served", "the cluster is served here");
        this.historyConsistent = probed ? Optional.of(CONSISTENT) : Optional.empty();
        this.identity = probed ? Optional.of(ObservedIdentity.NOT_READ) : Optional.empty();
    }

    synchronized void probed(VersionProbe.Answer answer) {
        reachable = answer.reachable();
        if (!answer.version().isEmpty()) {
            version = answer.version();
        }
        changed();
    }

    /** Whether the API servers take Fairlead for a front proxy, where they need to. */
    synchronized void frontProxy(Finding found) {
        if (!found.equals(frontProxy)) {
            frontProxy = found;
            changed();
        }
    }

    /** Requests depend on which cluster it is: another one than before is reported at once. */
    synchronized void identified(ObservedIdentity observed) {
        String before = uid();
        identity = Optional.of(observed);
        if (before.isEmpty() || before.equals(uid())) {
            changed();
        } else {
            changedNow();
        }
    }

    private String uid() {
        return identity.flatMap(ObservedIdentity::fingerprint)
                .map(ClusterFingerprint::uid)
                .orElse("");
    }

    /** What is known of the API servers by now. On an event loop. */
    synchronized void endpoints(List<EndpointReport> reports) {
        endpoints = reports.stream().map(EndpointFinding::of).toList();
        // That nothing is known yet is no news: at a start it would be told before anything else.
        if (!reports.stream().map(EndpointReport::verdict).allMatch(EndpointReport.Unproven.class::isInstance)) {
            changed();
        }
    }

    /** A CRD runtime is named, or its servers changed. */
    synchronized void named(CrdRuntimeScope runtime) {
        crdRuntime = runtime;
        crdRuntimeReachable = RUNTIME_NOT_PROBED;
        changed();
    }

    /** A finding about a CRD runtime, if it is still the current one. */
    synchronized void found(CrdRuntimeScope runtime, Finding reachable) {
        if (runtime.equals(crdRuntime)) {
            crdRuntimeReachable = reachable;
            changed();
        }
    }

    /** No CRD runtime is named any more. */
    synchronized void left(CrdRuntimeScope runtime) {
        if (runtime.equals(crdRuntime)) {
            crdRuntime = null;
            changed();
        }
    }

    synchronized void heard(TypeChange change) {
        switch (change) {
            case TypeChange.Bookmark _ -> {
                return;
            }
            case TypeChange.Complete complete -> synced(complete.types());
            case TypeChange.Current current -> synced(current.types());
            case TypeChange.Lost lost -> lost.types().forEach(type -> types.put(type, lost.why()));
            case TypeChange.Failed failed -> failed.types().forEach(type -> failed(type, failed.why()));
            case TypeChange.Replaced replaced -> {}
            case TypeChange.Upserted upserted -> {}
            case TypeChange.Deleted deleted -> {}
        }
        changed();
    }

    /** The rewinds that are known by now; reported with the next change. */
    synchronized void rewound(RewoundRevisions known) {
        rewound = known;
    }

    /**
     * The types are listed from the beginning again.
     *
     * @param otherHistory the proof that the cluster's history was replaced; empty for another reason
     */
    synchronized void forgotten(String otherHistory) {
        types.clear();
        completed.clear();
        if (!otherHistory.isEmpty()) {
            replacement = "its history was replaced, by a backup or by another cluster's, which was noticed at "
                    + clock.instant().truncatedTo(ChronoUnit.SECONDS) + ": " + otherHistory;
            historyConsistent = historyConsistent.map(_ -> Finding.no("HistoryRewound", replacement));
        }
        changed();
    }

    /** Nothing is reported once it returns: another cluster may get the name. */
    @Override
    public void close() {
        synchronized (reporting) {
            end();
        }
    }

    private synchronized void end() {
        closed = true;
        if (flush != null) {
            flush.cancel(false);
        }
    }

    private void synced(Set<HolderType> some) {
        completed.addAll(some);
        settleHistory();
        some.forEach(type -> types.put(type, SYNCED));
        lastSyncTime = clock.instant();
    }

    /** The types are listed again; but that a history was replaced is told first, however soon that is. */
    private void settleHistory() {
        boolean isTold = reported != null && reported.historyConsistent().equals(historyConsistent);
        if (isTold && completed.containsAll(expected)) {
            historyConsistent = historyConsistent.map(_ -> CONSISTENT);
        }
    }

    /** A failed attempt is the reason for unknown types; known ones stay known until they are lost. */
    private void failed(HolderType type, Finding why) {
        if (!completed.contains(type)) {
            types.put(type, why);
        }
    }

    private void changed() {
        if (flush == null) {
            flushAfter(delay);
        }
    }

    private void changedNow() {
        if (flush != null) {
            flush.cancel(false);
        }
        flushAfter(Duration.ZERO);
    }

    private void flushAfter(Duration wait) {
        if (!closed) {
            flush = scheduler.schedule(this::flush, wait.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void flush() {
        try {
            executor.execute(this::report);
        } catch (RejectedExecutionException ended) {
            LOG.debug("Nothing is reported any more");
        } catch (Throwable e) {
            notReported(e);
        }
    }

    private void report() {
        try {
            synchronized (reporting) {
                Optional<ClusterStatus> news = news();
                if (news.isPresent()) {
                    sink.report(news.get());
                }
            }
        } catch (Throwable e) {
            notReported(e);
        }
    }

    /** The status to report; counts as reported from now on. */
    private synchronized Optional<ClusterStatus> news() {
        flush = null;
        ClusterStatus status = status();
        if (closed || status.equals(reported)) {
            return Optional.empty();
        }
        reported = status;
        settleHistory();
        if (!status.historyConsistent().equals(historyConsistent)) {
            changed();
        }
        return Optional.of(status);
    }

    /** A status that could not be written or computed is reported again, even without a change. */
    private void notReported(Throwable why) {
        synchronized (this) {
            flush = null;
            reported = null;
            changed();
        }
        failures.next(cluster)
                .ifPresent(leftOut -> LOG.atError()
                        .setCause(why)
                        .addKeyValue("cluster", cluster)
                        .addKeyValue("leftOut", leftOut)
                        .log("A cluster's status was not reported"));
    }

    private ClusterStatus status() {
        ClusterView view = ledger.view();
        return new ClusterStatus(
                cluster,
                reachable.status() == Finding.Status.TRUE && frontProxy.status() != Finding.Status.TRUE
                        ? frontProxy
                        : reachable,
                typesSynced(),
                crdRuntime == null ? Optional.empty() : Optional.of(crdRuntimeReachable),
                historyConsistent,
                identity,
                identity.map(_ -> Shadows.of(view).finding()),
                rewound,
                version,
                view.apiVersions().size(),
                resources(view),
                lastSyncTime,
                endpoints);
    }

    private static OptionalInt resources(ClusterView view) {
        Set<String> resources = new HashSet<>();
        for (Holder holder : view.holders()) {
            for (Contribution contribution : holder.contributions()) {
                switch (contribution.resources()) {
                    case Contribution.Resources.Listed listed ->
                        listed.names()
                                .forEach(name -> resources.add(
                                        name + "." + contribution.groupVersion().group()));
                    case Contribution.Resources.Unlisted _ -> {
                        return OptionalInt.empty();
                    }
                }
            }
        }
        return OptionalInt.of(resources.size());
    }

    private Finding typesSynced() {
        Finding worst = SYNCED;
        for (HolderType type : expected) {
            Finding finding = types.getOrDefault(type, LISTING);
            if (finding.status().compareTo(worst.status()) > 0 && worst.status() != Finding.Status.FALSE) {
                worst = finding;
            } else if (finding.status() == Finding.Status.FALSE) {
                worst = finding;
            }
        }
        return withUnread(replacement.isEmpty() ? worst : withReplacement(worst));
    }

    private Finding withUnread(Finding finding) {
        List<String> unread = ledger.view().holders().stream()
                .filter(holder -> holder.type() == HolderType.CRD && holder.defines() == null)
                .map(Holder::name)
                .toList();
        if (unread.isEmpty()) {
            return finding;
        }
        String more = unread.size() > UNREAD_NAMED_MAX ? ", …" : "";
        return new Finding(
                finding.status(),
                finding.reason(),
                finding.message() + "; " + unread.size()
                        + " definitions cannot be read, so that it is not known what they"
                        + " define: " + String.join(", ", unread.subList(0, Math.min(unread.size(), UNREAD_NAMED_MAX)))
                        + more);
    }

    /** Reported until Fairlead ends: types known since may differ from those known before. */
    private Finding withReplacement(Finding finding) {
        String reason = finding.equals(LISTING) ? "HistoryReplaced" : finding.reason();
        return new Finding(finding.status(), reason, finding.message() + "; " + replacement);
    }
}
