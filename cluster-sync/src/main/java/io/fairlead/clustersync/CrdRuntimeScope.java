package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The CRD runtime of an attached cluster: connections, each of which takes requests only after its server has proven to
 * belong to the cluster, and their probe. Thread-safe.
 */
public final class CrdRuntimeScope implements AutoCloseable {
    private static final int BODY_BYTES_MAX = 512 * 1024;

    private final Upstream upstream;
    private final ClusterIdentity identity;
    private final Duration timeout;
    private final StatusBoard board;
    private final Tasks tasks;
    private final Consumer<CrdRuntimeScope> whenClosed;

    /** The current probe. */
    private final AtomicReference<@Nullable Object> probing = new AtomicReference<>();

    private UpstreamSpec spec;

    CrdRuntimeScope(
            Upstream upstream,
            UpstreamSpec spec,
            ClusterIdentity identity,
            Duration timeout,
            StatusBoard board,
            Tasks tasks,
            Consumer<CrdRuntimeScope> whenClosed) {
        this.upstream = upstream;
        this.spec = spec;
        this.identity = identity;
        this.timeout = timeout;
        this.board = board;
        this.tasks = tasks;
        this.whenClosed = whenClosed;
    }

    /** The connections, for requests; closed with this scope. */
    public Upstream upstream() {
        return upstream;
    }

    /**
     * Uses other endpoints, trust or credentials from now on. Requests in progress end on the old connections.
     *
     * @throws IllegalArgumentException if the specification cannot be used, naming the field; nothing is changed then
     */
    public void reconfigure(UpstreamSpec newer) {
        UpstreamSpec before = use(newer);
        if (!AttachedScope.isSameServer(before, newer)) {
            board.named(this);
        }
        probing.set(null);
        tasks.execute(this::probe);
    }

    /** Ends every connection and every request on one. */
    @Override
    public void close() {
        board.left(this);
        upstream.close();
        whenClosed.accept(this);
    }

    /** The cluster may be another one now: every server must prove its membership again before its next request. */
    void doubt() {
        probing.set(null); // Before the new configuration: what the old one is found to be is not true of it.
        askForProof();
        tasks.execute(this::probe);
    }

    /** Probes whether the servers answer and belong to the cluster; does nothing while a probe runs. */
    void probe() {
        Object probe = new Object();
        if (probing.compareAndSet(null, probe)) {
            identity.confirm()
                    .thenComposeAsync(this::ask, tasks)
                    .thenComposeAsync(finding -> tried(probe, finding), tasks)
                    .whenCompleteAsync((finding, _) -> found(probe, finding), tasks);
        }
    }

    private synchronized UpstreamSpec use(UpstreamSpec newer) {
        upstream.reconfigure(newer);
        UpstreamSpec before = spec;
        spec = newer;
        return before;
    }

    /**
     * Requests in progress end on the old connections; every other one takes a new connection, which begins with the
     * proof.
     */
    private synchronized void askForProof() {
        upstream.reconfigure(spec);
    }

    private CompletableFuture<Finding> ask(boolean clusterMoved) {
        if (clusterMoved) {
            askForProof();
        }
        return DocumentRequest.get(upstream, ClusterIdentity.PATH, null, timeout, BODY_BYTES_MAX)
                .thenCompose(this::judge);
    }

    /** Servers of this cluster must take Fairlead for a front proxy, where callers are presented so. */
    private CompletableFuture<Finding> tried(Object probe, Finding reachable) {
        UpstreamSpec tried = current();
        if (reachable.status() != Finding.Status.TRUE || tried.ownUser() == null) {
            return CompletableFuture.completedFuture(reachable);
        }
        return FrontProxyTrial.ask(upstream, tried, timeout).thenApply(answer -> {
            if (answer.status() != Finding.Status.UNKNOWN && probe.equals(probing.get())) {
                upstream.triedAsFrontProxy(tried, answer.status() == Finding.Status.TRUE);
            }
            return answer.status() == Finding.Status.TRUE ? reachable : answer;
        });
    }

    private synchronized UpstreamSpec current() {
        return spec;
    }

    private CompletableFuture<Finding> judge(DocumentRequest.Outcome outcome) {
        return switch (outcome) {
            case DocumentRequest.Outcome.Failed failed -> CompletableFuture.completedFuture(finding(failed.failure()));
            case DocumentRequest.Outcome.Answered answered ->
                identity.compare(answered.status(), answered.document()).thenApplyAsync(this::judged, tasks);
        };
    }

    /** Behind a proxy, an approved connection may lead elsewhere by now. */
    private Finding judged(Finding finding) {
        if (finding.reason().equals(ClusterIdentity.ANOTHER_CLUSTER)) {
            askForProof();
        }
        return finding;
    }

    private void found(Object probe, @Nullable Finding finding) {
        if (!probing.compareAndSet(probe, null) || finding == null) {
            return; // It probed servers that have been replaced, or was cancelled.
        }
        board.found(this, finding);
    }

    private Finding finding(UpstreamFailure failure) {
        if (failure.kind() == UpstreamFailure.Kind.IDENTITY) {
            Finding refusal = identity.refusal();
            return new Finding(refusal.status(), refusal.reason(), failure.message());
        }
        Finding finding = Findings.of(failure);
        return new Finding(
                finding.status(), finding.reason(), finding.message() + " (expected " + expected(failure.kind()) + ")");
    }

    private static String expected(UpstreamFailure.Kind kind) {
        return switch (kind) {
            case CERTIFICATE ->
                "a certificate that the CA in spec.attached.crdRuntime.caBundle, or else that of the cluster, has"
                        + " signed for the endpoint's host or spec.attached.crdRuntime.tlsServerName";
            case ADDRESS_DENIED -> "an address that upstream.allowedAddresses lets through";
            case NO_READY_ENDPOINT,
                    UNKNOWN_HOST,
                    CONNECT,
                    TLS,
                    TIMEOUT,
                    IDENTITY,
                    RESET,
                    PROTOCOL,
                    OVERLOADED,
                    CLOSED ->
                "API servers of this cluster that answer at spec.attached.crdRuntime.endpoints; until then what CRDs"
                        + " serve is answered 503";
        };
    }
}
