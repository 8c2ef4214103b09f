package io.fairlead.fleet.clustersdir;

import io.fairlead.fleet.ClusterKind;
import io.fairlead.fleet.ClusterSpec;
import io.fairlead.fleet.Registration;
import io.fairlead.fleet.SourceFile;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.schema.json.Json;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of the root cluster that files declare, each with the annotation {@value SourceFile#ANNOTATION}.
 *
 * <p>Threads: one at a time; calls block.
 */
final class DeclaredObjects {
    private static final Set<String> NOT_DECLARED = Set.of("apiVersion", "kind", "metadata", "status");

    private final RootApi api;
    private final Map<Key, Applied> applied = new HashMap<>();

    DeclaredObjects(RootApi api) {
        this.api = api;
    }

    /** The identity of an object. */
    record Key(GroupVersionResource resource, String namespace, String name) {
        static Key of(ObjectNode object) {
            boolean isSecret = isSecret(object);
            return new Key(
                    isSecret ? RootApi.SECRETS : ClusterKind.CLUSTERS,
                    isSecret ? RootApi.SYSTEM_NAMESPACE : "",
                    object.path("metadata").path("name").asString(""));
        }

        @Override
        public String toString() {
            return (resource.equals(RootApi.SECRETS) ? "Secret \"" : "Cluster \"") + name + "\"";
        }
    }

    /** The declared object, and the root cluster's version of it. */
    private record Applied(ObjectNode declared, ObjectNode kept) {}

    /**
     * Applies a file, over changes by others; applies none of its objects if the root cluster refuses one.
     *
     * <p>Secrets first, so that no cluster is without its credential for a moment.
     *
     * @return the refused object and the reason, if any
     */
    Optional<String> apply(ClusterFile file) {
        List<ObjectNode> declared = file.objects().stream()
                .sorted(Comparator.comparing(DeclaredObjects::isSecret).reversed())
                .map(object -> withSource(object, file.name()))
                .toList();
        Map<String, ObjectNode> secrets = new HashMap<>();
        Optional<String> refusal = ScopedValue.where(Registration.PENDING_SECRETS, secrets)
                .call(() -> refusal(declared, object -> rehearse(object, secrets)));
        return refusal.or(() -> refusal(declared, this::apply));
    }

    private static Optional<String> refusal(List<ObjectNode> objects, Consumer<ObjectNode> step) {
        for (ObjectNode object : objects) {
            try {
                step.accept(object);
            } catch (RootApi.RootApiException refused) {
                return Optional.of(Key.of(object) + " is refused: " + refused.getMessage());
            }
        }
        return Optional.empty();
    }

    private void rehearse(ObjectNode declared, Map<String, ObjectNode> secrets) {
        Key key = Key.of(declared);
        Optional<ObjectNode> found = api.get(key.resource(), key.namespace(), key.name());
        if (found.isPresent() && isSettled(key, declared, found.get())) {
            return;
        }
        ObjectNode made = found.isEmpty()
                ? api.dryRunCreate(key.resource(), key.namespace(), declared)
                : api.dryRunUpdate(key.resource(), key.namespace(), replaced(found.get(), declared));
        if (isSecret(declared)) {
            secrets.put(key.name(), made);
        }
    }

    private void apply(ObjectNode declared) {
        Key key = Key.of(declared);
        Optional<ObjectNode> found = api.get(key.resource(), key.namespace(), key.name());
        if (found.isEmpty()) {
            api.createIfAbsent(key.resource(), key.namespace(), declared);
        } else if (isSettled(key, declared, found.get())) {
            return;
        } else {
            api.update(key.resource(), key.namespace(), replaced(found.get(), declared), "");
        }
        api.get(key.resource(), key.namespace(), key.name())
                .ifPresent(kept -> applied.put(key, new Applied(declared, essence(kept))));
    }

    private boolean isSettled(Key key, ObjectNode declared, ObjectNode found) {
        return found.path("metadata").has("deletionTimestamp")
                || new Applied(declared, essence(found)).equals(applied.get(key));
    }

    private static boolean isSecret(ObjectNode object) {
        return object.path("kind").asString("").equals("Secret");
    }

    /** The objects declared by some files, each with the name of its file. */
    Map<Key, String> from(Set<String> files) {
        Map<Key, String> sources = new HashMap<>();
        if (!files.isEmpty()) {
            addFrom(files, ClusterKind.CLUSTERS, "", sources);
            addFrom(files, RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, sources);
        }
        return sources;
    }

    private void addFrom(Set<String> files, GroupVersionResource resource, String namespace, Map<Key, String> sources) {
        for (JsonNode object : api.list(resource, namespace).path("items").values()) {
            String source = SourceFile.annotation(object).asString("");
            if (files.contains(source)) {
                sources.put(new Key(resource, namespace, name(object)), source);
            }
        }
    }

    /**
     * Removes objects that files no longer declare: attached registrations, and Secrets that no registration uses. A
     * hosted cluster stays, without the annotation.
     *
     * @param declared the declared objects
     * @param broken the existing but invalid files, whose objects stay
     */
    void removeOthers(Set<Key> declared, Set<String> broken) {
        for (JsonNode cluster : api.list(ClusterKind.CLUSTERS, "").path("items").values()) {
            if (isOrphan((ObjectNode) cluster, ClusterKind.CLUSTERS, declared, broken)) {
                if (cluster.path("spec").has("attached")) {
                    api.delete(ClusterKind.CLUSTERS, "", name(cluster));
                } else {
                    release(ClusterKind.CLUSTERS, "", (ObjectNode) cluster);
                }
            }
        }
        Set<String> used = usedSecrets();
        for (JsonNode secret : api.list(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE)
                .path("items")
                .values()) {
            if (isOrphan((ObjectNode) secret, RootApi.SECRETS, declared, broken)) {
                if (used.contains(name(secret))) {
                    release(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, (ObjectNode) secret);
                } else {
                    api.delete(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, name(secret));
                }
            }
        }
        applied.keySet().retainAll(declared);
    }

    private static boolean isOrphan(
            ObjectNode object, GroupVersionResource resource, Set<Key> declared, Set<String> broken) {
        JsonNode source = SourceFile.annotation(object);
        String namespace = resource.equals(RootApi.SECRETS) ? RootApi.SYSTEM_NAMESPACE : "";
        return source.isString()
                && !broken.contains(source.asString(""))
                && !declared.contains(new Key(resource, namespace, name(object)))
                && !object.path("metadata").has("deletionTimestamp");
    }

    private Set<String> usedSecrets() {
        Set<String> used = new HashSet<>();
        for (JsonNode cluster : api.list(ClusterKind.CLUSTERS, "").path("items").values()) {
            if (ClusterSpec.of((ObjectNode) cluster) instanceof ClusterSpec.Attached attached) {
                used.addAll(attached.secrets());
            }
        }
        return used;
    }

    private void release(GroupVersionResource resource, String namespace, ObjectNode object) {
        ((ObjectNode) object.path("metadata").path("annotations")).remove(SourceFile.ANNOTATION);
        object.put("apiVersion", resource.groupVersion().apiVersion());
        object.put("kind", resource.equals(RootApi.SECRETS) ? "Secret" : "Cluster");
        api.update(resource, namespace, object, "");
    }

    private static ObjectNode withSource(ObjectNode object, String file) {
        ObjectNode declared = object.deepCopy();
        ObjectNode metadata = (ObjectNode) declared.path("metadata");
        ObjectNode annotations = metadata.path("annotations") instanceof ObjectNode given ? given : Json.object();
        annotations.put(SourceFile.ANNOTATION, file);
        metadata.set("annotations", annotations);
        return declared;
    }

    /** A file declares everything except what the server and controllers write. */
    private static ObjectNode replaced(ObjectNode found, ObjectNode declared) {
        ObjectNode replaced = found.deepCopy();
        replaced.propertyNames().stream()
                .filter(field -> !NOT_DECLARED.contains(field))
                .toList()
                .forEach(replaced::remove);
        declared.properties().stream()
                .filter(field -> !NOT_DECLARED.contains(field.getKey()))
                .forEach(field -> replaced.set(field.getKey(), field.getValue()));
        ObjectNode metadata = (ObjectNode) replaced.path("metadata");
        for (String field : List.of("labels", "annotations")) {
            if (declared.path("metadata").has(field)) {
                metadata.set(field, declared.path("metadata").path(field));
            } else {
                metadata.remove(field);
            }
        }
        return replaced;
    }

    /** The part of an object that a file can declare. */
    private static ObjectNode essence(ObjectNode object) {
        ObjectNode essence = Json.object();
        object.properties().stream()
                .filter(field -> !NOT_DECLARED.contains(field.getKey()))
                .forEach(field -> essence.set(field.getKey(), field.getValue()));
        essence.set("labels", object.path("metadata").path("labels").deepCopy());
        essence.set("annotations", object.path("metadata").path("annotations").deepCopy());
        return essence;
    }

    private static String name(JsonNode object) {
        return object.path("metadata").path("name").asString("");
    }
}
