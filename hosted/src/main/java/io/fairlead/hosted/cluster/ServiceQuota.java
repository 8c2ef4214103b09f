package io.fairlead.hosted.cluster;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ApiService;
import io.fairlead.hosted.ApiServices;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Refuses APIServices that name services beyond as many as a cluster may have: connections, trust and discovery are kept for each.
 * Creations at the same moment may be a few more; {@link RemoteServices} has a bound of its own.
 */
record ServiceQuota(ApiServices services) implements AdmissionHook {
    @Override
    public void admit(Review review) {
        JsonNode object = review.object();
        if (object == null
                || !review.subresource().isEmpty()
                || !object.path("spec").path("service").isObject()) {
            return;
        }
        String name = object.at("/metadata/name").asString("");
        List<ApiService> all = services.all();
        boolean isNew = all.stream().noneMatch(service -> service.name().equals(name));
        if (isNew && all.size() >= ApiServices.MAX) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    "apiservices.apiregistration.k8s.io \"" + name + "\" is forbidden: the cluster has "
                            + ApiServices.MAX + " APIServices that name services (expected no more)"));
        }
    }
}
