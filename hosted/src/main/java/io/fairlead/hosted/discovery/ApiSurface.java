package io.fairlead.hosted.discovery;

import io.fairlead.hosted.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The served resources by group and version, in the order in which discovery lists them: Kubernetes' own groups by their
 * APIService priority (controlplane {@code apiserver/aggregator.go}), then all others by name; versions kube-aware.
 */
final class ApiSurface {
    private static final List<String> GROUPS_FIRST = List.of(
            "",
            "apiregistration.k8s.io",
            "apps",
            "events.k8s.io",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "autoscaling",
            "batch",
            "certificates.k8s.io",
            "networking.k8s.io",
            "policy",
            "rbac.authorization.k8s.io",
            "storage.k8s.io",
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "scheduling.k8s.io",
            "coordination.k8s.io",
            "node.k8s.io",
            "discovery.k8s.io",
            "flowcontrol.apiserver.k8s.io");
    private static final Comparator<String> GROUP_ORDER =
            Comparator.comparingInt(ApiSurface::rank).thenComparing(Comparator.naturalOrder());

    private final Map<String, Map<String, List<ResourceType>>> groups = new TreeMap<>(GROUP_ORDER);

    ApiSurface(List<ResourceType> types) {
        for (ResourceType type : types) {
            groups.computeIfAbsent(type.group(), ignored -> new TreeMap<>(VersionOrder.BEST_FIRST))
                    .computeIfAbsent(type.version(), ignored -> new ArrayList<>())
                    .add(type);
        }
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

    /** The resources of a group's version; null if it is not served. */
    @Nullable
    List<ResourceType> resources(String group, String version) {
        return versions(group).get(version);
    }

    private static int rank(String group) {
        int index = GROUPS_FIRST.indexOf(group);
        return index < 0 ? GROUPS_FIRST.size() : index;
    }
}
