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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final ResourceList resources;
    private final AtomicReference<@Nullable CrdRuntimeScope> crdRuntime = new AtomicReference<>();
    private final AtomicReference<UpstreamSpec> used;
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile @Nullable String bearerToken;

    AttachedScope(
            AttachedCluster cluster,
            Upstream upstream,
            IndexFeed feed,
            StatusBoard board,
            Tasks tasks,
            Duration probeTimeout,
            BiFunction<UpstreamSpec, Introduction, Upstream> opens,
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
        this.identity = new ClusterIdentity(upstream, this::bearerToken, probeTimeout);
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
     * Uses other endpoints, trust or credentials from now on. Requests under way end on the old connections; types are
     * learnt anew, and unknown until then unless only the credentials are others.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field; nothing is changed then
     */
    public void reconfigure(AttachedCluster cluster) {
        upstream.reconfigure(cluster.upstream());
        bearerToken = cluster.bearerToken();
        if (!isSameServer(used.getAndSet(cluster.upstream()), cluster.upstream())) {
            doubtIdentity();
            feed.forget();
        }
        tasks.execute(this::probe);
        tasks.execute(feed::restart);
    }

    /**
     * Opens the servers that take what CRDs serve; one such scope at most is open at a time.
     *
     * @return the caller's to close, and closed with this one at the latest
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

    /** The cluster may be another one than before: servers that proved to be of that one prove it anew. */
    void doubtIdentity() {
        identity.forget();
        CrdRuntimeScope runtime = crdRuntime.get();
        if (runtime != null) {
            runtime.doubt();
        }
    }

    /** Whether two specifications differ in their credentials at most. */
    static boolean isSameServer(UpstreamSpec one, UpstreamSpec other) {
        return one.endpoints().equals(other.endpoints())
                && Objects.equals(one.caBundle(), other.caBundle())
                && Objects.equals(one.tlsServerName(), other.tlsServerName())
                && Objects.equals(one.proxy(), other.proxy());
    }

    @Override
    public Optional<IndexComparison> verify() {
        return feed.verify();
    }

    /** With which resources the cluster serves a group/version, as its API server says now; empty if it does not say. Blocks. */
    Optional<Set<String>> resources(GroupVersion groupVersion) {
        return resources.ask(groupVersion);
    }

    /**
     * Holders of a type were changed through this gateway: from now on, and until the informers have heard of that, what is known
     * of the cluster's types may not be relied on. Never blocks.
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

    /** Has what is known confirmed where it is quiet, and looks for a cluster that is away. */
    void look() {
        if (feed.look() && probing.compareAndSet(false, true)) {
            probe();
        }
    }

    void probe() {
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
