package io.fairlead.hosted.rbac;

import io.fairlead.schema.json.JsonResources;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ClusterRoles and ClusterRoleBindings that every hosted cluster starts with: those of a bare API server
 * ({@code bootstrappolicy}) that apply to a cluster without nodes.
 *
 * <p>Each carries the label {@code kubernetes.io/bootstrapping: rbac-defaults} and the annotation {@code
 * rbac.authorization.kubernetes.io/autoupdate: "true"}.
 */
public final class BootstrapPolicy {
    private static final String RESOURCE = "bootstrap-policy.json";

    private BootstrapPolicy() {}

    /** New copies of the objects, roles before bindings; aggregated roles with their rules. */
    public static List<ObjectNode> objects() {
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode object : JsonResources.read(BootstrapPolicy.class, RESOURCE)) {
            objects.add((ObjectNode) object);
        }
        return Aggregation.settled(objects);
    }
}
