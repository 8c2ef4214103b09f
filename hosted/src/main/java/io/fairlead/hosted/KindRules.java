package io.fairlead.hosted;

import io.fairlead.model.Status;
import io.fairlead.schema.meta.NameRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules of one kind beyond its schema: the duties of apiserver's {@code rest.RESTCreateStrategy} and its relatives.
 *
 * <p>Objects have complete {@code metadata}. {@code prepare…} methods change the object in place; {@code validate…}
 * methods change nothing and name each problem with the path of its field. Stateless; any thread.
 */
public interface KindRules {
    /** No rules beyond the schema. */
    KindRules NONE = new KindRules() {};

    default NameRule nameRule() {
        return NameRule.DNS_SUBDOMAIN;
    }

    /**
     * Whether the metadata of a new object is judged along with its fields; if not, only once nothing else is wrong (apiserver
     * {@code rest.BeforeCreate}).
     */
    default boolean judgesMetadata() {
        return true;
    }

    /** Whether an update without {@code metadata.resourceVersion} overwrites the stored object. */
    default boolean allowsUnconditionalUpdate() {
        return false;
    }

    /** Whether a PUT of a name that does not exist creates it. */
    default boolean createsOnUpdate() {
        return false;
    }

    /** Whether finalizers must be Kubernetes' own or have a domain before a slash (kubernetes {@code apis/core/validation}). */
    default boolean qualifiesFinalizers() {
        return false;
    }

    /** Whether a new object keeps the status that its client sent. */
    default boolean keepsStatusOfNew() {
        return false;
    }

    /** Whether a deletion that removes an object answers it, not a Status. */
    default boolean answersDeleted() {
        return false;
    }

    /** Whether a deletion gives time to end, so that an object that it removed is answered as terminating (apiserver {@code rest.BeforeDelete}). */
    default boolean isDeletedGracefully() {
        return false;
    }

    /**
     * Whether a deletion notes its time alone, and neither a grace period nor another generation: the registries of a few kinds
     * begin it themselves, and not by {@code markAsDeleting} of apiserver's {@code registry/generic/registry}.
     */
    default boolean notesOnlyTimeOfDeletion() {
        return false;
    }

    /** Whether {@code metadata.generation} counts changes of the desired state. */
    default boolean countsGeneration() {
        return true;
    }

    /** Whether deletions may choose a propagation policy for dependents. */
    default boolean ownsDependents() {
        return true;
    }

    /** Whether dependents stay where a deletion names no policy (apiserver {@code rest.GarbageCollectionDeleteStrategy}). */
    default boolean orphansDependents() {
        return false;
    }

    /** Texts for {@code Warning} headers about an object that is deleted without a policy for its dependents. */
    default List<String> orphaningWarnings() {
        return List.of();
    }

    /** The fields beside {@code metadata.name} and {@code metadata.namespace} that selectors may name, with their JSON pointers. */
    default Map<String, String> selectableFields() {
        return Map.of();
    }

    /**
     * Fills in what a client may leave out, of a new object or a changed one: what is filled in counts as written by the client
     * (the defaulting of a version).
     */
    default void complete(ObjectNode object) {}

    /** Completes an object before it is validated for the first time. */
    default void prepareForCreate(ObjectNode object) {}

    /** Completes a changed object; must not change the stored one. */
    default void prepareForUpdate(ObjectNode object, ObjectNode old) {}

    /** The same, of a write to a subresource or, if its name is empty, to the object. */
    default void prepareForUpdate(String subresource, ObjectNode object, ObjectNode old) {
        if (subresource.isEmpty()) {
            prepareForUpdate(object, old);
        }
    }

    default List<Status.Cause> validateCreate(ObjectNode object) {
        return List.of();
    }

    default List<Status.Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return List.of();
    }

    /** Problems of a write to {@code /status}, or another subresource that writes the status. */
    default List<Status.Cause> validateStatusUpdate(String subresource, ObjectNode object, ObjectNode old) {
        return List.of();
    }

    /**
     * What is stored after a write to a subresource: the sent object, with every field that the subresource must not
     * change taken from the stored one. A new tree.
     *
     * @param subresource {@code status}, or another that the resource serves
     */
    default ObjectNode merge(String subresource, ObjectNode sent, ObjectNode stored) {
        ObjectNode merged = stored.deepCopy();
        if (sent.has("status")) {
            merged.set("status", sent.get("status").deepCopy());
        } else {
            merged.remove("status");
        }
        return merged;
    }

    /** The members of an object that a write to the object itself never changes. */
    default List<String> untouched(boolean hasStatus) {
        return hasStatus ? List.of("status") : List.of();
    }

    /** The members of an object that a write to a subresource never changes; a slash leads to a member of one. */
    default List<String> untouchedBy(String subresource) {
        return List.of("metadata", "spec");
    }

    /**
     * Refuses a deletion by throwing {@link io.fairlead.model.StatusException}.
     *
     * @param name the object's name
     */
    default void checkDelete(String name) {}

    /** Marks an object whose deletion begins, beside its {@code deletionTimestamp}. */
    default void prepareForDelete(ObjectNode object) {}

    /** Whether an object without finalizers may be removed. */
    default boolean mayVanish(ObjectNode object) {
        return true;
    }

    /**
     * What a create answers, for a kind whose objects are never stored, as those of {@code SubjectAccessReview} are not; empty for one
     * whose objects are. Called once an object is valid; may block.
     *
     * @param dryRun whether the answer must have no effect
     * @throws io.fairlead.model.StatusException to answer that instead
     */
    default Optional<ObjectNode> review(ObjectNode object, boolean dryRun) {
        return Optional.empty();
    }

    /** The warning that every request for the kind gets; null if there is none. */
    default @Nullable String deprecation() {
        return null;
    }

    /** Texts for {@code Warning} headers about an object that was accepted. */
    default List<String> warnings(ObjectNode object) {
        return List.of();
    }

    /** Texts for {@code Warning} headers about an object that was accepted in the place of another. */
    default List<String> updateWarnings(ObjectNode object, ObjectNode old) {
        return warnings(object);
    }

    /** Texts for {@code Warning} headers about an object that is deleted, or whose deletion begins. */
    default List<String> deletionWarnings(ObjectNode object) {
        return List.of();
    }
}
