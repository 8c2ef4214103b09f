package io.fairlead.net;

import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
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

    private final PooledUpstream upstream;
    private final UpstreamSpec spec;
    private final SslContext tls;
    private final @Nullable HttpProxy proxy;
    private final List<Endpoint> endpoints;
    private final AtomicInteger next = new AtomicInteger();
    private final ConcurrentMap<Key, EndpointPool> lanes = new ConcurrentHashMap<>();
    private final Set<UpgradeCall> upgrades = ConcurrentHashMap.newKeySet();
    private final MadeOnce<SslContext> http1Tls;
    private volatile boolean retired;

    /** @throws IllegalArgumentException if the specification cannot be used, naming the field */
    Generation(PooledUpstream upstream, UpstreamSpec spec) {
        this.upstream = upstream;
        this.spec = spec;
        this.tls = TlsClient.contextOf(spec);
        this.proxy = HttpProxy.of(spec);
        this.http1Tls = new MadeOnce<>(() -> TlsClient.http1ContextOf(spec));
        this.endpoints = spec.endpoints().stream()
                .map(uri ->
                        new Endpoint(uri, spec.bearerToken(), upstream.client().via()))
                .toList();
    }

    UpstreamSpec spec() {
        return spec;
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

    boolean hasOneEndpoint() {
        return endpoints.size() == 1;
    }

    /** The next endpoint in turn without a recent failure; if all failed, the one whose penalty ends first. */
    Endpoint choose() {
        int first = Math.floorMod(next.getAndIncrement(), endpoints.size());
        Endpoint best = endpoints.get(first);
        for (int i = 1; i < endpoints.size() && best.avoidedForNanos() > 0; i++) {
            Endpoint other = endpoints.get((first + i) % endpoints.size());
            if (other.avoidedForNanos() < best.avoidedForNanos()) {
                best = other;
            }
        }
        return best;
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
        onEachLane(EndpointPool::retire);
        tellIfEnded();
    }

    void close(UpstreamFailure reason) {
        retired = true;
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
