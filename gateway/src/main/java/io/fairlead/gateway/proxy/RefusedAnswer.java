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
        return isRedirect(status, headers) && request.leadsToBackend()
                ? Optional.of(Status.withCause(
                        502,
                        "BadGateway",
                        "cluster \"" + request.cluster().name()
                                + "\": the backend attempted to redirect this request, which is not permitted",
                        "BackendRedirected",
                        0))
                : Optional.empty();
    }

    /**
     * Clients would take their credential for the gateway to wherever a tenant's backend sends them (kube-aggregator {@code
     * handler_proxy.go}, CVE-2022-3172).
     */
    private static boolean isRedirect(int status, MutableFields headers) {
        return status >= 300 && status < 400 && headers.get(FieldName.LOCATION) != null;
    }
}
