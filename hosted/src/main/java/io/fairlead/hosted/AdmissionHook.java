package io.fairlead.hosted;

import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A decision about a write that is about to be stored, made by the process itself.
 *
 * <p>Called after decoding and before validation for create, update and patch, and before anything is marked for delete.
 * A patch that is re-applied asks again. Runs on the request's virtual thread and may block briefly.
 */
@FunctionalInterface
public interface AdmissionHook {
    /**
     * Lets the write pass by returning.
     *
     * @throws StatusException to refuse it with that answer
     */
    void admit(Review review);

    /**
     * The same for a create, update or patch that has passed validation, as kube-apiserver asks its validating admission plugins:
     * the object must not be changed any more.
     *
     * @throws StatusException to refuse it with that answer
     */
    default void admitValid(Review review) {}

    /** What is done to the object. */
    enum Operation {
        CREATE,
        UPDATE,
        DELETE
    }

    /**
     * One write.
     *
     * @param operation what is done
     * @param type the resource in the version of the request
     * @param subresource the subresource written, empty for the object itself
     * @param namespace the object's namespace, empty if cluster-scoped
     * @param name the object's name
     * @param user the requesting user; the cluster's own controllers act as {@code system:masters}
     * @param isUserEverywhere whether the user has the same name and groups in other clusters
     * @param old what is stored, in the version of the request; null on create
     * @param object the object to store; may be changed on create and update; null on delete
     * @param dryRun whether nothing will be stored
     */
    record Review(
            Operation operation,
            ResourceType type,
            String subresource,
            String namespace,
            String name,
            UserInfo user,
            boolean isUserEverywhere,
            @Nullable ObjectNode old,
            @Nullable ObjectNode object,
            boolean dryRun) {}
}
