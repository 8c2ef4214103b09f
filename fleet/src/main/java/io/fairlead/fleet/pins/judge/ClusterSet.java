package io.fairlead.fleet.pins.judge;

import io.fairlead.model.ClusterName;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A set of clusters, resolved at each call, so that a cluster is a member from the moment of its registration or label.
 *
 * <p>Threads: any.
 */
public interface ClusterSet {
    /** Whether a cluster is a member, or may be. */
    boolean has(ClusterName cluster);

    /** The known members; usually the same object while they are the same. */
    Set<ClusterName> names();

    /**
     * Every cluster.
     *
     * @param registered the labels of each registered cluster; a new map whenever one changes
     */
    record All(Supplier<Map<ClusterName, Map<String, String>>> registered) implements ClusterSet {
        @Override
        public boolean has(ClusterName cluster) {
            return true;
        }

        @Override
        public Set<ClusterName> names() {
            return registered.get().keySet();
        }
    }

    /** The clusters with these names, registered or not. */
    record Named(Set<ClusterName> names) implements ClusterSet {
        public Named {
            names = Set.copyOf(names);
        }

        @Override
        public boolean has(ClusterName cluster) {
            return names.contains(cluster);
        }
    }

    /**
     * Those with some labels. A cluster with unknown labels may be a member: it has just been registered or removed.
     */
    final class Labelled implements ClusterSet {
        private final Map<String, String> wanted;
        private final Supplier<Map<ClusterName, Map<String, String>>> registered;
        private volatile @Nullable Found found;

        /** The clusters with the labels, resolved in one map. */
        private record Found(Map<ClusterName, Map<String, String>> of, Set<ClusterName> names) {}

        /**
         * By labels.
         *
         * @param wanted the labels that members have
         * @param registered the labels of each registered cluster; a new map whenever one changes
         */
        public Labelled(Map<String, String> wanted, Supplier<Map<ClusterName, Map<String, String>>> registered) {
            this.wanted = Map.copyOf(wanted);
            this.registered = registered;
        }

        @Override
        public boolean has(ClusterName cluster) {
            Map<String, String> labels = registered.get().get(cluster);
            return labels == null || matches(labels);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // identity, not equality: an equal map may be of another moment
        public Set<ClusterName> names() {
            Map<ClusterName, Map<String, String>> now = registered.get();
            Found before = found;
            if (before != null && before.of() == now) {
                return before.names();
            }
            Set<ClusterName> names = now.entrySet().stream()
                    .filter(cluster -> matches(cluster.getValue()))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
            found = new Found(now, names);
            return names;
        }

        private boolean matches(Map<String, String> labels) {
            return labels.entrySet().containsAll(wanted.entrySet());
        }
    }
}
