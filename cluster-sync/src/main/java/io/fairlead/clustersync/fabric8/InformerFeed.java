package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fairlead.clustersync.Backoff;
import io.fairlead.clustersync.Finding;
import io.fairlead.clustersync.Findings;
import io.fairlead.clustersync.SyncSettings;
import io.fairlead.clustersync.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.net.UpstreamFailure;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One informer of a cluster, kept going: fabric8's informer lists and watches, and whenever it gives up another takes its
 * place after a while.
 *
 * <pre>
 * LISTING  - the list is complete -> FOLLOWING      failed, or took too long -> WAITING
 * FOLLOWING- the server forgot the history -> LISTING   with the same informer
 *            the watch broke -> FOLLOWING           fabric8 watches again from where it was; lost if that takes too long
 *            gave up -> WAITING
 * WAITING  - back-off over, or hurried -> LISTING   with a new informer and a new store; the old store's account stands
 * any      - close -> CLOSED
 * </pre>
 *
 * <p>Threads: any, under the feed's lock. Lock order: store, then index; the feed's lock is never held while a store tells.
 */
final class InformerFeed<T extends HasMetadata> {
    /** How long fabric8 may try to watch again by itself before a hurry replaces it. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How long a watch that stands may be quiet: API servers send a bookmark each minute, and one may be late. */
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** Of a failure; one may lead back to itself. */
    private static final int CAUSES_MAX = 10;

    private enum State {
        LISTING,
        FOLLOWING,
        WAITING,
        CLOSED
    }

    /**
     * What an informer is made for.
     *
     * @param controllers the uid of what says what acts on the objects of a type; empty if nothing does
     */
    record Subject<T extends HasMetadata>(
            Class<T> type,
            String path,
            Set<HolderType> holderTypes,
            Function<T, Optional<Holder>> claims,
            Function<T, String> controllers,
            Supplier<T> shells) {}

    private final Subject<T> subject;
    private final Function<T, Optional<Holder>> claims;
    private final KubernetesClient client;
    private final SyncSettings settings;
    private final ListTurns turns;
    private final ScheduledExecutorService scheduler;
    private final Backoff backoff;
    private final Consumer<TypeChange> changes;

    private State state = State.WAITING;
    private @Nullable SharedIndexInformer<T> informer;
    private @Nullable StubStore<T> store;
    private @Nullable StubStore<T> account;
    private ListTurns.Turn turn;
    private int failures;
    /** Whether the server answered anything since it failed last. */
    private boolean heardOf;

    private @Nullable Future<?> retry;
    private @Nullable Future<?> listDeadline;
    private @Nullable Future<?> grace;
    private volatile boolean watchOpen;
    private long brokenSinceNanos;
    private boolean lost;
    private volatile boolean listedOnce;
    /** When the server last said something of what it serves. */
    private volatile long heardNanos;

    /** Whether the server was silent for so long that only a complete list says anew what it serves. */
    private volatile boolean lapsed;

    InformerFeed(
            Subject<T> subject,
            UnaryOperator<Holder> shared,
            KubernetesClient client,
            SyncSettings settings,
            ListTurns turns,
            ScheduledExecutorService scheduler,
            Backoff backoff,
            Consumer<TypeChange> changes) {
        this.subject = subject;
        this.claims = object -> subject.claims().apply(object).map(shared);
        this.client = client;
        this.settings = settings;
        this.turns = turns;
        this.turn = turns.none();
        this.scheduler = scheduler;
        this.backoff = backoff;
        this.changes = changes;
    }

    String path() {
        return subject.path();
    }

    /**
     * The turn of the list that is under way; one that is over if none is. fabric8 asks for a first page before {@link
     * ListBounds} hears of it.
     */
    synchronized ListTurns.Turn turn(boolean firstPage) {
        if (firstPage && state == State.FOLLOWING && store != null) {
            state = State.LISTING;
            listBegins(store);
        }
        return turn;
    }

    /** Lists anew with a new informer, whatever state the present one is in. */
    void start() {
        SharedIndexInformer<T> started;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            letGo();
            state = State.LISTING;
            StubStore<T> fresh =
                    new StubStore<>(subject.holderTypes(), claims, subject.controllers(), subject.shells(), changes);
            started = informerInto(fresh);
            store = fresh;
            informer = started;
            listBegins(fresh);
        }
        started.start();
    }

    /** The server was heard: tries now instead of waiting, unless a list is under way or the watch stands. */
    void hurry() {
        boolean idle;
        synchronized (this) {
            heardOf = true;
            turn.lives();
            idle = state == State.WAITING || (state == State.FOLLOWING && isBrokenForLong());
        }
        if (idle) {
            start();
        }
    }

    void close() {
        synchronized (this) {
            state = State.CLOSED;
            letGo();
            cancel(grace);
        }
    }

    Optional<List<Holder>> recount() {
        StubStore<T> current;
        synchronized (this) {
            current = account;
        }
        return current == null ? Optional.empty() : current.recount();
    }

    /** As {@link io.fairlead.clustersync.TypeSource.Feed#silentNanos}, of what this feed follows; takes no lock. */
    long silentNanos() {
        if (!listedOnce) {
            return Long.MAX_VALUE;
        }
        long silent = System.nanoTime() - heardNanos;
        return watchOpen && !lapsed && silent <= QUIET_NANOS ? 0 : Math.max(silent, 1);
    }

    /**
     * The watch said something. After a lapse that may be the first of many changes, or that the history is forgotten, so that
     * it does not count: a list is due.
     */
    void heard() {
        long now = System.nanoTime();
        if (lapsed) {
            return;
        }
        if (listedOnce && now - heardNanos > QUIET_NANOS) {
            lapsed = true;
            scheduler.execute(this::start);
            return;
        }
        heardNanos = now;
    }

    /** Notes what acts on the objects of the types that something controls, which was found out after their definitions came. */
    void implemented(String controller, String implementation) {
        stores().forEach(each -> each.implemented(controller, implementation));
    }

    /** The uids of what controls the objects that are known now, or are being listed. */
    Set<String> controllers() {
        Set<String> uids = new HashSet<>();
        stores().forEach(each -> uids.addAll(each.controllers()));
        return uids;
    }

    /** The one that is being filled, and the one whose account stands. */
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

    void watchOpened() {
        boolean found;
        boolean hadLapsed = lapsed;
        heard();
        synchronized (this) {
            if (hadLapsed && state == State.FOLLOWING) {
                scheduler.execute(this::start);
            }
            watchOpen = true;
            cancel(grace);
            grace = null;
            found = lost;
            lost = false;
        }
        if (found) {
            changes.accept(new TypeChange.Current(subject.holderTypes()));
        }
    }

    void watchClosed() {
        synchronized (this) {
            watchOpen = false;
            awaitOrLose();
        }
    }

    private SharedIndexInformer<T> informerInto(StubStore<T> fresh) {
        SharedIndexInformer<T> made = client.resources(subject.type())
                .withLimit((long) settings.pageSize())
                .runnableInformer(0);
        made.removeNamespaceIndex();
        made.itemStore(fresh);
        made.exceptionHandler((started, problem) -> false);
        made.addEventHandler(new ListBounds(fresh));
        made.stopped().whenComplete((ignored, problem) -> {
            if (problem != null) {
                gaveUp(fresh, findingOf(problem));
            }
        });
        return made;
    }

    private void listBegins(StubStore<T> of) {
        turn.end();
        turn = isDoubtful() ? turns.takeWithoutPlace() : turns.take(heardOf);
        listIsDueIn(settings.listTimeout().toNanos(), of);
    }

    /** Whether the server is not likely to answer soon: silent since a list failed, or two failed in a row. */
    private boolean isDoubtful() {
        return failures > 1 || (failures == 1 && !heardOf);
    }

    private void listIsDueIn(long nanos, StubStore<T> of) {
        cancel(listDeadline);
        listDeadline = scheduler.schedule(() -> listIsDue(of), nanos, TimeUnit.NANOSECONDS);
    }

    /** What it waited for its turn does not count. */
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
        listTookTooLong(of);
    }

    private void listed(StubStore<T> of, String resourceVersion) {
        ListTurns.Turn ending;
        synchronized (this) {
            if (of != store || state == State.CLOSED) {
                return;
            }
            ending = turn;
            state = State.FOLLOWING;
            failures = 0;
            heardOf = true;
            lapsed = false;
            heardNanos = System.nanoTime();
            listedOnce = true;
            cancel(listDeadline);
            if (account != null && account != of) {
                account.mute();
            }
            account = of;
            backoff.reset();
            lost = false;
            cancel(grace);
            grace = null;
            if (!watchOpen) {
                awaitOrLose();
            }
        }
        try {
            of.listed(resourceVersion);
        } finally {
            ending.end();
        }
    }

    private void listTookTooLong(StubStore<T> of) {
        gaveUp(
                of,
                Finding.no(
                        "ListTimeout",
                        "the list of " + subject.path() + " was not complete within "
                                + settings.listTimeout().toSeconds() + " s"));
    }

    private void gaveUp(StubStore<T> of, Finding why) {
        synchronized (this) {
            if (of != store || state == State.CLOSED || state == State.WAITING) {
                return;
            }
            letGo();
            failures++;
            heardOf = false;
            state = State.WAITING;
            Duration wait = backoff.next();
            retry = scheduler.schedule(this::start, wait.toNanos(), TimeUnit.NANOSECONDS);
            awaitOrLose();
        }
        changes.accept(new TypeChange.Failed(subject.holderTypes(), why));
    }

    /** Stops the informer; what its store told stands. */
    private void letGo() {
        cancel(retry);
        cancel(listDeadline);
        turn.end();
        watchOpen = false;
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

    private void awaitOrLose() {
        if (account != null && grace == null && !lost && state != State.CLOSED) {
            brokenSinceNanos = System.nanoTime();
            grace = scheduler.schedule(this::lose, settings.lostAfter().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private boolean isBrokenForLong() {
        return lost || (grace != null && System.nanoTime() - brokenSinceNanos > PATIENCE_NANOS);
    }

    private void lose() {
        synchronized (this) {
            grace = null;
            if (watchOpen || state == State.CLOSED) {
                return;
            }
            lost = true;
            lapsed = true;
        }
        changes.accept(new TypeChange.Lost(
                subject.holderTypes(),
                Finding.no(
                        "WatchLost",
                        "no watch of " + subject.path() + " stands for "
                                + settings.lostAfter().toSeconds() + " s")));
    }

    private Finding findingOf(Throwable problem) {
        UpstreamFailure failure = UpstreamException.in(problem);
        if (failure != null) {
            return Findings.of(failure);
        }
        for (Throwable cause : causes(problem)) {
            if (cause instanceof KubernetesClientException answer && answer.getCode() >= 400) {
                return Findings.ofAnswer(answer.getCode(), subject.path(), detailOf(answer));
            }
        }
        return Finding.no(
                "ListFailed",
                "the answer to " + subject.path() + " is no list of "
                        + subject.type().getSimpleName());
    }

    private static List<Throwable> causes(Throwable problem) {
        return Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .limit(CAUSES_MAX)
                .toList();
    }

    private static String detailOf(KubernetesClientException answer) {
        return answer.getStatus() == null ? "" : Claims.text(answer.getStatus().getMessage());
    }

    private static void cancel(@Nullable Future<?> future) {
        if (future != null) {
            future.cancel(false);
        }
    }

    /** Tells the store where lists begin and end; single changes reach it by themselves. */
    private final class ListBounds implements ResourceEventHandler<T> {
        private final StubStore<T> fresh;

        ListBounds(StubStore<T> fresh) {
            this.fresh = fresh;
        }

        @Override
        public void onBeforeList(String lastSyncResourceVersion) {
            fresh.listing();
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            listed(fresh, resourceVersion);
        }

        @Override
        public void onAdd(T object) {}

        @Override
        public void onUpdate(T old, T object) {}

        @Override
        public void onDelete(T object, boolean finalStateUnknown) {}
    }
}
