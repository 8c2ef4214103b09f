package io.fairlead.hosted.view;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.hosted.Vitals;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of a cluster beyond its stored objects: rights, discovery, OpenAPI, reviews, and other forms of objects.
 *
 * <p>Threads: any.
 */
public interface ClusterViews {
    /** Whether the cluster's RBAC allows a request. */
    Decision authorize(UserInfo user, RequestInfo request);

    /** As {@link io.fairlead.hosted.HostedCluster#rightsState}. */
    default @Nullable Object rightsState() {
        return null;
    }

    /**
     * Answers requests without stored objects: discovery, OpenAPI, {@code /version}, health, the virtual types, tokens of
     * ServiceAccounts and the keys by which they are verified. Called first for every request.
     *
     * @return null for any other request
     * @throws StatusException to refuse
     */
    @Nullable
    ApiResponse answer(ApiRequest request);

    /** Resources that discovery lists and {@link #answer} serves, without stored objects ({@code selfsubjectaccessreviews}). */
    List<ResourceType> virtualTypes();

    /**
     * The form that a request's {@code Accept} selects.
     *
     * @param watch whether the answer is a stream of events
     * @throws StatusException 406 if no clause of the header can be satisfied
     */
    Representation representation(ApiRequest request, ResourceType type, boolean watch);

    /** Objects that exist in every cluster from its creation on (RBAC bootstrap policy): created if absent. */
    List<ObjectNode> bootstrapObjects();

    /** Called before each write of any kind, after the kind's own hooks (RBAC escalation, rights on signers). */
    default List<AdmissionHook> admission() {
        return List.of();
    }

    /** Creates the views of an opening cluster. */
    @FunctionalInterface
    interface Factory {
        ClusterViews create(
                ClusterName cluster,
                TypeCatalog types,
                ObjectReader objects,
                ServiceAccountTokens tokens,
                Vitals vitals);
    }
}
