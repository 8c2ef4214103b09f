package io.fairlead.hosted.discovery;

import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.kinds.data.ApiServicePriority;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.crd.VersionOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The served resources by group and version, in the order in which discovery lists them: by the priorities of their APIServices
 * (apiregistration.k8s.io {@code SortedByGroupAndVersion}), groups then by name, versions kube-aware.
 */
final class ApiSurface {
    /** The aggregator serves it itself, before all that APIServices are for. */
    private static final String FIRST = "apiregistration.k8s.io";

    private final Map<String, Map<String, List<ResourceType>>> groups = new TreeMap<>(this::compareGroups);
    private final Map<GroupVersion, AggregatedVersion> aggregated = new HashMap<>();

    /** By group, the highest of its versions. */
    private final Map<String, Integer> groupPriorities = new HashMap<>();

    /**
     * @param backends what backends serve, in the place of types of the same versions
     */
    ApiSurface(List<ResourceType> types, List<AggregatedVersion> backends) {
        backends.forEach(version -> aggregated.put(version.groupVersion(), version));
        List<ResourceType> own = types.stream()
                .filter(type -> !aggregated.containsKey(type.groupVersion()))
                .toList();
        aggregated.keySet().forEach(this::rank);
        own.forEach(type -> rank(type.groupVersion()));
        aggregated.keySet().forEach(version -> resources(version));
        own.forEach(type -> resources(type.groupVersion()).add(type));
        groups.values()
                .forEach(versions -> versions.values()
                        .forEach(resources -> resources.sort(Comparator.comparing(ResourceType::plural))));
    }

    /** The named groups; the core group is not one of them. */
    List<String> namedGroups() {
        return groups.keySet().stream().filter(group -> !group.isEmpty()).toList();
    }

    /** The versions of a group with their resources; empty if it is not served. */
    Map<String, List<ResourceType>> versions(String group) {
        return groups.getOrDefault(group, Map.of());
    }

    /** What a backend serves as a group's version; null if none does. */
    @Nullable
    AggregatedVersion aggregated(String group, String version) {
        return aggregated.get(new GroupVersion(group, version));
    }

    /** The resources of a group's version; null if it is not served, none if a backend serves it. */
    @Nullable
    List<ResourceType> resources(String group, String version) {
        return versions(group).get(version);
    }

    /** Those of a version, which is served from now on. */
    private List<ResourceType> resources(GroupVersion version) {
        return groups.computeIfAbsent(
                        version.group(),
                        group -> new TreeMap<>(Comparator.comparingInt((String each) ->
                                        -priority(new GroupVersion(group, each)).versionPriority())
                                .thenComparing(VersionOrder.BEST_FIRST)))
                .computeIfAbsent(version.version(), _ -> new ArrayList<>());
    }

    private void rank(GroupVersion version) {
        groupPriorities.merge(version.group(), priority(version).groupPriorityMinimum(), Math::max);
    }

    private ApiServicePriority priority(GroupVersion version) {
        AggregatedVersion ofBackend = aggregated.get(version);
        if (ofBackend != null) {
            return new ApiServicePriority(ofBackend.groupPriority(), ofBackend.versionPriority());
        }
        ApiServicePriority builtIn = ApiServicePriority.ofBuiltIn(version);
        return builtIn == null ? ApiServicePriority.OF_DEFINITIONS : builtIn;
    }

    private int compareGroups(String one, String other) {
        int firsts = Boolean.compare(other.equals(FIRST), one.equals(FIRST));
        if (firsts != 0) {
            return firsts;
        }
        int byPriority = Integer.compare(groupPriorities.getOrDefault(other, 0), groupPriorities.getOrDefault(one, 0));
        return byPriority == 0 ? one.compareTo(other) : byPriority;
    }
}
