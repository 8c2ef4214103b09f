package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;

/**
 * A redirect by the backend of an APIService: clients would take their credential for the gateway to wherever it leads, so that it
 * is refused (kube-aggregator {@code handler_proxy.go}, CVE-2022-3172).
 */
final class BackendRedirect {
    private BackendRedirect() {}

    static boolean isTold(int status, MutableFields headers, ToAttached request) {
        return status >= 300 && status < 400 && headers.get(FieldName.LOCATION) != null && request.leadsToBackend();
    }

    static Status refusal(ToAttached request) {
        return Status.withCause(
                502,
                "BadGateway",
                "cluster \"" + request.cluster().name()
                        + "\": the backend attempted to redirect this request, which is not permitted",
                "BackendRedirected",
                0);
    }
}
