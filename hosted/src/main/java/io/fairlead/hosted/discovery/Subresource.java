package io.fairlead.hosted.discovery;

import io.fairlead.hosted.ResourceType;
import java.util.Comparator;
import java.util.List;

/**
 * A subresource as discovery lists it.
 *
 * @param name its name ({@code status})
 * @param group the group of the kind that it reads and writes
 * @param version the version of that kind
 * @param kind that kind
 * @param verbs the verbs it serves
 */
record Subresource(String name, String group, String version, String kind, List<String> verbs) {
    private static final List<String> READ_AND_WRITE = List.of("get", "patch", "update");

    /** The subresources of a resource, by name; those of custom resources as kube-apiserver lists them, status first. */
    static List<Subresource> of(ResourceType type) {
        Comparator<String> byName = Comparator.naturalOrder();
        return type.subresources().stream()
                .sorted(type.custom() ? byName.reversed() : byName)
                .map(name -> of(type, name))
                .toList();
    }

    private static Subresource of(ResourceType type, String name) {
        return switch (name) {
            case "scale" -> new Subresource(name, "autoscaling", "v1", "Scale", READ_AND_WRITE);
            case "token" -> new Subresource(name, "authentication.k8s.io", "v1", "TokenRequest", List.of("create"));
            case "eviction" -> new Subresource(name, "policy", "v1", "Eviction", List.of("create"));
            case "log" -> own(type, name, List.of("get"));
            case "finalize" -> own(type, name, List.of("update"));
            default -> own(type, name, READ_AND_WRITE);
        };
    }

    private static Subresource own(ResourceType type, String name, List<String> verbs) {
        return new Subresource(name, type.group(), type.version(), type.kind(), verbs);
    }

    boolean ofOwnKind(ResourceType type) {
        return kind.equals(type.kind()) && group.equals(type.group()) && version.equals(type.version());
    }
}
