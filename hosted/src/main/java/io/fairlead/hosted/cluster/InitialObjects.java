package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.controller.LocalApiServices;
import io.fairlead.hosted.controller.NamespaceDefaults;
import io.fairlead.hosted.kinds.data.DataObjects;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.view.ClusterViews;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** What a cluster has as soon as it is opened. */
final class InitialObjects {
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    /** By their names, as they are stored once they are active. */
    private static final Map<String, ObjectNode> ACTIVE_NAMESPACES =
            NAMESPACES.stream().collect(Collectors.toMap(name -> name, InitialObjects::activeNamespace));

    private InitialObjects() {}

    /**
     * The objects of a cluster, those of its views included.
     *
     * @param builtIn its built-in kinds
     */
    static List<ObjectNode> of(List<ServedResource> builtIn, ClusterViews views, ControlPlane.Shared shared) {
        List<ObjectNode> objects = new ArrayList<>();
        for (String namespace : NAMESPACES) {
            objects.add(namespace(namespace));
            objects.addAll(NamespaceDefaults.objects(namespace, shared.rootCertificates()));
        }
        objects.addAll(views.bootstrapObjects());
        if (builtIn.stream().anyMatch(resource -> ServiceAddresses.areOf(resource.type()))) {
            objects.addAll(DataObjects.of(shared.settings().endpoint()));
        }
        if (builtIn.stream().anyMatch(resource -> resource.type().plural().equals(RemoteServices.PLURAL))) {
            objects.addAll(LocalApiServices.objects(versions(types(builtIn, views))));
        }
        return objects;
    }

    /** What a cluster serves without definitions, also without objects. */
    static List<ResourceType> types(List<ServedResource> builtIn, ClusterViews views) {
        return Stream.concat(builtIn.stream().map(ServedResource::type), views.virtualTypes().stream())
                .toList();
    }

    static Set<GroupVersion> versions(List<ResourceType> types) {
        return types.stream().map(ResourceType::groupVersion).collect(Collectors.toSet());
    }

    /** The namespace of this name that each cluster starts with, as it is stored; it must not be changed. */
    static Optional<ObjectNode> namespaceLike(ObjectNode object) {
        return Optional.ofNullable(ACTIVE_NAMESPACES.get(Meta.name(object)));
    }

    private static ObjectNode activeNamespace(String name) {
        ObjectNode object = namespace(name);
        object.withObjectProperty("metadata").putObject("labels").put("kubernetes.io/metadata.name", name);
        object.putObject("spec").putArray("finalizers").add("kubernetes");
        object.putObject("status").put("phase", "Active");
        return object;
    }

    private static ObjectNode namespace(String name) {
        ObjectNode object = Json.object().put("kind", "Namespace").put("apiVersion", "v1");
        object.putObject("metadata").put("name", name);
        return object;
    }
}
