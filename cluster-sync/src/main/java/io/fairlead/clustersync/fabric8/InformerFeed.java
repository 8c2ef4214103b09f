package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.history.InformerDecision;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One informer of a cluster, kept running: fabric8's informer lists and watches, and when it gives up another replaces
 * it after a delay.
 *
 * <pre>
 * LISTING  - the list is complete -> FOLLOWING      failed, or took too long -> WAITING
 * FOLLOWING- the server compacted the history -> LISTING   with the same informer
 *            the watch broke -> FOLLOWING           fabric8 watches again from where it was; lost if that takes too long
 *            the known objects cannot be confirmed -> LISTING   with a new informer and a new store
 *            gave up -> WAITING
 * WAITING  - back-off over, or hurried -> LISTING   with a new informer and a new store; the old store's account stands
 * any      - close -> CLOSED
 * </pre>
 *
 * <p>Threads: any, under the feed's lock. Lock order: store, then index; the feed's lock is never held during a store's
 * events.
 */
final class InformerFeed<T extends HasMetadata> {
    /** How long an unreachable server is probed more often. */
    private static final long SOUGHT_NANOS = TimeUnit.MINUTES.toNanos(10);

    private enum State {
        LISTING,
        FOLLOWING,
        WAITING,
        CLOSED
    }

    private final Subject<T> subject;
    private final Function<T, Optional<Holder>> claims;
    private final FeedContext context;
    private final SyncSettings settings;
    private final Executor executor;
    private final ListPace pace;
    private final HistoryReports reports;
    private final Confidence confidence;
    private final Silence silence;
    private final WatchGap gap;
    private final Breakdowns breakdowns;

    private State state = State.WAITING;
    private @Nullable SharedIndexInformer<T> informer;
    /** Written under the lock. */
    private volatile @Nullable StubStore<T> store;

    private @Nullable StubStore<T> account;
    private ListLimiter.Turn turn;
    private @Nullable Future<?> retry;
    private @Nullable Future<?> listDeadline;
    private long doubtsAtBeginOfList;

    /** Why there is no watch, if the server may not be listed again soon; null otherwise. */
    private @Nullable Finding excess;

    InformerFeed(
            Subject<T> subject,
            UnaryOperator<Holder> shared,
            FeedContext context,
            ListPace pace,
            HistoryReports reports) {
        this.subject = subject;
        this.claims = object -> subject.claims().apply(object).map(shared);
        this.context = context;
        this.settings = context.settings();
        this.executor = context.executor();
        this.turn = context.turns().none();
        this.pace = pace;
        this.reports = reports;
        this.silence = new Silence(context.nanoTime());
        this.gap = new WatchGap(context.nanoTime(), context.scheduler(), settings.lostAfter(), this::lose);
        this.breakdowns = new Breakdowns(subject.path());
        this.confidence = new Confidence(
                new Followed(),
                () -> context.censuses().take(subject.path()),
                context.nanoTime(),
                context.scheduler(),
                executor);
    }

    Subject<T> subject() {
        return subject;
    }

    /**
     * The permit of the current list; an ended one if there is none. fabric8 requests a first page before
     * {@link ListBounds} gets a call.
     */
    synchronized ListLimiter.Turn turn(boolean firstPage) {
        if (firstPage && state == State.FOLLOWING && store != null) {
            noteReturn();
            if (!pace.isSteady()) {
                StubStore<T> forgotten = store;
                executor.execute(() -> gaveUp(forgotten, ListPace.tooSoon(subject.path())));
                return context.turns().none();
            }
            state = State.LISTING;
            listBegins(store);
        }
        return turn;
    }

    /** Lists again with a new informer, whatever the present state. */
    void start() {
        try {
            begin();
        } catch (RejectedExecutionException ended) {
            throw ended; // Closed meanwhile.
        } catch (RuntimeException | Error e) {
            gaveUp(null, breakdowns.of(e));
        }
    }

    private void begin() {
        StubStore<T> fresh;
        SharedIndexInformer<T> started;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            letGo();
            state = State.LISTING;
            // Here, so that of two that begin at once the one for the ended history is not the one that stays.
            fresh = new StubStore<>(
                    subject.holderTypes(),
                    settings.objectsMax(),
                    context.kept().ofStore(),
                    claims,
                    subject.controllers(),
                    subject.shells(),
                    this::travelled,
                    reports.ofPresentHistory());
            started = informerInto(fresh);
            store = fresh;
            informer = started;
            listBegins(fresh);
        }
        try {
            started.start();
        } catch (IllegalStateException stopped) {
            if (isCurrent(fresh)) {
                throw stopped;
            } // Otherwise another replaced it before it had started.
        }
    }

    private synchronized boolean isCurrent(StubStore<T> one) {
        return one == store;
    }

    /**
     * The server answered another request: tries now instead of waiting, unless a list is in progress or a watch
     * established.
     */
    void hurry() {
        boolean idle;
        synchronized (this) {
            pace.heard();
            turn.lives();
            idle = (state == State.WAITING && pace.isAwaited()) || (state == State.FOLLOWING && gap.isLong());
            if (idle) {
                pace.returned();
            }
        }
        if (idle) {
            start();
        }
    }

    /**
     * Confirms the known objects if the watch is silent.
     *
     * @return whether to probe the server, since it is unreachable
     */
    boolean look() {
        StubStore<T> present = store;
        if (present != null) {
            present.look();
        }
        if (confidence.isWatching() && silence.isQuiet()) {
            confidence.confirm();
        }
        synchronized (this) {
            return state != State.CLOSED && !confidence.isWatching() && gap.isLong() && !gap.isLongerThan(SOUGHT_NANOS);
        }
    }

    /**
     * A followed object was changed by another path: until the watch has reported that, the known objects are in doubt.
     */
    void doubt() {
        confidence.raise();
        executor.execute(confidence::confirm);
    }

    void close() {
        synchronized (this) {
            state = State.CLOSED;
            letGo();
            gap.end();
        }
    }

    Optional<List<Holder>> recount() {
        StubStore<T> current;
        synchronized (this) {
            current = account;
        }
        return current == null ? Optional.empty() : current.recount();
    }

    /**
     * The holders on the server now, by a separate list. Blocks.
     *
     * @throws KubernetesClientException if the server does not answer with a list
     */
    List<Holder> ask(KubernetesClient asking) {
        return subject.list(asking, settings.pageSize()).stream()
                .filter(Objects::nonNull)
                .flatMap(object -> claims.apply(object).stream())
                .toList();
    }

    /**
     * As {@link io.fairlead.clustersync.source.TypeSource.Feed#silentNanos}, for this feed's objects; takes no lock.
     */
    long silentNanos() {
        return confidence.isInDoubt() ? Long.MAX_VALUE : silence.nanos(confidence.isWatching());
    }

    /** The watch received something; takes no lock. */
    void heard() {
        if (silence.heard()) {
            executor.execute(this::start);
        }
    }

    /** Records the controller of the types that an owner has, if it became known after their definitions. */
    void implemented(String controller, String implementation) {
        stores().forEach(each -> each.implemented(controller, implementation));
    }

    /** The uids of the owners of the objects that are known or being listed. */
    Set<String> controllers() {
        Set<String> uids = new HashSet<>();
        stores().forEach(each -> uids.addAll(each.controllers()));
        return uids;
    }

    /** The store that is being filled, and the one with the current objects. */
    private synchronized Set<StubStore<T>> stores() {
        Set<StubStore<T>> stores = new HashSet<>();
        if (store != null) {
            stores.add(store);
        }
        if (account != null) {
            stores.add(account);
        }
        return stores;
    }

    /** As {@link WatchObserver#begins}; takes the lock of the store alone. */
    String watchBegins(String resourceVersion) {
        StubStore<T> present = store;
        return present == null ? resourceVersion : present.resume(resourceVersion);
    }

    /** As {@link WatchObserver#stands}; takes no lock. */
    void watchStands() {
        confidence.stands();
    }

    /** As {@link WatchObserver#ended}; takes no lock. */
    void watchEnded(boolean stood, boolean orderly) {
        confidence.ended(stood, orderly);
    }

    void watchOpened(String resourceVersion) {
        boolean found;
        boolean hadLapsed = silence.hasLapsed();
        heard();
        synchronized (this) {
            if (hadLapsed && state == State.FOLLOWING) {
                executor.execute(this::start);
            }
            noteReturn();
            found = gap.end();
        }
        if (found) {
            reports.report(new TypeChange.Current(subject.holderTypes()));
        }
        confidence.opened(resourceVersion);
    }

    void watchClosed() {
        synchronized (this) {
            if (!confidence.isWatching()) {
                awaitOrLose();
            }
        }
    }

    private SharedIndexInformer<T> informerInto(StubStore<T> fresh) {
        SharedIndexInformer<T> made = subject.informer(context.client(), pace.pageSize(), fresh);
        fresh.fedBy(
                made::lastSyncResourceVersion,
                tooMuch -> executor.execute(() -> gaveUp(fresh, ListFailure.of(tooMuch))));
        made.addEventHandler(new ListBounds<>(fresh::listing, resourceVersion -> listed(fresh, resourceVersion)));
        made.stopped().whenComplete((ignored, problem) -> {
            if (problem != null) {
                gaveUp(fresh, ListFailure.of(problem, subject, context.withoutCredential()));
            }
        });
        return made;
    }

    private void listBegins(StubStore<T> of) {
        turn.end();
        of.listing(); // fabric8 says so on another thread than that of the list, so perhaps later than the first page.
        doubtsAtBeginOfList = confidence.listBegins();
        turn = pace.isDoubtful()
                ? context.turns().takeWithoutPlace()
                : context.turns().take(pace.isHeardOf());
        listIsDueIn(settings.listTimeout().toNanos(), of);
    }

    private void listIsDueIn(long nanos, StubStore<T> of) {
        cancel(listDeadline);
        listDeadline = context.scheduler().schedule(() -> listIsDue(of), nanos, TimeUnit.NANOSECONDS);
    }

    /** The wait for a permit does not count. */
    private void listIsDue(StubStore<T> of) {
        synchronized (this) {
            if (of != store || state != State.LISTING) {
                return;
            }
            long left = settings.listTimeout().toNanos() - turn.spentNanos();
            if (left > 0) {
                listIsDueIn(left, of);
                return;
            }
        }
        gaveUp(of, ListFailure.notComplete(subject.path(), settings.listTimeout()));
    }

    private void listed(StubStore<T> of, String resourceVersion) {
        ListLimiter.Turn ending;
        long began;
        synchronized (this) {
            if (of != store || state == State.CLOSED) {
                return;
            }
            ending = turn;
            state = State.FOLLOWING;
            silence.listed();
            excess = null;
            cancel(listDeadline);
            if (account != null && account != of) {
                account.mute();
            }
            account = of;
            pace.listed();
            gap.end();
            if (!confidence.isWatching()) {
                awaitOrLose();
            }
            began = doubtsAtBeginOfList;
        }
        try {
            of.listed(resourceVersion);
            confidence.listed(began);
        } finally {
            ending.end();
        }
    }

    /** @param of the store of the failed list; null without a list, which leaves nothing else to try again */
    private void gaveUp(@Nullable StubStore<T> of, ListFailure why) {
        synchronized (this) {
            boolean isOver = of != null && (of != store || state == State.WAITING);
            if (isOver || state == State.CLOSED) {
                return;
            }
            letGo();
            state = State.WAITING;
            Duration wait = pace.after(why);
            excess = why.excess() == ListFailure.Excess.NONE ? null : why.finding();
            retry = context.scheduler().schedule(this::start, wait.toNanos(), TimeUnit.NANOSECONDS);
            awaitOrLose();
        }
        reports.report(new TypeChange.Failed(subject.holderTypes(), why.finding()));
    }

    /** Stops the informer; its store stays current. */
    private void letGo() {
        cancel(retry);
        cancel(listDeadline);
        turn.end();
        SharedIndexInformer<T> stopping = informer;
        informer = null;
        if (store != null) {
            store.leave();
        }
        if (store != null && store != account) {
            store.mute();
        }
        store = null;
        if (stopping != null) {
            stopping.stop();
        }
        if (state == State.CLOSED && account != null) {
            account.mute();
        }
    }

    /** An event is behind one before it; its store is locked. */
    private void travelled(InformerDecision decision) {
        context.travels().accept(decision);
        if (decision.action() == InformerDecision.Action.RELIST) {
            executor.execute(this::relist);
        }
    }

    /** The watch cannot be relied on; one that goes back again soon has to wait. */
    private void relist() {
        StubStore<T> left;
        synchronized (this) {
            if (state != State.FOLLOWING) {
                return;
            }
            left = pace.isSteady() ? null : store;
        }
        if (left == null) {
            start();
        } else {
            gaveUp(left, ListFailure.wentBackwards(subject.path()));
        }
    }

    private void awaitOrLose() {
        if (account != null && state != State.CLOSED) {
            gap.begin();
        }
    }

    /** The server answers: no back-off is needed. */
    private void noteReturn() {
        if (gap.isLong()) {
            pace.returned();
        }
    }

    private void lose() {
        Finding why;
        synchronized (this) {
            if (confidence.isWatching() || state == State.CLOSED) {
                gap.end();
                return;
            }
            gap.lose();
            silence.lapse();
            why = excess == null ? subject.unwatched(settings.lostAfter()) : excess;
        }
        reports.report(new TypeChange.Lost(subject.holderTypes(), why));
    }

    private static void cancel(@Nullable Future<?> future) {
        if (future != null) {
            future.cancel(false);
        }
    }

    /** The objects that confidence applies to. */
    private final class Followed implements Confidence.Feed {
        @Override
        public @Nullable StubStore<?> followed() {
            synchronized (InformerFeed.this) {
                return state == State.FOLLOWING ? store : null;
            }
        }

        @Override
        public void confirmed(long nanoTime) {
            silence.confirmed(nanoTime);
        }

        @Override
        public void unconfirmed() {
            start();
        }

        @Override
        public String path() {
            return subject.path();
        }
    }
}
