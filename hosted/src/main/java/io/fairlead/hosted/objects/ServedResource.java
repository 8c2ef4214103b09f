package io.fairlead.hosted.objects;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.model.GroupResource;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A resource in one version with all that is needed to serve it.
 *
 * @param type its names and verbs
 * @param prefix the key prefix of its objects of any version
 * @param codec decodes and encodes its objects
 * @param rules the rules of the kind
 * @param admission called before writes
 * @param selectable its own selectable fields and their JSON pointers
 * @param scale the paths of its scale, or null if it has none
 * @param creatable whether objects may be created; false once its CRD is being deleted
 * @param guard holds while objects are validated and committed
 * @param deprecation the warning that every request gets, or null
 */
public record ServedResource(
        ResourceType type,
        String prefix,
        Codec codec,
        KindRules rules,
        List<AdmissionHook> admission,
        Map<String, String> selectable,
        @Nullable Scale scale,
        BooleanSupplier creatable,
        CommitGuard guard,
        @Nullable String deprecation) {
    public GroupResource groupResource() {
        return type.groupResource();
    }

    /** The prefix of the objects of a namespace, or of all if the namespace is empty. */
    public String prefix(String namespace) {
        return type.namespaced() && !namespace.isEmpty() ? prefix + ClusterKeys.segment(namespace) + "/" : prefix;
    }

    public String key(String namespace, String name) {
        return prefix(namespace) + ClusterKeys.segment(name);
    }

    /** The same for a request judged by a state of the definition. */
    public ServedResource judgedBy(DefinitionState state) {
        return new ServedResource(
                type,
                prefix,
                codec,
                rules,
                admission,
                selectable,
                scale,
                creatable,
                guard.judgedBy(state),
                deprecation);
    }

    /** The same for Fairlead's own work, which is about metadata alone: objects stay in the versions in which they are stored. */
    public ServedResource asStored() {
        return new ServedResource(
                type, prefix, codec.asStored(), rules, admission, selectable, scale, creatable, guard, deprecation);
    }

    /** Whether objects are stored in another version than this one, in which they may lose something. */
    boolean isStoredOtherwise() {
        return !type.version().equals(type.storageVersion());
    }

    public boolean hasStatus() {
        return type.subresources().contains("status");
    }

    /** Whether nothing keeps an object any longer that is marked for deletion. */
    boolean vanishes(ObjectNode object) {
        return Meta.isTerminating(object) && Meta.finalizers(object).isEmpty() && rules.mayVanish(object);
    }

    /** A stored object in this version. */
    public ObjectNode read(Entry entry) {
        return read(entry.value(), entry.revision());
    }

    /** A stored object in the version in which it is judged. */
    ObjectNode judged(Entry entry) {
        return versioned(codec.judgedFromStore(entry.value()), entry.revision());
    }

    /** A stored object in this version, with a resource version. */
    public ObjectNode read(byte[] value, long revision) {
        return versioned(codec.fromStore(value), revision);
    }

    private static ObjectNode versioned(ObjectNode object, long revision) {
        object.withObjectProperty("metadata").put("resourceVersion", Long.toString(revision));
        return object;
    }
}
