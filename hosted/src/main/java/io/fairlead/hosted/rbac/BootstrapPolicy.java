package io.fairlead.hosted.rbac;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
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
        for (JsonNode object : read()) {
            objects.add((ObjectNode) object);
        }
        return Aggregation.settled(objects);
    }

    private static JsonNode read() {
        try (InputStream in = Objects.requireNonNull(BootstrapPolicy.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
