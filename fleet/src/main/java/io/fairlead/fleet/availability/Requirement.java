package io.fairlead.fleet.availability;

import io.fairlead.clustersync.source.Finding;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The APIServices that a cluster requires by its object.
 *
 * @param cluster which cluster it is, at which servers: what was observed of another one, which had the same name, says
 *     nothing about it
 * @param isAttached whether its own servers say whether they are available
 * @param names each {@code version.group}
 */
public record Requirement(String cluster, boolean isAttached, Set<String> names) {
    /** Of no cluster. */
    public static final Requirement OF_NONE = new Requirement("", false, Set.of());

    public Requirement {
        names = Collections.unmodifiableSet(new HashSet<>(names));
    }

    /** Whether what was required was available, with all else that the cluster waits for. */
    public record Look(Requirement requirement, Finding available) {}

    /** That of a {@code Cluster}. */
    public static Requirement of(JsonNode cluster) {
        Set<String> names = new HashSet<>();
        cluster.at("/spec/requiredAPIServices").values().forEach(name -> names.add(name.asString("")));
        JsonNode attached = cluster.at("/spec/attached");
        return new Requirement(uid(cluster) + "/" + attached.hashCode(), attached.isObject(), names);
    }

    /** Whether it is that of a {@code Cluster}, as it is or was. */
    public boolean isOf(JsonNode object) {
        return cluster.startsWith(uid(object) + "/");
    }

    private static String uid(JsonNode cluster) {
        return cluster.at("/metadata/uid").asString("");
    }
}
