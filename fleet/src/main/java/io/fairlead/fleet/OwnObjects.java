package io.fairlead.fleet;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** The initial objects of the root cluster. */
final class OwnObjects {
    private OwnObjects() {}

    /** The namespace for credentials of attached clusters. */
    static ObjectNode namespace() {
        ObjectNode namespace = Json.object();
        namespace.put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", RootApi.SYSTEM_NAMESPACE);
        return namespace;
    }

    /** The registration of the root cluster itself. */
    static ObjectNode rootCluster() {
        ObjectNode cluster = Json.object();
        cluster.put("apiVersion", "fairlead.io/v1alpha1").put("kind", "Cluster");
        cluster.putObject("metadata").put("name", ClusterName.ROOT.value());
        ObjectNode spec = cluster.putObject("spec");
        spec.put("displayName", "Fairlead's own resources");
        spec.putObject("hosted").put("builtIns", "Core").put("deletionPolicy", "Retain");
        return cluster;
    }
}
