package io.fairlead.fleet.conflicts;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All registrations of attached clusters, found by name, by their own uid, and by that of their cluster. Confined to its owner. */
final class Registrations {
    private final Map<String, Registered> byName = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Set<String>> byCluster = new HashMap<>();
    private final Map<String, Set<String>> aliases = new HashMap<>();

    @Nullable
    Registered get(String name) {
        return byName.get(name);
    }

    void put(Registered now) {
        remove(now.name());
        byName.put(now.name(), now);
        names.put(now.uid(), now.name());
        add(byCluster, now.record().uid(), now.name());
        add(aliases, now.registrant().aliasOf(), now.name());
    }

    @Nullable
    Registered remove(String name) {
        Registered gone = byName.remove(name);
        if (gone != null) {
            names.remove(gone.uid());
            take(byCluster, gone.record().uid(), name);
            take(aliases, gone.registrant().aliasOf(), name);
        }
        return gone;
    }

    /** Those whose endpoints lead to the clusters with a uid. */
    List<Registered> ofCluster(String uid) {
        List<Registered> same = new ArrayList<>();
        for (String name : byCluster.getOrDefault(uid, Set.of())) {
            Registered one = byName.get(name);
            if (one != null) {
                same.add(one);
            }
        }
        return same;
    }

    /** The names of those that are said to be aliases of another one, or of its aliases. */
    Set<String> aliasesOf(String name) {
        Set<String> found = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(aliases.getOrDefault(name, Set.of()));
        while (!next.isEmpty()) {
            String alias = next.remove();
            if (found.add(alias)) {
                next.addAll(aliases.getOrDefault(alias, Set.of()));
            }
        }
        return found;
    }

    /** The names of those with some uids of their own. */
    Set<String> named(Collection<String> uids) {
        Set<String> found = new HashSet<>();
        for (String uid : uids) {
            String name = names.get(uid);
            if (name != null) {
                found.add(name);
            }
        }
        return found;
    }

    private static void add(Map<String, Set<String>> index, String key, String name) {
        if (!key.isEmpty()) {
            index.computeIfAbsent(key, _ -> new HashSet<>()).add(name);
        }
    }

    private static void take(Map<String, Set<String>> index, String key, String name) {
        Set<String> some = index.get(key);
        if (some != null && some.remove(name) && some.isEmpty()) {
            index.remove(key);
        }
    }
}
