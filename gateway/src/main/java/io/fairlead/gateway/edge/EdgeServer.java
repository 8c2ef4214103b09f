package io.fairlead.gateway.edge;

import io.fairlead.config.Configuration;
import io.fairlead.config.LimitSettings;
import io.fairlead.fleet.publication.PublishedBackend;
import io.fairlead.gateway.admin.AdminHandler;
import io.fairlead.gateway.admin.Probes;
import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.authn.Authentication;
import io.fairlead.gateway.authn.ClientCertificates;
import io.fairlead.gateway.authn.FailedAttempts;
import io.fairlead.gateway.authn.FrontProxies;
import io.fairlead.gateway.authz.Targets;
import io.fairlead.gateway.enter.Gate;
import io.fairlead.gateway.flow.Flow;
import io.fairlead.gateway.guard.WatchGuards;
import io.fairlead.gateway.impersonate.AccessReviews;
import io.fairlead.gateway.impersonate.Impersonation;
import io.fairlead.gateway.inprocess.BodyBytes;
import io.fairlead.gateway.inprocess.HostedHandler;
import io.fairlead.gateway.limits.BufferLimits;
import io.fairlead.gateway.listen.BindFailure;
import io.fairlead.gateway.listen.Listener;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.gateway.metrics.ConnectionCounters;
import io.fairlead.gateway.metrics.GuardMeters;
import io.fairlead.gateway.metrics.RequestMeters;
import io.fairlead.gateway.metrics.RouteMeters;
import io.fairlead.gateway.proxy.ProxyHandler;
import io.fairlead.gateway.proxy.RewoundRequests;
import io.fairlead.gateway.publication.Publications;
import io.fairlead.gateway.route.OpeningWait;
import io.fairlead.gateway.route.Router;
import io.fairlead.index.history.Histories;
import io.fairlead.model.ClusterName;
import io.fairlead.model.FairleadVersion;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTPS front end: accepts connections and passes every request through the stages to its handler.
 *
 * <p>Threads: the methods here are for the owner, one at a time, except {@link #publish}, and {@link #close}, which may
 * interrupt a drain from any thread.
 */
public final class EdgeServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EdgeServer.class);
    private static final long POLL_MILLIS = 20;

    /** How often a drain logs what it waits for. */
    private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int SPREAD_PART = 4;
    private static final long SPREAD_MILLIS_MAX = 5_000;

    private final EdgeParts parts;
    private final ExecutorService virtualThreads = Executors.newVirtualThreadPerTaskExecutor();
    private final Publications publications = new Publications();
    private final Authentication authentication;
    private final RequestMeters meter;
    private final RouteMeters routes;
    private final GuardMeters guardMeters;
    private final WatchGuards guards;
    private final Histories.Listening rewinds;
    private final ConnectionCounters counters;
    private final AccessReviews reviews;
    private final Flow flow;
    private final Listener listener;
    private final OpenStreams openStreams = new OpenStreams();
    private final OpenStreams openUpgrades = new OpenStreams();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A server that does not listen yet.
     *
     * @throws IllegalArgumentException if the TLS material cannot be used
     */
    public EdgeServer(EdgeParts parts) {
        LimitSettings limits = parts.configuration().limits();
        this.parts = parts;
        this.counters = new ConnectionCounters(parts.metrics());
        this.reviews = new AccessReviews(limits, counters);
        this.flow = new Flow(limits, counters);
        this.authentication = new Authentication(
                ClientCertificates.signedBy(parts.tls().clientCa()),
                frontProxies(parts.tls()),
                parts.tokens(),
                new FailedAttempts(limits.failedAuthenticationsPerSecondMax(), System::nanoTime),
                counters);
        this.meter = new RequestMeters(parts.metrics(), parts.directory(), parts.index());
        this.routes = new RouteMeters(parts.metrics(), parts.directory());
        this.guardMeters = new GuardMeters(parts.metrics(), parts.directory());
        this.guards = new WatchGuards(parts.configuration().timeTravel(), parts.directory(), guardMeters::of);
        this.rewinds = parts.histories().whenRewound(guards::rewound);
        parts.directory().whenWithheld(guards::withheld);
        this.listener = new Listener(parts.transport(), parts.loops(), parts.tls(), limits, stages(), counters);
        counters.unparsedBytes(listener::unparsedBytes);
        counters.bufferedBytes(parts.buffers()::taken);
        counters.waitingCalls(flow::waiting);
    }

    /**
     * Listens.
     *
     * @return the bound address
     * @throws BindFailure naming the address if it is in use or not local
     */
    public InetSocketAddress start() throws BindFailure {
        return listener.start(parts.bindAddress());
    }

    /**
     * Uses other TLS material for new connections, and other client CAs for new requests.
     *
     * @throws IllegalArgumentException if it cannot be used; the old one stays
     */
    public void reload(TlsMaterial tls) {
        ClientCertificates certificates = ClientCertificates.signedBy(tls.clientCa());
        FrontProxies frontProxies = frontProxies(tls);
        listener.reload(tls);
        authentication.trust(certificates, frontProxies);
    }

    private @Nullable FrontProxies frontProxies(TlsMaterial tls) {
        return FrontProxies.of(tls.frontProxyCa(), parts.configuration().requestheader());
    }

    /**
     * Serves these backends of other clusters' aggregation layers from now on, in place of all before: requests on open
     * connections too, and new connections with their certificates. Backends of one server name share the first one's
     * certificate. One that cannot be used is logged, and nothing is served to its target. Any thread.
     */
    public void publish(List<PublishedBackend> backends) {
        Map<String, TlsMaterial> certificates = new HashMap<>();
        for (PublishedBackend backend : backends) {
            certificates.putIfAbsent(
                    backend.serverName(),
                    new TlsMaterial(backend.certificateChain(), backend.privateKey(), null, null));
        }
        synchronized (publications) {
            publications.publish(backends);
            listener.name(certificates);
        }
    }

    /** Drops the state of a removed cluster: its metric series, its counts and its answers about callers. */
    public void forget(ClusterName cluster) {
        reviews.forget(cluster);
        flow.forget(cluster);
        parts.usage().forget(cluster);
        meter.forget(cluster);
        routes.forget(cluster);
        guardMeters.forget(cluster);
        guards.forget(cluster);
    }

    /** Drops the metric series of removed types, and callers that are idle. To be called periodically. */
    public void forgetUnused() {
        meter.forgetDeletedTypes();
        parts.usage().sweep();
    }

    /**
     * Drains and closes: {@code /readyz} fails at once; for {@code delay} everything is still served; then no new
     * connections are accepted, open ones end after their current answers, watches end between two events and spread
     * over time, and upgraded connections continue; after {@code grace} the rest is closed. Blocks until the server is
     * closed.
     */
    public void drain(Duration delay, Duration grace) throws InterruptedException {
        parts.health().shutDown();
        if (!closed.await(delay.toMillis(), TimeUnit.MILLISECONDS)) {
            listener.drain();
            Set<OpenStreams.Stream> ending = new HashSet<>();
            Duration spread = grace.dividedBy(SPREAD_PART);
            long deadlineNanos = System.nanoTime() + grace.toNanos();
            long toldNanos = System.nanoTime() - TOLD_NANOS;
            while (listener.connectionCount() > 0
                    && System.nanoTime() < deadlineNanos
                    && !closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                // Requests are still being answered, watches among them, and upgraded connections continue.
                endWatches(spread, ending);
                if (System.nanoTime() - toldNanos >= TOLD_NANOS) {
                    toldNanos = System.nanoTime();
                    LOG.atInfo()
                            .addKeyValue("connections", listener.connectionCount())
                            .addKeyValue("secondsLeft", TimeUnit.NANOSECONDS.toSeconds(deadlineNanos - toldNanos))
                            .log("Draining: waits for connections to end");
                }
            }
            openUpgrades.open().forEach(OpenStreams.Stream::endSoon);
        }
        close();
    }

    /**
     * Not all at once: each of their clients reconnects elsewhere with a list.
     *
     * @param ending those that are ended, or will be
     */
    private void endWatches(Duration spread, Set<OpenStreams.Stream> ending) {
        long spreadMillis = Math.min(spread.toMillis(), SPREAD_MILLIS_MAX);
        List<OpenStreams.Stream> open = openStreams.open();
        ending.retainAll(Set.copyOf(open));
        for (OpenStreams.Stream stream : open) {
            if (!ending.add(stream)) {
                continue;
            }
            long delayMillis = ThreadLocalRandom.current().nextLong(spreadMillis + 1);
            parts.loops().schedule(stream::endSoon, delayMillis, TimeUnit.MILLISECONDS);
        }
    }

    /** Ends at once. */
    @Override
    public void close() {
        closed.countDown();
        rewinds.close();
        listener.close();
        virtualThreads.shutdownNow();
    }

    private Stages stages() {
        LimitSettings limits = parts.configuration().limits();
        Configuration.Index index = parts.configuration().index();
        HostedHandler hosted = new HostedHandler(
                limits,
                new BodyBytes(parts.buffers(), BufferLimits.of(limits), counters, parts.usage()),
                virtualThreads,
                openStreams);
        return new Stages(
                parts.selector().with(publications),
                authentication,
                new Gate(parts.access(), parts.directory()),
                new OpeningWait(index.unknownWait(), index.unknownWaitersMax()),
                new Impersonation(reviews),
                flow,
                parts.usage(),
                new Router(parts.index(), parts.backends(), routes, index.unknownWait(), index.unknownWaitersMax()),
                parts.pins(),
                hosted,
                new RewoundRequests(parts.histories(), guards::enforces),
                new ProxyHandler(limits, "fairlead/" + FairleadVersion.NUMBER, openStreams, openUpgrades, guards),
                new AdminHandler(
                        new Probes(parts.health()),
                        parts.versionJson(),
                        parts.metrics(),
                        parts.own(),
                        hosted,
                        parts.directory()::isWaiting),
                meter,
                new RefusedRequests(parts.configuration().logRefusedPerSecondMax(), System::nanoTime),
                new Targets(parts.directory(), parts.namespaces(), reviews),
                parts.audits(),
                parts.tracing(),
                new Steps(virtualThreads));
    }
}
