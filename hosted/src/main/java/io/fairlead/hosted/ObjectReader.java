package io.fairlead.hosted;

import io.fairlead.model.GroupResource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stored objects of one cluster from a cache, for evaluators that read them on every request.
 *
 * <p>Reads neither block nor copy: the nodes are shared and must not be changed. The cache trails acknowledged writes
 * by milliseconds. Serves the RBAC kinds and namespaces; any other resource is a programming error.
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
     * The revision of the newest change of a resource that these reads include; unchanged means equal answers.
     *
     * @throws io.fairlead.model.StatusException with 503 while the cache is not {@link #isCurrent}
     */
    long revision(GroupResource resource);

    /** Whether these reads include all acknowledged writes except those of the last moments. */
    default boolean isCurrent() {
        return true;
    }
}
