package io.fairlead.index.conditions;

import io.fairlead.model.ClusterName;

/**
 * An object of the resource of a record.
 *
 * @param namespace empty if the resource has none
 */
public record ObjectKey(ClusterName cluster, String namespace, String name) {
    /** {@code namespace/name}, or the name. */
    public String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
