package io.fairlead.hosted.objects;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.ResourceType;
import io.fairlead.model.GroupResource;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A resource in one version with everything that serving it needs.
 *
 * @param type what it is called and which verbs it has
 * @param prefix below which its objects stand, whatever their version
 * @param codec how its objects are read and kept
 * @param rules what is particular about the kind
 * @param admission who is asked before writes
 * @param selectable its own selectable fields and their JSON pointers
 * @param scale where its numbers stand, or null if it cannot be scaled
 * @param creatable whether new objects may come now; no longer once its CRD is being deleted
 * @param guard what must hold while objects are checked and committed
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

    /** Below which the objects of a namespace stand, or all if the namespace is empty. */
    public String prefix(String namespace) {
        return type.namespaced() && !namespace.isEmpty() ? prefix + ClusterKeys.segment(namespace) + "/" : prefix;
    }

    public String key(String namespace, String name) {
        return prefix(namespace) + ClusterKeys.segment(name);
    }

    /** The same for a request that was judged by a state of the definition. */
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

    public boolean hasStatus() {
        return type.subresources().contains("status");
    }

    /** A stored object as this version shows it. */
    public ObjectNode read(Entry entry) {
        return read(entry.value(), entry.revision());
    }

    /** A stored object as this version shows it, with a resource version. */
    public ObjectNode read(byte[] value, long revision) {
        ObjectNode object = codec.fromStore(value);
        object.withObjectProperty("metadata").put("resourceVersion", Long.toString(revision));
        return object;
    }
}
