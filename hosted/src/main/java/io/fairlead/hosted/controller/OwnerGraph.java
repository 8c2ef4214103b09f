package io.fairlead.hosted.controller;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The owner references between objects, by their keys in the store. Empty in a cluster without owner references.
 *
 * <p>Threads: only the collector's worker writes; {@link #isOwner} may be called from any thread.
 */
final class OwnerGraph {
    private final Map<String, List<Link>> owners = new HashMap<>();
    private final Map<String, Set<String>> dependents = new ConcurrentHashMap<>();

    /** Whether any object names the object under this key as its owner. */
    boolean isOwner(String key) {
        return dependents.containsKey(key);
    }

    /** The objects that name the owner, or an earlier object under its key. */
    Set<String> dependents(String ownerKey) {
        Set<String> keys = dependents.get(ownerKey);
        return keys == null ? Set.of() : new HashSet<>(keys);
    }

    /** The last known owners of an object. */
    List<Link> owners(String key) {
        return owners.getOrDefault(key, List.of());
    }

    /** The link from a dependent to an incarnation of an owner, null if there is none. */
    @Nullable
    Link link(String key, String ownerKey, String ownerUid) {
        for (Link link : owners(key)) {
            if (link.ownerKey().equals(ownerKey) && link.uid().equals(ownerUid)) {
                return link;
            }
        }
        return null;
    }

    /** Replaces the known owners of an object; no links remove the object. Returns the previous owners. */
    List<Link> put(String key, List<Link> links) {
        List<Link> before = links.isEmpty() ? owners.remove(key) : owners.put(key, List.copyOf(links));
        links.forEach(link -> dependents.merge(link.ownerKey(), Set.of(key), OwnerGraph::with));
        List<Link> old = before == null ? List.of() : before;
        Set<String> owned = HashSet.newHashSet(links.size());
        links.forEach(link -> owned.add(link.ownerKey()));
        for (Link link : old) {
            if (!owned.contains(link.ownerKey())) {
                dependents.computeIfPresent(link.ownerKey(), (owner, keys) -> without(keys, key));
            }
        }
        return old;
    }

    /** Most owners have one dependent, which takes no table. */
    private static Set<String> with(Set<String> keys, Set<String> one) {
        if (keys.containsAll(one)) {
            return keys;
        }
        if (keys.size() > 1) {
            keys.addAll(one);
            return keys;
        }
        Set<String> two = ConcurrentHashMap.newKeySet();
        two.addAll(keys);
        two.addAll(one);
        return two;
    }

    private static @Nullable Set<String> without(Set<String> keys, String key) {
        if (keys.size() == 1) {
            return keys.contains(key) ? null : keys;
        }
        keys.remove(key);
        return keys;
    }
}
