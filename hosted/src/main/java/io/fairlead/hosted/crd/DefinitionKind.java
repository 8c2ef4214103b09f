package io.fairlead.hosted.crd;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Conditions;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.model.Status;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.crd.DefinitionRules;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of CustomResourceDefinitions (apiextensions {@code registry/customresourcedefinition}). */
public final class DefinitionKind implements KindRules {
    /** The finalizer that keeps a definition until its objects are gone. */
    public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private final InstantSource clock;

    /**
     * The rules.
     *
     * @param clock the time of conditions
     */
    public DefinitionKind(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public boolean notesOnlyTimeOfDeletion() {
        return true;
    }

    /** What a deletion says about dependents is not heard. */
    @Override
    public boolean ownsDependents() {
        return false;
    }

    @Override
    public void prepareForCreate(ObjectNode definition) {
        ObjectNode status = definition.putObject("status");
        status.putNull("conditions");
        status.putObject("acceptedNames").put("plural", "").put("kind", "");
        noteStoredVersion(definition);
    }

    @Override
    public void prepareForUpdate(ObjectNode definition, ObjectNode old) {
        noteStoredVersion(definition);
    }

    @Override
    public List<Status.Cause> validateCreate(ObjectNode definition) {
        return Causes.of(DefinitionRules.forCreate(CustomResourceDefinition.stored(definition)));
    }

    /** While it is being deleted, an invalid one may lose its finalizers if nothing else changes. */
    @Override
    public List<Status.Cause> validateUpdate(ObjectNode definition, ObjectNode old) {
        if (Meta.isTerminating(old) && definition.path("spec").equals(old.path("spec"))) {
            return List.of();
        }
        return Causes.of(DefinitionRules.forUpdate(
                CustomResourceDefinition.stored(definition), CustomResourceDefinition.stored(old)));
    }

    /** Metadata is taken as sent: kube-apiserver means to keep that of the stored definition, and sets the sent one to itself. */
    @Override
    public ObjectNode merge(String subresource, ObjectNode sent, ObjectNode stored) {
        ObjectNode merged = sent.deepCopy();
        merged.set("spec", stored.path("spec").deepCopy());
        if (merged.path("status").path("storedVersions").isEmpty()) {
            noteStoredVersion(merged);
        }
        return merged;
    }

    @Override
    public List<Status.Cause> validateStatusUpdate(String subresource, ObjectNode definition, ObjectNode old) {
        return Causes.of(DefinitionRules.forStatusUpdate(
                CustomResourceDefinition.stored(definition), CustomResourceDefinition.stored(old)));
    }

    @Override
    public void prepareForDelete(ObjectNode definition) {
        List<String> finalizers = new ArrayList<>(Meta.finalizers(definition));
        if (!finalizers.contains(FINALIZER)) {
            finalizers.add(FINALIZER);
        }
        Meta.setStrings(Meta.of(definition), "finalizers", finalizers);
        new Conditions(definition, clock.instant())
                .set(
                        "Terminating",
                        true,
                        "InstanceDeletionPending",
                        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon");
    }

    @Override
    public List<String> warnings(ObjectNode definition) {
        return CustomResourceDefinition.stored(definition).warnings();
    }

    /** Of what the definition did not say before. */
    @Override
    public List<String> updateWarnings(ObjectNode definition, ObjectNode old) {
        List<String> warnings = new ArrayList<>(warnings(definition));
        warnings.removeAll(warnings(old));
        return warnings;
    }

    /** From now on, objects may be stored in the storage version. */
    private static void noteStoredVersion(ObjectNode definition) {
        ObjectNode status = definition.withObjectProperty("status");
        List<String> stored = new ArrayList<>(Meta.strings(status.path("storedVersions")));
        for (JsonNode version : definition.path("spec").path("versions").values()) {
            String name = version.path("name").asString("");
            if (version.path("storage").asBoolean(false) && !stored.contains(name)) {
                stored.add(name);
                break;
            }
        }
        Meta.setStrings(status, "storedVersions", stored);
    }
}
