package io.fairlead.hosted;

import io.fairlead.model.GroupResource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stored objects of one cluster as a cache holds them, for evaluators that read them on every request.
 *
 * <p>Reads neither block nor copy: the nodes are shared and not to be changed. The cache trails acknowledged writes by
 * milliseconds. Served for the RBAC kinds and namespaces; asking for any other resource is a programmer's error.
 *
 * <p>Threads: any.
 */
public interface ObjectReader {
    /** The objects of a resource, of all namespaces if {@code namespace} is empty, in key order. */
    List<ObjectNode> list(GroupResource resource, String namespace);

    /** One object, or null if there is none. */
    @Nullable
    ObjectNode get(GroupResource resource, String namespace, String name);

    /**
     * The revision of the newest change of a resource that these reads show; unchanged means equal answers.
     *
     * @throws io.fairlead.model.StatusException with 503 while the cache is not {@link #isCurrent}
     */
    long revision(GroupResource resource);

    /** Whether these reads show what clients were told, but for the last moments. */
    default boolean isCurrent() {
        return true;
    }
}
