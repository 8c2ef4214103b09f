package io.fairlead.fleet.availability;

import io.fairlead.clustersync.source.Finding;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The APIServices that a cluster requires by its object.
 *
 * @param uid of the {@code Cluster}: another one of the same name is another cluster
 * @param names each {@code version.group}
 */
public record Requirement(String uid, Set<String> names) {
    public Requirement {
        names = Set.copyOf(names);
    }

    /** Whether what was required was available, with all else that the cluster waits for. */
    public record Look(Requirement requirement, Finding available) {}

    /** That of a {@code Cluster}. */
    public static Requirement of(JsonNode cluster) {
        Set<String> names = new HashSet<>();
        cluster.at("/spec/requiredAPIServices").values().forEach(name -> names.add(name.asString("")));
        return new Requirement(cluster.at("/metadata/uid").asString(""), names);
    }
}
