package io.fairlead.fleet.pins.judge;

import io.fairlead.model.ClusterName;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Some clusters. Which, is found out whenever it is asked, so that a cluster counts from the moment that it is registered or
 * labelled so.
 *
 * <p>Threads: any.
 */
public sealed interface ClusterSet {
    /** Whether a cluster is one of them, or may be. */
    boolean has(ClusterName cluster);

    /** Those of them that are known now; the same object while they are the same clusters, as a rule. */
    Set<ClusterName> names();

    /**
     * Every cluster.
     *
     * @param registered the labels of each registered cluster; another map whenever one changes
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

    /** Those of these names, registered or not. */
    record Named(Set<ClusterName> names) implements ClusterSet {
        public Named {
            names = Set.copyOf(names);
        }

        @Override
        public boolean has(ClusterName cluster) {
            return names.contains(cluster);
        }
    }

    /** Those with some labels. A cluster whose labels are not known may be one: it is just registered, or just gone. */
    final class Labelled implements ClusterSet {
        private final Map<String, String> wanted;
        private final Supplier<Map<ClusterName, Map<String, String>>> registered;
        private volatile @Nullable Found found;

        /** Which clusters have the labels, as of one map of all. */
        private record Found(Map<ClusterName, Map<String, String>> of, Set<ClusterName> names) {}

        /**
         * By labels.
         *
         * @param wanted the labels that they all have
         * @param registered the labels of each registered cluster; another map whenever one changes
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
        @SuppressWarnings("ReferenceEquality") // an equal map is another moment's
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
