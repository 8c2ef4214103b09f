package io.fairlead.fleet.conflicts;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Since when the conflicts of each registration are. Confined to its owner. */
final class ConflictTimes {
    private final Map<String, Map<String, Instant>> since = new HashMap<>();
    private final ConflictTransitions transitions;

    ConflictTimes(ConflictTransitions transitions) {
        this.transitions = transitions;
    }

    /** As they were before a restart. */
    void begin(String name, Map<String, Instant> before) {
        since.put(name, new HashMap<>(before));
    }

    /** The conflicts of a registration by now; those that are new begin now. */
    void observe(String name, Set<String> keys, Instant now) {
        Map<String, Instant> known = since.computeIfAbsent(name, _ -> new HashMap<>());
        for (String gone : new HashSet<>(known.keySet())) {
            if (!keys.contains(gone)) {
                known.remove(gone);
                transitions.resolved(kind(gone));
            }
        }
        for (String key : keys) {
            if (known.putIfAbsent(key, now.truncatedTo(ChronoUnit.SECONDS)) == null) {
                transitions.began(kind(key));
            }
        }
    }

    void forget(String name) {
        observe(name, Set.of(), Instant.EPOCH);
        since.remove(name);
    }

    Map<String, Instant> of(String name) {
        return since.getOrDefault(name, Map.of());
    }

    private static String kind(String key) {
        return key.substring(0, key.indexOf('/'));
    }
}
