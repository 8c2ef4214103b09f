package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.AdmissionHook.Operation;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.model.UserInfo;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Records on certificate signing requests who made them (kubernetes {@code registry/certificates/certificates}). */
final class Requesters {
    private Requesters() {}

    /** What is called before writes of a kind. */
    static List<AdmissionHook> of(ResourceType type) {
        return type.kind().equals("CertificateSigningRequest")
                ? List.of(Requesters::record, new SubjectRestriction())
                : List.of();
    }

    private static void record(AdmissionHook.Review review) {
        ObjectNode request = review.object();
        if (review.operation() != Operation.CREATE || request == null) {
            return;
        }
        UserInfo user = review.user();
        ObjectNode spec = request.withObjectProperty("spec");
        spec.put("username", user.name());
        spec.remove(List.of("uid", "groups", "extra"));
        if (!user.uid().isEmpty()) {
            spec.put("uid", user.uid());
        }
        if (!user.groups().isEmpty()) {
            Meta.setStrings(spec, "groups", user.groups());
        }
        user.extra().forEach((key, values) -> Meta.setStrings(spec.withObjectProperty("extra"), key, values));
    }
}
