package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The registered clusters as requests see them. The fleet's controller publishes one at a time, so that a change costs the same
 * however many there are.
 */
final class Directory implements ClusterDirectory {
    private final ConcurrentMap<ClusterName, ClusterEntry> entries = new ConcurrentHashMap<>();

    /** Those that are being opened, from before they can be looked up until they are seen to be open. */
    private final Set<ClusterName> opening = ConcurrentHashMap.newKeySet();

    private volatile Consumer<ClusterName> withheld = _ -> {};

    @Override
    public ClusterEntry lookup(ClusterName name) {
        ClusterEntry entry = entries.get(name);
        if (entry instanceof ClusterEntry.Opening opening) {
            // It may be open, but the controller has not reported that yet.
            return opening.opens()
                    .opened()
                    .<ClusterEntry>map(ClusterEntry.Hosted::new)
                    .orElse(opening);
        }
        return entry == null ? new ClusterEntry.NotRegistered(name) : entry;
    }

    @Override
    public void whenWithheld(Consumer<ClusterName> listener) {
        withheld = listener;
    }

    /** A cluster has this member from now on. */
    void publish(ClusterName name, Member member) {
        ClusterEntry entry = member.entry();
        if (entry instanceof ClusterEntry.Opening) {
            opening.add(name);
            entries.put(name, entry);
        } else {
            entries.put(name, entry);
            opening.remove(name);
        }
    }

    /** A cluster is registered no longer. */
    void withdraw(ClusterName name) {
        entries.remove(name);
        opening.remove(name);
    }

    /** Whether some hosted cluster is being opened. */
    boolean isAnyOpening() {
        return !opening.isEmpty();
    }

    /** Ends what goes on in a cluster if its published member is withheld. */
    void endRequests(ClusterName name, Member member) {
        if (member instanceof Member.Withheld) {
            withheld.accept(name);
        }
    }

    /** The names of all registered clusters. */
    Set<ClusterName> names() {
        return Set.copyOf(entries.keySet());
    }

    /** The names of those that depend on what Secrets hold. */
    Set<ClusterName> attached() {
        return entries.entrySet().stream()
                .filter(entry -> !(entry.getValue() instanceof ClusterEntry.Hosted))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
