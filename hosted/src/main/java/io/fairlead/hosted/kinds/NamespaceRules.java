package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.GroupResource;
import io.fairlead.schema.meta.NameRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces (kubernetes {@code registry/core/namespace}). */
final class NamespaceRules implements KindRules {
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");
    private static final String FINALIZER = "kubernetes";

    private final @Nullable String further;

    /** With one more namespace that cannot be deleted, or null for none (NamespaceLifecycle of kube-apiserver). */
    NamespaceRules(@Nullable String further) {
        this.further = further;
    }

    @Override
    public NameRule nameRule() {
        return NameRule.DNS_LABEL;
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return true;
    }

    @Override
    public boolean qualifiesFinalizers() {
        return true;
    }

    @Override
    public boolean notesOnlyTimeOfDeletion() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    @Override
    public Map<String, String> selectableFields() {
        return Map.of("status.phase", "/status/phase", "name", "/metadata/name");
    }

    @Override
    public void prepareForCreate(ObjectNode namespace) {
        List<String> finalizers =
                new ArrayList<>(Meta.strings(namespace.path("spec").path("finalizers")));
        if (!finalizers.contains(FINALIZER)) {
            finalizers.add(FINALIZER);
        }
        Meta.setStrings(namespace.withObjectProperty("spec"), "finalizers", finalizers);
        namespace.putObject("status").put("phase", "Active");
    }

    @Override
    public void prepareForUpdate(ObjectNode namespace, ObjectNode old) {
        keep(namespace, old, "spec");
    }

    @Override
    public List<String> untouchedBy(String subresource) {
        return List.of(subresource.equals("finalize") ? "status" : "spec");
    }

    @Override
    public ObjectNode merge(String subresource, ObjectNode sent, ObjectNode stored) {
        ObjectNode merged = sent.deepCopy();
        if (subresource.equals("finalize")) {
            keep(merged, stored, "status");
            Meta.setStrings(Meta.of(merged), "finalizers", Meta.finalizers(stored));
        } else {
            keep(merged, stored, "spec");
        }
        return merged;
    }

    @Override
    public void checkDelete(String name) {
        if (IMMORTAL.contains(name) || name.equals(further)) {
            throw Refusals.forbidden(
                    new GroupResource("", "namespaces"), name, "this namespace may not be deleted", List.of());
        }
    }

    @Override
    public void prepareForDelete(ObjectNode namespace) {
        namespace.withObjectProperty("status").put("phase", "Terminating");
    }

    @Override
    public boolean mayVanish(ObjectNode namespace) {
        return namespace.path("spec").path("finalizers").isEmpty();
    }

    @Override
    public void complete(ObjectNode namespace) {
        Meta.of(namespace).withObjectProperty("labels").put("kubernetes.io/metadata.name", Meta.name(namespace));
    }

    private static void keep(ObjectNode object, ObjectNode stored, String member) {
        JsonNode value = stored.get(member);
        if (value == null) {
            object.remove(member);
        } else {
            object.set(member, value.deepCopy());
        }
    }
}
