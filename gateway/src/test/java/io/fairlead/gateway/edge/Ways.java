package io.fairlead.gateway.edge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a tenant could try to get into a cluster of others: each way has a name, and is tried against a cluster by the name of the
 * cluster, be it there or not.
 */
final class Ways {
    private final Map<String, Way> all = new TreeMap<>();

    /** Tries one way and returns the answer. */
    interface Way {
        String attempt(Attacker attacker, String victim) throws Exception;
    }

    /** Every one, by its name. */
    static Map<String, Way> all() {
        Ways ways = new Ways();
        WaysToACluster.addTo(ways);
        WaysByIdentity.addTo(ways);
        return ways.all;
    }

    void add(String name, Way way) {
        if (all.put(name, way) != null) {
            throw new IllegalArgumentException(name + " is there twice");
        }
    }

    /** By HTTP/1.1; lines of a request, of which several can stand in one text. */
    void way(String name, String... lines) {
        List<String> request = new ArrayList<>();
        for (String line : lines) {
            request.addAll(List.of(line.split("\\|")));
        }
        add(name, (attacker, victim) -> attacker.http1(victim, request));
    }

    /** By HTTP/2. */
    void http2(String name, String... fields) {
        add("HTTP/2: " + name, (attacker, victim) -> attacker.http2(victim, List.of(fields)));
    }
}
