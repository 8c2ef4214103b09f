package io.fairlead.fleet.publication;

import io.fairlead.model.GroupVersion;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Why a publication may not have what it asks for: another one has it, or something that Fairlead did not make. */
final class Conflicts {
    private static final String ROUTER = "GroupVersionClaimed";
    private static final String SHAPE = "BackendClaimed";

    private static final String STRANGER = "ObjectOfOthers";
    private static final Set<String> ALL = Set.of(ROUTER, SHAPE, STRANGER);

    /** Set on those that kube-apiserver makes for CRDs and for its own groups. */
    private static final String AUTOMANAGED = "kube-aggregator.kubernetes.io/automanaged";

    private Conflicts() {}

    /** Whether a reason is one of these. */
    static boolean has(String reason) {
        return ALL.contains(reason);
    }

    /** Another publication has a version in the target. */
    static StepFailure router(GroupVersion version, Publication other) {
        return new StepFailure(
                ROUTER,
                version.apiVersion() + " is published by APIPublication \"" + other.name() + "\" in this cluster");
    }

    /** Another publication has the Service, and not as this one wants it. */
    static StepFailure shape(Publication own, Publication other) {
        return new StepFailure(
                SHAPE,
                "Service " + own.backend().path() + " has other ports, addresses or another source by APIPublication \""
                        + other.name() + "\"");
    }

    /** An object of the name is not Fairlead's: it is not taken, changed or deleted. */
    static StepFailure stranger(PublishedObject object) {
        return new StepFailure(
                STRANGER,
                object.path() + " is there and was not made by this Fairlead (expected none, or another name)");
    }

    /** The target serves the version already. */
    static StepFailure stranger(JsonNode apiService, GroupVersion version) {
        boolean isOwn = apiService.path("metadata").path("labels").has(AUTOMANAGED);
        return new StepFailure(
                STRANGER,
                version.apiVersion() + " is served by "
                        + (isOwn
                                ? "the target itself, by its CRDs or as a group of its own"
                                : "an APIService of others")
                        + " (expected none)");
    }
}
