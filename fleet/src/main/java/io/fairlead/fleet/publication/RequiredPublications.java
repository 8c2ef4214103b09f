package io.fairlead.fleet.publication;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The publications that are required in their targets, as they were at a look at all of them.
 *
 * @param looked which clusters were registered then, by their names
 * @param available in which of them publications are required, and whether each is available there; by its name
 */
record RequiredPublications(Map<ClusterName, String> looked, Map<ClusterName, Map<String, Finding>> available) {
    static final RequiredPublications NOT_LOOKED = new RequiredPublications(Map.of(), Map.of());

    /** Those in a cluster; empty if that was not looked at, or another one of the same name. */
    Optional<Map<String, Finding>> in(ClusterName name, String cluster) {
        return cluster.equals(looked.get(name))
                ? Optional.of(available.getOrDefault(name, Map.of()))
                : Optional.empty();
    }

    /** Collects them. */
    static final class Builder {
        private final Map<ClusterName, String> looked;
        private final Map<ClusterName, Map<String, Finding>> available = new HashMap<>();

        Builder(Map<ClusterName, String> looked) {
            this.looked = new HashMap<>(looked);
        }

        /** A publication as it is in a cluster in which it is wanted. As long as one was not looked at, nothing is known. */
        void add(ClusterName cluster, Publication publication, Progress progress) {
            if (!publication.isRequired()) {
                return;
            }
            if (progress.isDone(Step.AVAILABLE)) {
                put(cluster, publication, Finding.yes("Passed", "it is available"));
                return;
            }
            progress.problem()
                    .ifPresentOrElse(
                            problem -> put(cluster, publication, Finding.no(problem.reason(), problem.message())),
                            () -> looked.remove(cluster));
        }

        private void put(ClusterName cluster, Publication publication, Finding finding) {
            available.computeIfAbsent(cluster, _ -> new HashMap<>()).put(publication.name(), finding);
        }

        RequiredPublications build() {
            return new RequiredPublications(Map.copyOf(looked), Map.copyOf(available));
        }
    }
}
