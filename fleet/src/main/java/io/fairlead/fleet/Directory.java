package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The registered clusters as requests see them: an immutable snapshot, which the fleet's controller replaces. */
final class Directory implements ClusterDirectory {
    private volatile Map<ClusterName, ClusterEntry> entries = Map.of();
    private volatile boolean isAnyOpening;
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

    /** All clusters with these members from now on. */
    void publish(Map<ClusterName, Member> members) {
        Map<ClusterName, ClusterEntry> now = new HashMap<>();
        members.forEach((name, member) -> now.put(name, member.entry()));
        entries = Map.copyOf(now);
        isAnyOpening = now.values().stream().anyMatch(ClusterEntry.Opening.class::isInstance);
    }

    /** Whether some hosted cluster is being opened. */
    boolean isAnyOpening() {
        return isAnyOpening;
    }

    /** Ends what goes on in a cluster if its published member is withheld. */
    void endRequests(ClusterName name, Member member) {
        if (member instanceof Member.Withheld) {
            withheld.accept(name);
        }
    }

    /** The names of all registered clusters. */
    Set<ClusterName> names() {
        return entries.keySet();
    }

    /** The names of those that depend on what Secrets hold. */
    Set<ClusterName> attached() {
        Map<ClusterName, ClusterEntry> attached = new HashMap<>(entries);
        attached.values().removeIf(ClusterEntry.Hosted.class::isInstance);
        return attached.keySet();
    }
}
