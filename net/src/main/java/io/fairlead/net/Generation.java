package io.fairlead.net;

import io.fairlead.net.EndpointReport.Verdict;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One configuration of an upstream with all its connections. Thread-safe; pools and upgrades belong to their loops. */
final class Generation {
    private record Key(EventLoop loop, Endpoint endpoint, Upstream.Kind kind) {}

    /** Whether the servers take this side's certificate for a front proxy's: each configuration is tried anew. */
    private enum Trial {
        PENDING,
        TAKEN,
        REFUTED
    }

    private final PooledUpstream upstream;
    private final UpstreamSpec spec;
    private final Servers servers;
    private final SslContext tls;
    private final @Nullable HttpProxy proxy;
    private final List<Endpoint> endpoints;
    private final @Nullable EndpointProbes probes;
    private final @Nullable NameRefresh names;
    private final AtomicInteger next = new AtomicInteger();
    private final ConcurrentMap<Key, EndpointPool> lanes = new ConcurrentHashMap<>();
    private final Set<UpgradeCall> upgrades = ConcurrentHashMap.newKeySet();
    private final MadeOnce<SslContext> http1Tls;
    private volatile Trial trial = Trial.PENDING;
    private volatile boolean retired;

    /**
     * @param before the configuration until now, of which it takes over what is known of the same endpoints; null if there was none
     * @throws IllegalArgumentException if the specification cannot be used, naming the field
     */
    Generation(PooledUpstream upstream, UpstreamSpec spec, @Nullable Generation before) {
        this.upstream = upstream;
        this.spec = spec;
        this.servers = spec.servers();
        this.tls = TlsClient.contextOf(spec);
        this.proxy = HttpProxy.of(spec);
        this.http1Tls = new MadeOnce<>(() -> TlsClient.http1ContextOf(spec));
        List<URI> urls = spec.endpoints().stream().distinct().toList();
        boolean isProbed = upstream.isProbed() && urls.size() > 1;
        this.endpoints =
                urls.stream().map(uri -> endpoint(uri, isProbed, before)).toList();
        EndpointLimits limits = upstream.client().limits().endpoints();
        this.probes = isProbed ? new EndpointProbes(this, endpoints, upstream.home(), limits) : null;
        this.names = upstream.isProbed() && proxy == null
                ? new NameRefresh(this, endpoints, upstream.client(), upstream.home())
                : null;
    }

    private Endpoint endpoint(URI uri, boolean isProbed, @Nullable Generation before) {
        UpstreamClient client = upstream.client();
        EndpointHealth health = new EndpointHealth(
                client.limits().endpoints(),
                isProbed,
                before == null ? EndpointReport.UNPROVEN : before.verdict(uri),
                System::nanoTime,
                client.random(),
                () -> changed(uri));
        return new Endpoint(uri, spec, client.via(), health);
    }

    /** What its servers said, without their token. */
    String withoutCredential(String said) {
        String token = spec.bearerToken();
        return token == null ? said : said.replace(token, "(the credential)");
    }

    private Verdict verdict(URI uri) {
        return endpoints.stream()
                .map(Endpoint::report)
                .filter(report -> report.url().equals(uri.toString()))
                .map(EndpointReport::verdict)
                .findFirst()
                .orElse(EndpointReport.UNPROVEN);
    }

    private void changed(URI uri) {
        upstream.tellOfEndpoints();
        if (probes != null) {
            probes.hurry(uri.toString());
        }
    }

    /** Begins to look after the endpoints, until it is retired or closed. */
    void begin() {
        if (probes != null) {
            probes.begin();
        }
        if (names != null) {
            names.begin();
        }
    }

    private void endLooks() {
        if (probes != null) {
            probes.end();
        }
        if (names != null) {
            names.end();
        }
    }

    UpstreamSpec spec() {
        return spec;
    }

    /**
     * Why a request may not be sent by this configuration: its head is for other servers, or names the caller in another way than these
     * servers expect. On a connection with a client certificate a server would take a caller's request for this side's own.
     *
     * @return null if it may be sent
     */
    @Nullable
    UpstreamFailure refusal(RequestHead head) {
        boolean isForTheseServers = head.only() == null || head.only().equals(servers);
        if (!isForTheseServers || !presentsAs(head.sender())) {
            return Failures.unreached(
                    UpstreamFailure.Kind.CLOSED,
                    "the cluster has other servers or another credential now than those that the request was meant"
                            + " for; try again");
        }
        return head.sender() == Sender.FRONT_PROXY ? notAFrontProxy() : null;
    }

    private boolean presentsAs(Sender sender) {
        return switch (sender) {
            case OWN -> true;
            case IMPERSONATING -> spec.ownUser() == null;
            case FRONT_PROXY, FRONT_PROXY_TRIAL -> spec.ownUser() != null;
            case AGGREGATING -> spec.ownUser() == null && spec.bearerToken() == null;
            case CALLER -> spec.clientCertificate() == null;
        };
    }

    private @Nullable UpstreamFailure notAFrontProxy() {
        return switch (trial) {
            case TAKEN -> null;
            case PENDING ->
                Failures.unreached(
                        UpstreamFailure.Kind.CLOSED,
                        "its API servers have not shown yet that they take Fairlead for a front proxy; try again");
            case REFUTED ->
                Failures.unreached(
                        UpstreamFailure.Kind.IDENTITY,
                        "its API servers do not take Fairlead for a front proxy, and would take every caller for"
                                + " Fairlead");
        };
    }

    /** What the servers make of this side's certificate, by the last trial. */
    void tried(boolean isTaken) {
        trial = isTaken ? Trial.TAKEN : Trial.REFUTED;
    }

    SslContext tls() {
        return tls;
    }

    /** The proxy of all connections; null if they are direct. */
    @Nullable
    HttpProxy proxy() {
        return proxy;
    }

    /** The TLS context of upgrades: created for the first one, off the event loops since it reads certificates. */
    CompletableFuture<SslContext> http1Tls() {
        return http1Tls.get();
    }

    /** What is known of the endpoints, in their order. */
    List<EndpointReport> reports() {
        return endpoints.stream().map(Endpoint::report).toList();
    }

    Endpoint first() {
        return endpoints.getFirst();
    }

    /** Why a request is sent nowhere. */
    UpstreamFailure noneReady() {
        return Failures.unreached(
                UpstreamFailure.Kind.NO_READY_ENDPOINT, "none of the " + endpoints.size() + " endpoints is ready");
    }

    /**
     * The next endpoint in turn that is ready, and to which no connection failed lately; if one did to all that are
     * ready, the one whose penalty ends first. Where none is ready, one is taken that has lost requests and nothing else. A
     * single endpoint is always chosen.
     *
     * @param tried the endpoint that was tried already, chosen only where there is no other; null if none was
     * @return null if none is ready
     */
    @Nullable
    Endpoint choose(@Nullable Endpoint tried) {
        int count = endpoints.size();
        if (count == 1) {
            return endpoints.getFirst();
        }
        int first = Math.floorMod(next.getAndIncrement(), count);
        Endpoint best = null;
        for (int i = 0; i < count; i++) {
            Endpoint other = endpoints.get((first + i) % count);
            if (!other.health().isUsable() || other.equals(tried)) {
                continue;
            }
            if (!other.health().isAvoided()) {
                return other;
            }
            if (best == null || other.health().avoidedForNanos() < best.health().avoidedForNanos()) {
                best = other;
            }
        }
        if (best != null) {
            return best;
        }
        return tried != null && isUsable(tried) ? tried : suspected(first, tried);
    }

    private @Nullable Endpoint suspected(int first, @Nullable Endpoint tried) {
        for (int i = 0; i < endpoints.size(); i++) {
            Endpoint other = endpoints.get((first + i) % endpoints.size());
            if (other.health().isSuspected() && !other.equals(tried)) {
                return other;
            }
        }
        return null;
    }

    private boolean isUsable(Endpoint tried) {
        return endpoints.contains(tried) && tried.health().isUsable();
    }

    /** Whether there are connections to an endpoint, or were. */
    boolean hasLane(Endpoint endpoint) {
        return lanes.keySet().stream().anyMatch(key -> key.endpoint().equals(endpoint));
    }

    EndpointPool lane(EventLoop loop, Endpoint endpoint, Upstream.Kind kind) {
        return lanes.computeIfAbsent(
                new Key(loop, endpoint, kind), key -> new EndpointPool(upstream, this, endpoint, kind, loop));
    }

    /** Registers an upgrade until it has {@link #ended(UpgradeCall)}. */
    void add(UpgradeCall upgrade) {
        upgrades.add(upgrade);
    }

    boolean isRetired() {
        return retired;
    }

    /** Drains every pool, including pools created concurrently; upgrades continue. */
    void retire() {
        retired = true;
        endLooks();
        onEachLane(EndpointPool::retire);
        tellIfEnded();
    }

    void close(UpstreamFailure reason) {
        retired = true;
        endLooks();
        onEachLane(lane -> lane.close(reason));
        upgrades.forEach(upgrade -> upgrade.close(reason));
    }

    /** The pool of a retired configuration has no connection left. */
    void ended(EndpointPool lane) {
        lanes.values().remove(lane);
        tellIfEnded();
    }

    void ended(UpgradeCall upgrade) {
        upgrades.remove(upgrade);
        tellIfEnded();
    }

    /** Runs an action on each pool, on its own event loop. */
    void onEachLane(Consumer<EndpointPool> action) {
        for (var entry : new ArrayList<>(lanes.entrySet())) {
            entry.getKey().loop().execute(() -> action.accept(entry.getValue()));
        }
    }

    private void tellIfEnded() {
        if (retired && lanes.isEmpty() && upgrades.isEmpty()) {
            upstream.ended(this);
        }
    }
}
