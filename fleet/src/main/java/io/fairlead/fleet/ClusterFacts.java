package io.fairlead.fleet;

import io.fairlead.fleet.availability.Requirement;
import io.fairlead.model.ClusterName;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the objects of the registered clusters say to other parts of the fleet, as they were at their last turns, which is before
 * the clusters are served.
 *
 * <p>Threads: the fleet's controller writes; any reads immutable snapshots, each the same object until something changes.
 */
public final class ClusterFacts implements RegisteredClusters {
    private final PerCluster<Map<String, String>> labels = new PerCluster<>();
    private final PerCluster<String> aliases = new PerCluster<>();
    private final PerCluster<Requirement> requirements = new PerCluster<>();
    private final PerCluster<Vouching> vouching = new PerCluster<>();
    private final ReviewingClusters reviewing = new ReviewingClusters();

    ClusterFacts() {}

    /** The labels of each. */
    public Map<ClusterName, Map<String, String>> labels() {
        return labels.all();
    }

    @Override
    public Map<ClusterName, Map<String, String>> get() {
        return labels();
    }

    /** One that names no registration is none, and neither are those that name each other. */
    @Override
    public @Nullable ClusterName aliasOf(ClusterName name) {
        Set<ClusterName> seen = new HashSet<>(Set.of(name));
        ClusterName primary = name;
        for (ClusterName next = named(primary); next != null; next = named(primary)) {
            if (!seen.add(next)) {
                return null;
            }
            primary = next;
        }
        return primary.equals(name) ? null : primary;
    }

    private @Nullable ClusterName named(ClusterName alias) {
        String other = aliases.get(alias);
        if (other == null || !ClusterName.isValid(other)) {
            return null;
        }
        ClusterName name = new ClusterName(other);
        return labels.get(name) == null ? null : name;
    }

    /** The APIServices that each requires. */
    public Map<ClusterName, Requirement> requirements() {
        return requirements.all();
    }

    /** Those that one requires; of no cluster if none is registered under the name. */
    Requirement requirement(ClusterName name) {
        return Objects.requireNonNullElse(requirements.get(name), Requirement.OF_NONE);
    }

    /** For whom one vouches; for none if none is registered under the name. */
    Vouching vouching(ClusterName name) {
        return Objects.requireNonNullElse(vouching.get(name), Vouching.NONE);
    }

    /**
     * The cluster that is asked whose tokens are ({@link Vouching#asksForTokens}) by which refusals under a name are measured:
     * itself where it is such a cluster, else always the same one. Empty while none is asked.
     */
    public Optional<ClusterName> reviewerFor(ClusterName name) {
        return reviewing.of(name);
    }

    /** Whether what is known under a name is of another object than this one. */
    boolean isOfAnother(ClusterName name, JsonNode cluster) {
        Requirement known = requirements.get(name);
        return known != null && !known.isOf(cluster);
    }

    /** Which cluster has a name now, at which servers; empty if none is registered under it. */
    public String which(ClusterName name) {
        return requirement(name).cluster();
    }

    void put(ClusterName name, JsonNode cluster) {
        Map<String, String> all = new HashMap<>();
        cluster.at("/metadata/labels")
                .properties()
                .forEach(label -> all.put(label.getKey(), label.getValue().asString("")));
        aliases.put(name, cluster.at("/spec/aliasOf").asString(""));
        labels.put(name, Collections.unmodifiableMap(all));
        requirements.put(name, Requirement.of(cluster));
        Vouching now = Vouching.of(cluster);
        vouching.put(name, now);
        if (now.asksForTokens()) {
            reviewing.add(name);
        } else {
            reviewing.remove(name);
        }
    }

    void remove(ClusterName name) {
        labels.remove(name);
        aliases.remove(name);
        requirements.remove(name);
        vouching.remove(name);
        reviewing.remove(name);
    }
}
