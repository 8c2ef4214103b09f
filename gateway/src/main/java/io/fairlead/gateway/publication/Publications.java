package io.fairlead.gateway.publication;

import static java.util.stream.Collectors.groupingBy;

import io.fairlead.fleet.publication.PublishedBackend;
import io.fairlead.gateway.listen.Peer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is published into other clusters, by the server names under which their aggregation layers ask for it.
 *
 * <p>Threads: {@link #publish} one at a time; {@link #arrival} any, and it sees one whole list or another. Connections
 * that are open follow the list: each request is judged anew.
 */
public final class Publications {
    private volatile Map<String, PublishedName> names = Map.of();

    /** Replaces the list. A backend that cannot be used is logged, and its target's requests are refused. */
    public void publish(List<PublishedBackend> backends) {
        Map<String, PublishedName> before = names;
        Map<String, PublishedName> now = new HashMap<>();
        backends.stream().collect(groupingBy(PublishedBackend::serverName)).forEach((serverName, ofName) -> {
            PublishedName known = before.get(serverName);
            now.put(serverName, known != null && known.isOf(ofName) ? known : new PublishedName(ofName));
        });
        names = Map.copyOf(now);
    }

    /** How a client came in, by the server name of its handshake and the chain that it presented there. */
    public Arrival arrival(Peer peer) {
        Map<String, PublishedName> now = names;
        String serverName = peer.serverName();
        if (now.isEmpty() || serverName == null) {
            return Arrival.Direct.INSTANCE;
        }
        PublishedName name = now.get(serverName.toLowerCase(Locale.ROOT));
        return name == null ? Arrival.Direct.INSTANCE : name.arrival(peer.certificates());
    }
}
