package io.fairlead.net;

import io.fairlead.net.address.AddressPolicy;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks the names of a configuration's endpoints up again, and has the connections end that lead to addresses for which a
 * name stands no more. New connections look a name up themselves. While the name has no address that may be connected
 * to, or is not found, the connections that stand are kept.
 *
 * <p>Threads: one event loop, but {@link #begin} and {@link #end}, which any thread may call.
 */
final class NameRefresh {
    private final Generation generation;
    private final List<Endpoint> named;
    private final UpstreamClient client;
    private final EventLoop loop;
    private @Nullable ScheduledFuture<?> timer;
    private boolean isOver;

    NameRefresh(Generation generation, List<Endpoint> endpoints, UpstreamClient client, EventLoop loop) {
        this.generation = generation;
        this.named = endpoints.stream()
                .filter(endpoint ->
                        !NetUtil.isValidIpV4Address(endpoint.host()) && !NetUtil.isValidIpV6Address(endpoint.host()))
                .toList();
        this.client = client;
        this.loop = loop;
    }

    void begin() {
        if (!named.isEmpty()) {
            loop.execute(this::later);
        }
    }

    void end() {
        loop.execute(() -> {
            isOver = true;
            if (timer != null) {
                timer.cancel(false);
            }
        });
    }

    private void later() {
        if (!isOver) {
            long wait = client.limits().endpoints().dnsRefresh().toNanos();
            timer = loop.schedule(this::lookUp, named.getFirst().health().jittered(wait), TimeUnit.NANOSECONDS);
        }
    }

    private void lookUp() {
        later();
        for (Endpoint endpoint : named) {
            if (generation.hasLane(endpoint)) {
                client.resolver().resolve(endpoint.host()).thenAccept(addresses -> found(endpoint, addresses));
            }
        }
    }

    /** On a thread of the resolver. */
    private void found(Endpoint endpoint, List<InetAddress> addresses) {
        AddressPolicy policy = client.addressPolicy();
        boolean isUsable = addresses.stream()
                .anyMatch(address -> policy.refusal(new InetSocketAddress(address, endpoint.port()))
                        .isEmpty());
        if (isUsable) {
            Set<InetAddress> current = new HashSet<>(addresses);
            generation.onEachLane(lane -> {
                if (lane.endpoint().equals(endpoint)) {
                    lane.leaveOthersThan(current);
                }
            });
        }
    }
}
