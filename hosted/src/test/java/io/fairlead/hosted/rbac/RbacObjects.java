package io.fairlead.hosted.rbac;

import io.fairlead.hosted.ObjectReader;
import io.fairlead.model.GroupResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** RBAC objects in memory. */
final class RbacObjects implements ObjectReader {
    private final Map<String, List<ObjectNode>> byResource = new HashMap<>();
    private long revision;

    RbacObjects role(String namespace, String name, String rules) {
        return put(
                "roles",
                "{\"kind\":\"Role\",\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\"},\"rules\":%s}"
                        .formatted(namespace, name, rules));
    }

    RbacObjects clusterRole(String name, String rules) {
        return put(
                "clusterroles",
                "{\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"%s\"},\"rules\":%s}".formatted(name, rules));
    }

    /** The subject is written {@code User jane}. */
    RbacObjects bind(String namespace, String name, String role, String subject) {
        return put(
                namespace.isEmpty() ? "clusterrolebindings" : "rolebindings", binding(namespace, name, role, subject));
    }

    static String binding(String namespace, String name, String role, String subject) {
        String[] ref = role.split(" ", -1);
        String[] who = subject.split(" ", -1);
        return """
            {"kind":"%s","metadata":{"namespace":"%s","name":"%s"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"%s","name":"%s"},
             "subjects":[{"kind":"%s","name":"%s","namespace":"%s"}]}\
            """.formatted(
                        namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding",
                        namespace,
                        name,
                        ref[0],
                        ref[1],
                        who[0],
                        who[1],
                        who.length > 2 ? who[2] : "");
    }

    RbacObjects put(String resource, String object) {
        byResource.computeIfAbsent(resource, ignored -> new ArrayList<>()).add((ObjectNode)
                JsonMapper.shared().readTree(object));
        revision++;
        return this;
    }

    void clear(String resource) {
        byResource.remove(resource);
        revision++;
    }

    @Override
    public List<ObjectNode> list(GroupResource resource, String namespace) {
        return List.copyOf(byResource.getOrDefault(resource.resource(), List.of()));
    }

    @Override
    public @Nullable ObjectNode get(GroupResource resource, String namespace, String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long revision(GroupResource resource) {
        return revision;
    }
}
