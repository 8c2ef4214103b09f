package io.fairlead.hosted.rbac;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ResourceType;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.GoText;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets only users with rights on a signer decide about its certificate signing requests (kubernetes
 * {@code plugin/pkg/admission/certificates}, {@code approval} and {@code signing}): approving and denying needs the verb
 * {@code approve} on the {@code signers} of that name, and what a signer writes to the status the verb {@code sign}.
 */
public final class SignerRights implements AdmissionHook {
    private static final String GROUP = "certificates.k8s.io";
    private static final String REQUESTS = "certificatesigningrequests";

    private final PolicyCache policies;

    public SignerRights(PolicyCache policies) {
        this.policies = policies;
    }

    /** A write that is not valid is refused as that, whatever the rights. */
    @Override
    public void admit(Review review) {}

    @Override
    public void admitValid(Review review) {
        ObjectNode request = review.object();
        ObjectNode old = review.old();
        if (!areRequests(review.type()) || request == null || old == null) {
            return;
        }
        switch (review.subresource()) {
            case "approval" -> require("approve", old, review);
            case "status" -> {
                if (changesWhatSignersSay(request, old)) {
                    require("sign", old, review);
                }
            }
            default -> {}
        }
    }

    private static boolean areRequests(ResourceType type) {
        return type.group().equals(GROUP) && type.plural().equals(REQUESTS) && !type.custom();
    }

    private static boolean changesWhatSignersSay(ObjectNode request, ObjectNode old) {
        return !certificate(request).equals(certificate(old))
                || !conditions(request).equals(conditions(old));
    }

    private static String certificate(ObjectNode request) {
        return request.at("/status/certificate").asString("");
    }

    private static List<JsonNode> conditions(ObjectNode request) {
        return request.at("/status/conditions").valueStream().toList();
    }

    /** By the stored name of the signer, or by its domain with a wildcard ({@code pkg/certauthorization}). */
    private void require(String verb, ObjectNode old, Review review) {
        String signer = old.at("/spec/signerName").asString("");
        String domain = signer.split("/", 2)[0];
        if (!may(verb, signer, review) && !may(verb, domain + "/*", review)) {
            throw new StatusException(Status.forbidden(
                    review.type().groupResource(),
                    review.name(),
                    "user not permitted to " + verb + " requests with signerName " + GoText.quote(signer)));
        }
    }

    private boolean may(String verb, String signer, Review review) {
        RequestInfo asked = new RequestInfo(true, "", verb, "apis", GROUP, "*", "", "signers", "", signer, "");
        return policies.decide(review.user(), asked) instanceof Verdict.Allowed;
    }
}
