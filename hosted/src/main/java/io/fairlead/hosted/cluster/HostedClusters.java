package io.fairlead.hosted.cluster;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.Vitals;
import io.fairlead.hosted.controller.EventExpiry;
import io.fairlead.hosted.controller.KeyQueue;
import io.fairlead.hosted.crd.Converters;
import io.fairlead.hosted.identity.SigningKeyIds;
import io.fairlead.hosted.kinds.BuiltInKinds;
import io.fairlead.hosted.kinds.data.DataKinds;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.verbs.AnswerCapacity;
import io.fairlead.hosted.view.ClusterViews;
import io.fairlead.hosted.watchcache.EventMemory;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Recurring;
import io.fairlead.model.Repetitions;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosted clusters of one store.
 *
 * <p>Each cluster's data is stored below a prefix with its uid, so that a cluster that is deleted and created again
 * under the same name starts empty. Owns the thread that follows the store's log and everything its clusters start;
 * does not own the store or the scheduler.
 *
 * <p>Threads: any.
 */
public final class HostedClusters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostedClusters.class);
    private static final Repetitions TOLD = new Repetitions();
    private static final int LOCKS = 64;

    private final RevisionedStore store;
    private final RevisionFeed log;
    private final ControlPlane.Shared shared;
    private final ClusterRecords records;
    private final List<BuiltInKind> rootKinds;
    private final Map<ClusterName, ControlPlane> open = new ConcurrentHashMap<>();
    private final List<Lock> locks =
            IntStream.range(0, LOCKS).<Lock>mapToObj(i -> new ReentrantLock()).toList();
    private final EventExpiry eventExpiry;
    private final ReentrantLock sweeping = new ReentrantLock();
    private final ScheduledFuture<?> compaction;
    private final ScheduledFuture<?> sweeps;
    /** Completes deletions that a refused write, a hanging disk, or a process stop interrupted. */
    private final KeyQueue deletions;

    private final ClusterArchives archives;
    /** By uid: closed clusters whose last writes the store still executes. */
    private final Map<String, ControlPlane> ending = new ConcurrentHashMap<>();

    private volatile long compactable;
    private volatile boolean shuttingDown;

    /** Clusters that decide about their writes alone. */
    public HostedClusters(
            RevisionedStore store,
            HostedSettings settings,
            ClusterViews.Factory views,
            List<BuiltInKind> rootKinds,
            String rootCertificates,
            InstantSource clock,
            ScheduledExecutorService scheduler) {
        this(
                store,
                settings,
                views,
                CommitHook.NONE,
                ConversionWebhooks.NONE,
                rootKinds,
                rootCertificates,
                clock,
                scheduler);
    }

    /**
     * Subscribes to the store; opens no cluster.
     *
     * @param beforeCommit asked about each object of any cluster just before it is stored
     * @param webhooks calls the conversion webhooks of definitions
     * @param rootKinds kinds that {@link ClusterName#ROOT} serves in addition to the ordinary ones
     * @param rootCertificates PEM certificates that verify this server, for {@code kube-root-ca.crt}; empty if unknown
     */
    public HostedClusters(
            RevisionedStore store,
            HostedSettings settings,
            ClusterViews.Factory views,
            CommitHook beforeCommit,
            ConversionWebhooks webhooks,
            List<BuiltInKind> rootKinds,
            String rootCertificates,
            InstantSource clock,
            ScheduledExecutorService scheduler) {
        this.store = new LoggedStore(store, clock);
        EventMemory events = new EventMemory(settings.memory());
        this.log = new RevisionFeed(this.store, events);
        this.shared = new ControlPlane.Shared(
                this.store,
                log,
                settings,
                views,
                new Vitals(store::isSound, () -> shuttingDown),
                beforeCommit,
                Converters.Shared.of(webhooks, settings),
                rootCertificates,
                clock,
                scheduler,
                new AnswerCapacity(settings.memory()),
                events,
                ClusterBudget.ofDefinitions(
                        settings.memory().definitions(), settings.memory().reached()),
                ClusterBudget.ofKept(settings.memory().kept(), settings.memory().reached()),
                new SigningKeyIds(this.store, ClusterRecords.SIGNING_KEYS));
        this.records = new ClusterRecords(this.store);
        this.rootKinds = List.copyOf(rootKinds);
        records.settleNames();
        this.deletions = new KeyQueue("cluster-deletion", this::deleteData, scheduler);
        this.archives = new ClusterArchives(
                this.store, records, shared.definitions(), settings.objectBytesMax(), clock, deletions::add);
        this.compactable = store.compactedRevision();
        this.eventExpiry = new EventExpiry(settings.eventLifetime());
        long millis = settings.compactionInterval().toMillis();
        // Not at a fixed rate: what a pause of the process left out would follow at once, and keep no history.
        this.compaction = scheduler.scheduleWithFixedDelay(
                new Recurring("compaction", this::compact, HostedClusters::failed),
                millis,
                millis,
                TimeUnit.MILLISECONDS);
        ThreadFactory sweeper = Thread.ofVirtual().name("event-expiry").factory();
        long sweep = EventExpiry.INTERVAL.toMillis();
        this.sweeps = scheduler.scheduleAtFixedRate(
                new Recurring(
                        "event-expiry", () -> sweeper.newThread(this::sweep).start(), HostedClusters::failed),
                0,
                sweep,
                TimeUnit.MILLISECONDS);
        records.condemned().forEach(deletions::add);
        deletions.start();
    }

    /** Opens a cluster with {@link BuiltIns#CORE}. */
    public HostedCluster open(ClusterName name) {
        return open(name, BuiltIns.CORE);
    }

    /**
     * Opens a cluster, creating it first if it is new; answers the open one if it is open already.
     *
     * @param builtIns the kinds that it serves; if its data were made with all of them, it serves all of them
     */
    public HostedCluster open(ClusterName name, BuiltIns builtIns) {
        Lock lock = lock(name);
        lock.lock();
        try {
            ControlPlane known = open.get(name);
            if (known != null) {
                return known;
            }
            ClusterRecords.Incarnation incarnation = records.findOrCreate(name, builtIns);
            ControlPlane opened = new ControlPlane(name, incarnation, shared, kindsOf(name, incarnation.builtIns()));
            try {
                opened.start();
            } catch (RuntimeException | Error e) {
                opened.close();
                throw e;
            }
            open.put(name, opened);
            return opened;
        } finally {
            lock.unlock();
        }
    }

    /** The cluster if it is open. */
    public @Nullable HostedCluster get(ClusterName name) {
        return open.get(name);
    }

    /**
     * Whether caches, watches and rights include all writes except those of the last moments. Otherwise requests are
     * refused rather than decided by stale rights.
     */
    public boolean isCurrent() {
        return Follower.isCurrent(log);
    }

    /** From now on no cluster is ready ({@code shutdown} in its {@code /readyz}); all are served as before. */
    public void shutDown() {
        shuttingDown = true;
    }

    /** What clusters have, to be kept elsewhere or brought here. */
    public ClusterArchives archives() {
        return archives;
    }

    /** Whether a hosted cluster, open or not, signs tokens by a key of this id. The first question reads the store. */
    public boolean hasSigningKey(String keyId) {
        return shared.signingKeys().has(keyId);
    }

    /** The names of all clusters that have data, open or not. */
    public Set<ClusterName> stored() {
        return records.names();
    }

    /** Ends a cluster's watches and controllers and keeps its data; nothing happens if it is not open. */
    public void close(ClusterName name) {
        close(name, ControlPlane.LAST_WRITES);
    }

    /** As {@link #close(ClusterName)}, waiting for its writes under way for so long. */
    void close(ClusterName name, Duration lastWrites) {
        Lock lock = lock(name);
        lock.lock();
        try {
            ControlPlane cluster = open.remove(name);
            if (cluster != null && !cluster.close(lastWrites)) {
                ending.put(cluster.uid(), cluster);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes a cluster and deletes its data; nothing happens if there is none. What a refused write leaves behind is
     * deleted later, or after the next start.
     */
    public void delete(ClusterName name) {
        Lock lock = lock(name);
        lock.lock();
        try {
            close(name);
            String uid = records.condemn(name);
            if (uid != null) {
                try {
                    records.free(uid);
                } finally {
                    deleteNowOrLater(uid);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        compaction.cancel(false);
        sweeps.cancel(false);
        deletions.close();
        long deadlineNanos = System.nanoTime() + ControlPlane.LAST_WRITES.toNanos();
        for (ClusterName name : List.copyOf(open.keySet())) {
            close(name, Duration.ofNanos(deadlineNanos - System.nanoTime()));
        }
        log.close();
    }

    private void deleteNowOrLater(String uid) {
        try {
            if (deleteData(uid)) {
                return;
            }
        } catch (StoreException refused) {
            if (!LoggedStore.isTold(refused)) {
                TOLD.next("deletion")
                        .ifPresent(leftOut -> LOG.atError()
                                .setCause(refused)
                                .addKeyValue("uid", uid)
                                .addKeyValue("leftOut", leftOut)
                                .log("A cluster's data could not be deleted yet"));
            }
        }
        deletions.add(uid);
    }

    /** Whether no data is left; a write still in progress could be committed after the deletion. */
    private boolean deleteData(String uid) {
        ControlPlane cluster = ending.get(uid);
        if (cluster != null && !cluster.hasEndedWrites(Duration.ZERO)) {
            return false;
        }
        ending.remove(uid);
        shared.signingKeys().forget(ClusterRecords.signingKeys(uid));
        return records.deleteData(uid);
    }

    private void sweep() {
        sweepEvents();
        archives.abandonIdle();
    }

    /** Deletes expired events of open clusters; does nothing while another sweep runs. */
    void sweepEvents() {
        if (!sweeping.tryLock()) {
            return;
        }
        try {
            long expired = eventExpiry.expired(shared.clock().instant(), store.revision());
            if (expired > 0) {
                open.values().forEach(cluster -> cluster.deleteEvents(expired));
            }
        } catch (StoreException e) {
            if (!LoggedStore.isTold(e)) {
                LOG.atError().setCause(e).log("Old events could not be deleted");
            }
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("Old events could not be deleted");
        } finally {
            sweeping.unlock();
        }
    }

    private List<BuiltInKind> kindsOf(ClusterName name, BuiltIns builtIns) {
        if (!name.equals(ClusterName.ROOT)) {
            return switch (builtIns) {
                case CORE -> BuiltInKinds.all();
                case ALL ->
                    Stream.concat(BuiltInKinds.all().stream(), DataKinds.all().stream())
                            .toList();
            };
        }
        List<BuiltInKind> kinds = new ArrayList<>(BuiltInKinds.ofRoot());
        kinds.addAll(rootKinds);
        return kinds;
    }

    /** Compacts to the revision of the previous call, so that at least one interval of history stays. */
    private void compact() {
        try {
            long now = log.position();
            store.compact(compactable);
            compactable = now;
            long compacted = store.compactedRevision();
            open.values().forEach(cluster -> cluster.forget(compacted));
        } catch (StoreException e) {
            if (!LoggedStore.isTold(e)) {
                LOG.atError().setCause(e).log("The store could not be compacted");
            }
        }
    }

    private static void failed(String task, Throwable failure) {
        LOG.atError().setCause(failure).addKeyValue("task", task).log("A task failed and comes again when it is due");
    }

    private Lock lock(ClusterName name) {
        return locks.get(Math.floorMod(name.hashCode(), LOCKS));
    }
}
