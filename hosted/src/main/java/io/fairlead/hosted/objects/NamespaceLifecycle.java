package io.fairlead.hosted.objects;

import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.schema.json.ObjectName;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.List;

/** Which namespaces take new objects (kube-apiserver's NamespaceLifecycle admission). */
public final class NamespaceLifecycle {
    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    private NamespaceLifecycle() {}

    /**
     * Checks that the namespace of a new object exists and accepts new content.
     *
     * @throws io.fairlead.model.StatusException 404 or 403
     */
    public static void checkOpen(
            RevisionedStore store, ClusterKeys keys, ServedResource resource, String namespace, String name) {
        Entry entry = store.get(keys.resource(NAMESPACES) + ClusterKeys.segment(namespace));
        if (entry == null) {
            throw Refusals.notFound(NAMESPACES, namespace);
        }
        if (ObjectName.of(entry.value()).isTerminating()) {
            throw Refusals.forbidden(
                    resource.groupResource(),
                    name,
                    "unable to create new content in namespace " + namespace + " because it is being terminated",
                    List.of(new Status.Cause(
                            "NamespaceTerminating",
                            "namespace " + namespace + " is being terminated",
                            "metadata.namespace")));
        }
    }
}
