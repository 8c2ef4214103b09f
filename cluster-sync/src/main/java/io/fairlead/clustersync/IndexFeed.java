package io.fairlead.clustersync;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.IndexComparison;
import io.fairlead.index.Outcome;
import io.fairlead.index.Sync;
import io.fairlead.model.Repetitions;
import io.fairlead.model.ResourceVersion;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the events of one source to the ledger of its cluster: the ledger's only writer.
 *
 * <p>A complete list that is older than received events, or that no sequence of changes can lead to, proves that the
 * cluster's history was rewound or replaced: everything is dropped and listed again.
 *
 * <p>Threads: changes arrive one at a time; everything else from any thread. An epoch ends once, however many proofs there are.
 */
final class IndexFeed implements Consumer<TypeChange>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IndexFeed.class);
    private static final int PROBLEMS_REMEMBERED_MAX = 1_000;
    private static final int QUIET_ATTEMPTS = 5;

    private final ClusterLedger ledger;
    private final StatusBoard board;
    private final Executor executor;
    private final Replacement whenReplaced;
    private final Repetitions replacements = new Repetitions();
    private final Set<String> problemsLogged = new HashSet<>();
    private final AtomicLong endedEpoch = new AtomicLong();
    private volatile TypeSource.@Nullable Feed source;

    /** The head of what was forgotten, until a list shows whether that went on; empty if nothing was. */
    private volatile String forgottenHead = "";

    /** What else is to be done when the cluster's history proves to be another. */
    interface Replacement {
        /**
         * Called before the next epoch begins, or when that of other endpoints has begun; never blocks.
         *
         * @param shared the highest resource version at which both histories have the same object; empty if there is none
         * @param head the highest of the history that ended; empty if none was seen
         */
        void replaced(String shared, String head);
    }

    /** @param whenReplaced called when the cluster's history proves to be another, before the next epoch; never blocks */
    IndexFeed(ClusterLedger ledger, StatusBoard board, Executor executor, Replacement whenReplaced) {
        this.ledger = ledger;
        this.board = board;
        this.executor = executor;
        this.whenReplaced = whenReplaced;
    }

    void follow(TypeSource types) {
        source = types.open(this);
    }

    @Override
    public void accept(TypeChange change) {
        long epoch = ledger.view().evidence().epoch();
        Optional<String> otherHistory = otherHistory(change);
        if (otherHistory.isPresent()) {
            historyWasReplaced(epoch, otherHistory.get(), shared(change));
            return;
        }
        if (change instanceof TypeChange.Complete complete) {
            compareWithForgotten(complete);
        }
        Outcome outcome = apply(change);
        outcome.problems().forEach(this::logOnce);
        if (outcome.effect() == Outcome.Effect.STALE && change instanceof TypeChange.Complete complete) {
            historyWasReplaced(
                    epoch,
                    "a complete list is at resourceVersion " + complete.resourceVersion() + " and "
                            + ledger.view().evidence().resourceVersion() + " was seen before",
                    shared(change));
        } else {
            board.heard(change);
        }
    }

    /** Makes everything unknown until it is listed again, which {@link #restart} does. */
    void forget() {
        forgetSource();
        forgottenHead = ledger.view().evidence().resourceVersion();
        if (isFirstToEnd(ledger.view().evidence().epoch())) {
            ledger.nextEpoch();
        }
        board.forgotten("");
    }

    /** The cluster's head is lower than it was before in an epoch. */
    void fellBehind(long epoch) {
        historyWasReplaced(epoch, "a consistent list is at a lower resourceVersion than one before it", "");
    }

    /** The source is another cluster by now: what was known of the one before is dropped. */
    void moved(String why) {
        historyWasReplaced(ledger.view().evidence().epoch(), why, "");
    }

    /** Lists everything again. */
    void restart() {
        TypeSource.Feed feed = source;
        if (feed != null) {
            feed.restart();
        }
    }

    /** Retries whatever waits for another attempt. */
    void hurry() {
        TypeSource.Feed feed = source;
        if (feed != null) {
            feed.hurry();
        }
    }

    /** As {@link TypeSource.Feed#look}. */
    boolean look() {
        TypeSource.Feed feed = source;
        return feed != null && feed.look();
    }

    /** As {@link TypeSource.Feed#doubt}. */
    void doubt(HolderType type) {
        TypeSource.Feed feed = source;
        if (feed != null) {
            feed.doubt(type);
        }
    }

    /** As {@link TypeSource.Feed#silentNanos}. */
    long silentNanos() {
        TypeSource.Feed feed = source;
        return feed == null ? Long.MAX_VALUE : feed.silentNanos();
    }

    /** Compares index and source; empty if that is impossible now. */
    Optional<Boolean> matchesSource() {
        return quietly((view, holders) -> Set.copyOf(view.holders()).equals(Set.copyOf(holders)));
    }

    /** The difference between index and source, which the index counts; empty if either is not complete or the source not quiet. */
    Optional<IndexComparison> compare() {
        return quietly((view, holders) -> ledger.compare(holders));
    }

    /**
     * The difference between index and cluster, which is asked for what it has, and asked again if the difference may be what
     * was not heard of yet. Counted like that of {@link #compare}. Blocks.
     */
    Optional<IndexComparison> verify() {
        TypeSource.Feed feed = source;
        Optional<Collection<Holder>> holders = Optional.empty();
        for (int attempt = 0; feed != null && attempt < QUIET_ATTEMPTS; attempt++) {
            holders = ledger.view().sync() == Sync.UNSYNCED ? Optional.empty() : feed.ask();
            if (holders.isEmpty() || Set.copyOf(ledger.view().holders()).equals(Set.copyOf(holders.get()))) {
                break;
            }
        }
        return holders.map(ledger::compare);
    }

    @Override
    public void close() {
        TypeSource.Feed feed = source;
        if (feed != null) {
            feed.close();
        }
        ledger.close();
    }

    private Outcome apply(TypeChange change) {
        return switch (change) {
            case TypeChange.Complete complete ->
                ledger.relist(complete.types(), complete.holders(), complete.resourceVersion());
            case TypeChange.Upserted upserted -> ledger.upsert(upserted.holder());
            case TypeChange.Deleted deleted ->
                ledger.delete(deleted.type(), deleted.name(), deleted.uid(), deleted.resourceVersion());
            case TypeChange.Bookmark bookmark -> ledger.bookmark(bookmark.types(), bookmark.resourceVersion());
            case TypeChange.Lost lost -> ledger.markLost(lost.types());
            case TypeChange.Current current -> ledger.markCurrent(current.types());
            case TypeChange.Failed failed -> new Outcome(Outcome.Effect.UNCHANGED, List.of());
            case TypeChange.Replaced replaced -> new Outcome(Outcome.Effect.UNCHANGED, List.of());
        };
    }

    private Optional<String> otherHistory(TypeChange change) {
        return switch (change) {
            case TypeChange.Complete complete -> OtherHistory.proof(ledger.view(), complete);
            case TypeChange.Replaced replaced -> Optional.of(replaced.why());
            case TypeChange.Upserted _,
                    TypeChange.Deleted _,
                    TypeChange.Bookmark _,
                    TypeChange.Lost _,
                    TypeChange.Current _,
                    TypeChange.Failed _ -> Optional.empty();
        };
    }

    private String shared(TypeChange change) {
        return switch (change) {
            case TypeChange.Complete complete -> OtherHistory.shared(ledger.view(), complete);
            case TypeChange.Replaced replaced -> replaced.shared();
            case TypeChange.Upserted _,
                    TypeChange.Deleted _,
                    TypeChange.Bookmark _,
                    TypeChange.Lost _,
                    TypeChange.Current _,
                    TypeChange.Failed _ -> "";
        };
    }

    /** Other endpoints may lead to an older copy of the cluster: an epoch has begun already, but requests have to know. */
    private void compareWithForgotten(TypeChange.Complete list) {
        String head = forgottenHead;
        forgottenHead = "";
        if (ResourceVersion.isNewer(head, list.resourceVersion())) {
            LOG.atWarn()
                    .addKeyValue("cluster", ledger.cluster())
                    .addKeyValue("resourceVersion", list.resourceVersion())
                    .addKeyValue("before", head)
                    .log("Behind its new endpoints the cluster has an older history");
            whenReplaced.replaced("", head);
        }
    }

    private void forgetSource() {
        TypeSource.Feed feed = source;
        if (feed != null) {
            feed.forget();
        }
    }

    /**
     * What else the source reports of the ended history counts no more from here on, so that one rewind begins one epoch
     * even if several of its informers notice it. It lists again later and elsewhere: it holds its own locks during events.
     */
    private void historyWasReplaced(long epoch, String why, String shared) {
        if (!isFirstToEnd(epoch)) {
            return;
        }
        forgetSource();
        replacements
                .next(ledger.cluster())
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("cluster", ledger.cluster())
                        .addKeyValue("proof", why)
                        .addKeyValue("leftOut", leftOut)
                        .log("The cluster's history was replaced: its types are forgotten and listed again"));
        String head = ledger.view().evidence().resourceVersion();
        whenReplaced.replaced(shared, head.isEmpty() ? forgottenHead : head);
        forgottenHead = "";
        ledger.nextEpoch();
        board.forgotten(why);
        executor.execute(this::restart);
    }

    /** Whether no other proof has ended an epoch, nor other endpoints. */
    private boolean isFirstToEnd(long epoch) {
        return endedEpoch.getAndAccumulate(epoch, Math::max) < epoch;
    }

    private void logOnce(String problem) {
        if (problemsLogged.size() < PROBLEMS_REMEMBERED_MAX && problemsLogged.add(problem)) {
            LOG.atWarn()
                    .addKeyValue("cluster", ledger.cluster())
                    .addKeyValue("problem", problem)
                    .log("a type is not indexed");
        }
    }

    private <R> Optional<R> quietly(Comparison<R> comparison) {
        TypeSource.Feed feed = source;
        for (int attempt = 0; feed != null && attempt < QUIET_ATTEMPTS; attempt++) {
            ClusterView before = ledger.view();
            Optional<Collection<Holder>> holders = feed.recount();
            if (holders.isEmpty() || before.sync() == Sync.UNSYNCED) {
                return Optional.empty();
            }
            if (before.equals(ledger.view())) {
                return Optional.of(comparison.compare(before, holders.get()));
            }
        }
        return Optional.empty();
    }

    private interface Comparison<R> {
        R compare(ClusterView view, Collection<Holder> source);
    }
}
