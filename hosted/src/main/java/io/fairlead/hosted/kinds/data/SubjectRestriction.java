package io.fairlead.hosted.kinds.data;

import io.fairlead.credentials.pki.RequestSubject;
import io.fairlead.hosted.AdmissionHook;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes no request for a certificate that would make its owner a member of {@code system:masters} (kubernetes
 * {@code plugin/pkg/admission/certificates/subjectrestriction}). Threads: any.
 */
final class SubjectRestriction implements AdmissionHook {
    private static final String SIGNER = "kubernetes.io/kube-apiserver-client";

    @Override
    public void admit(Review review) {}

    @Override
    public void admitValid(Review review) {
        ObjectNode request = review.object();
        if (review.operation() != Operation.CREATE || request == null) {
            return;
        }
        if (request.at("/spec/signerName").asString("").equals(SIGNER)) {
            String problem = problem(request);
            if (problem != null) {
                throw new StatusException(Status.forbidden(review.type().groupResource(), review.name(), problem));
            }
        }
    }

    private static @Nullable String problem(ObjectNode request) {
        List<String> organizations;
        try {
            organizations = RequestSubject.organizations(SigningRequests.onlyBlock(request.at("/spec/request")));
        } catch (IllegalArgumentException unreadable) {
            return "failed to parse CSR: " + unreadable.getMessage();
        }
        return organizations.contains(UserInfo.MASTERS)
                ? "use of " + SIGNER + " signer with " + UserInfo.MASTERS + " group is not allowed"
                : null;
    }
}
