package io.fairlead.gateway.metrics;

import io.fairlead.gateway.listen.AddressBlock;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The connections of a listener without authentication: beyond a number of them, the oldest of the address with the
 * most is closed, so that a client that opens many closes its own. On one event loop.
 */
final class CrowdedOut {
    private final int max;

    /** In the order in which they were opened. */
    private final Deque<Opened> connections = new ArrayDeque<>();

    private final Map<AddressBlock, Integer> counts = new HashMap<>();

    private record Opened(Channel channel, AddressBlock from) {}

    CrowdedOut(int max) {
        this.max = max;
    }

    void add(Channel channel) {
        Opened opened =
                new Opened(channel, AddressBlock.of(((InetSocketAddress) channel.remoteAddress()).getAddress()));
        connections.addLast(opened);
        counts.merge(opened.from(), 1, Integer::sum);
        channel.closeFuture().addListener(_ -> remove(opened));
        if (connections.size() > max) {
            AddressBlock most = most();
            connections.stream()
                    .filter(one -> one.from().equals(most))
                    .findFirst()
                    .ifPresent(oldest -> {
                        remove(oldest);
                        oldest.channel().close();
                    });
        }
    }

    void closeAll() {
        Deque<Opened> open = new ArrayDeque<>(connections);
        open.forEach(one -> one.channel().close());
    }

    private void remove(Opened closed) {
        if (connections.remove(closed)) {
            counts.merge(closed.from(), -1, (count, less) -> count + less == 0 ? null : count + less);
        }
    }

    /** Among addresses with equal numbers, the one whose connection came first. */
    private AddressBlock most() {
        AddressBlock most = connections.getFirst().from();
        for (Opened one : connections) {
            if (counts.getOrDefault(one.from(), 0) > counts.getOrDefault(most, 0)) {
                most = one.from();
            }
        }
        return most;
    }
}
