package io.fairlead.fleet.publication;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The publications that are required in their targets, as they were at a look at all of them.
 *
 * @param looked the clusters that were registered then, with their labels
 * @param available in which of them publications are required, and whether each is available there; by its name
 */
record RequiredPublications(
        Map<ClusterName, Map<String, String>> looked, Map<ClusterName, Map<String, Finding>> available) {
    static final RequiredPublications NOT_LOOKED = new RequiredPublications(Map.of(), Map.of());

    /** Those in a cluster; empty if it was not registered at the look, or had other labels. */
    Optional<Map<String, Finding>> in(ClusterName cluster, @Nullable Map<String, String> labels) {
        boolean isLookedAt = labels != null && labels.equals(looked.get(cluster));
        return isLookedAt ? Optional.of(available.getOrDefault(cluster, Map.of())) : Optional.empty();
    }

    /** Collects them. */
    static final class Builder {
        private final Map<ClusterName, Map<String, String>> looked;
        private final Map<ClusterName, Map<String, Finding>> available = new HashMap<>();

        Builder(Map<ClusterName, Map<String, String>> looked) {
            this.looked = Map.copyOf(looked);
        }

        /** A publication as it is in a cluster in which it is wanted. */
        void add(ClusterName cluster, Publication publication, Progress progress) {
            if (publication.isRequired()) {
                available.computeIfAbsent(cluster, _ -> new HashMap<>()).put(publication.name(), available(progress));
            }
        }

        private static Finding available(Progress progress) {
            if (progress.isDone(Step.AVAILABLE)) {
                return Finding.yes("Passed", "it is available");
            }
            return progress.problem()
                    .map(problem -> Finding.no(problem.reason(), problem.message()))
                    .orElse(Finding.no("NotObserved", "it was not looked at yet"));
        }

        RequiredPublications build() {
            return new RequiredPublications(looked, Map.copyOf(available));
        }
    }
}
