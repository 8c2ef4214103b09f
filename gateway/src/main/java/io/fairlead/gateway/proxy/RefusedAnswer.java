package io.fairlead.gateway.proxy;

import io.fairlead.gateway.answer.UpstreamStatus;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import java.util.Optional;

/** Answers that clients do not get, since they would take them for something else. */
final class RefusedAnswer {
    private RefusedAnswer() {}

    /** What a client gets in place of an answer; empty if it gets the answer. */
    static Optional<Status> of(int status, MutableFields headers, ToAttached request) {
        if (RefusedCredential.isTold(status, request)) {
            return Optional.of(
                    UpstreamStatus.credentialRefused(request.cluster().name()));
        }
        return isRedirect(status, headers) ? redirection(headers, request) : Optional.empty();
    }

    /**
     * Clients would take their credential for the gateway to wherever a server sends them, and repeat what they asked for in another
     * cluster: a tenant's backend may not redirect at all (kube-aggregator {@code handler_proxy.go}, CVE-2022-3172), a
     * cluster to its own paths, as the slash is added behind {@code /proxy}.
     */
    private static Optional<Status> redirection(MutableFields headers, ToAttached request) {
        if (request.leadsToBackend()) {
            return Optional.of(refusal(
                    request,
                    "the backend attempted to redirect this request, which is not permitted",
                    "BackendRedirected"));
        }
        return headers.all(FieldName.LOCATION).size() == 1
                        && Locations.rewritten(String.valueOf(headers.get(FieldName.LOCATION)), request)
                                .isPresent()
                ? Optional.empty()
                : Optional.of(refusal(
                        request, "it redirects to somewhere else (expected one path of its own)", "ClusterRedirected"));
    }

    private static Status refusal(ToAttached request, String what, String reason) {
        return Status.withCause(
                502, "BadGateway", "cluster \"" + request.cluster().name() + "\": " + what, reason, 0);
    }

    private static boolean isRedirect(int status, MutableFields headers) {
        return status >= 300 && status < 400 && headers.get(FieldName.LOCATION) != null;
    }
}
