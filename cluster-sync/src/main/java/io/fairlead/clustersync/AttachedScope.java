package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.HolderType;
import io.fairlead.index.IndexComparison;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.Introduction;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** An attached cluster that is followed: its connections, informers, probe and comparison, and its CRD runtime. */
public final class AttachedScope implements ClusterScope {
    private final ClusterName name;
    private final Upstream upstream;
    private final IndexFeed feed;
    private final StatusBoard board;
    private final Tasks tasks;
    private final Duration probeTimeout;
    private final BiFunction<UpstreamSpec, Introduction, Upstream> opens;
    private final Runnable whenClosed;
    private final ClusterIdentity identity;
    private final IdentityCheck identityCheck;
    private final FrontProxyCheck frontProxyCheck;
    private final ResourceList resources;
    private final AtomicReference<@Nullable CrdRuntimeScope> crdRuntime = new AtomicReference<>();
    private final AtomicReference<UpstreamSpec> used;
    private final AtomicReference<String> knownUid;
    private final AtomicBoolean probing = new AtomicBoolean();
    private final AtomicBoolean checking = new AtomicBoolean();
    private volatile @Nullable String bearerToken;

    /**
     * @param readings counts the readings of all clusters' identities
     * @param knownUid the uid that was last read of its namespace kube-system; empty if none was
     */
    AttachedScope(
            AttachedCluster cluster,
            Upstream upstream,
            IndexFeed feed,
            StatusBoard board,
            Tasks tasks,
            Duration probeTimeout,
            BiFunction<UpstreamSpec, Introduction, Upstream> opens,
            AtomicLong readings,
            String knownUid,
            Runnable whenClosed) {
        this.name = cluster.name();
        this.used = new AtomicReference<>(cluster.upstream());
        this.bearerToken = cluster.bearerToken();
        this.upstream = upstream;
        this.feed = feed;
        this.board = board;
        this.tasks = tasks;
        this.probeTimeout = probeTimeout;
        this.opens = opens;
        this.whenClosed = whenClosed;
        this.knownUid = new AtomicReference<>(knownUid);
        this.identity = new ClusterIdentity(upstream, this::bearerToken, probeTimeout);
        this.identityCheck = new IdentityCheck(
                upstream, used::get, this::bearerToken, probeTimeout, readings, this::isAnother, this::identified);
        this.frontProxyCheck = new FrontProxyCheck(upstream, used::get, probeTimeout, board::frontProxy);
        this.resources = new ResourceList(upstream, this::bearerToken, probeTimeout);
    }

    @Override
    public ClusterName name() {
        return name;
    }

    /** The connections to the cluster, for requests to it as well; closed with this scope. */
    public Upstream upstream() {
        return upstream;
    }

    /**
     * Uses other endpoints, trust or credentials from now on. Requests in progress end on the old connections; types
     * are listed again, and unknown until then unless only the credentials differ.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field; nothing is changed then
     */
    public void reconfigure(AttachedCluster cluster) {
        upstream.reconfigure(cluster.upstream());
        bearerToken = cluster.bearerToken();
        if (!isSameServer(used.getAndSet(cluster.upstream()), cluster.upstream())) {
            doubtIdentity();
            feed.forget();
            identityCheck.restart();
        } else {
            tasks.execute(identityCheck::check);
        }
        frontProxyCheck.restart();
        tasks.execute(this::probe);
        tasks.execute(feed::restart);
    }

    /**
     * Opens the CRD runtime; at most one is open at a time.
     *
     * @return owned by the caller, and closed with this scope at the latest
     * @throws IllegalArgumentException if the specification cannot be used, naming the field
     */
    public CrdRuntimeScope openCrdRuntime(UpstreamSpec spec) {
        CrdRuntimeScope opened = new CrdRuntimeScope(
                opens.apply(spec, identity),
                spec,
                identity,
                probeTimeout,
                board,
                tasks,
                closed -> crdRuntime.compareAndSet(closed, null));
        crdRuntime.set(opened);
        board.named(opened);
        tasks.execute(opened::probe);
        return opened;
    }

    /** The cluster's head is lower than it was before in an epoch. */
    void fellBehind(long epoch) {
        feed.fellBehind(epoch);
    }

    /** The cluster may be another one than before: servers that proved their membership must prove it again. */
    void doubtIdentity() {
        identity.forget();
        CrdRuntimeScope runtime = crdRuntime.get();
        if (runtime != null) {
            runtime.doubt();
        }
    }

    /** Checks again which cluster the endpoints lead to, and whom they take Fairlead for. Never blocks. */
    public void checkIdentity() {
        tasks.execute(this::checkBoth);
    }

    private void checkBoth() {
        identityCheck.check();
        frontProxyCheck.check();
    }

    /** Checks both soon, unless the new connection is that of a check. On an event loop. */
    void connected(Duration soon) {
        if (identityCheck.isNews() && frontProxyCheck.isNews() && checking.compareAndSet(false, true)) {
            tasks.later(soon, () -> {
                checking.set(false);
                checkBoth();
            });
        }
    }

    private boolean isAnother(String uid) {
        String known = knownUid.get();
        return !"".equals(known) && !uid.equals(known);
    }

    private void identified(ObservedIdentity observed) {
        String uid = observed.fingerprint().map(ClusterFingerprint::uid).orElse("");
        String before = uid.isEmpty() ? "" : knownUid.getAndSet(uid);
        if (!before.isEmpty() && !before.equals(uid)) {
            tasks.execute(() -> feed.moved("namespace kube-system has uid " + uid + " and had " + before + " before"));
        }
        board.identified(observed);
    }

    /** Whether two specifications differ only in their credentials. */
    static boolean isSameServer(UpstreamSpec one, UpstreamSpec other) {
        return one.servers().equals(other.servers());
    }

    @Override
    public Optional<IndexComparison> verify() {
        return feed.verify();
    }

    /** The resources of a group/version in the API server's current discovery; empty if it does not answer. Blocks. */
    Optional<Set<String>> resources(GroupVersion groupVersion) {
        return resources.ask(groupVersion);
    }

    /**
     * Holders of a type were changed through this gateway: until the informers have received that, the indexed types
     * are in doubt. Never blocks.
     */
    public void doubt(HolderType type) {
        feed.doubt(type);
    }

    @Override
    public long silentNanos() {
        return feed.silentNanos();
    }

    @Override
    public void close() {
        tasks.close();
        board.close();
        feed.close();
        CrdRuntimeScope runtime = crdRuntime.get();
        if (runtime != null) {
            runtime.close();
        }
        upstream.close();
        whenClosed.run();
    }

    @Nullable
    String bearerToken() {
        return bearerToken;
    }

    /** Confirms the indexed types during silence, and retries a cluster that is unreachable. */
    void look() {
        if (feed.look() && probing.compareAndSet(false, true)) {
            probe();
        }
    }

    void probe() {
        identityCheck.checkUnidentified();
        frontProxyCheck.checkUnproven();
        CrdRuntimeScope runtime = crdRuntime.get();
        if (runtime != null) {
            runtime.probe();
        }
        VersionProbe.ask(upstream, bearerToken, probeTimeout)
                .thenAccept(answer -> tasks.execute(() -> {
                    probing.set(false);
                    board.probed(answer);
                    if (answer.reachable().status() == Finding.Status.TRUE) {
                        feed.hurry();
                    }
                }));
    }
}
