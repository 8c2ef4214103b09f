package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.MutableFields;

/** Isolates the pages of workloads and of tenants' backends from the gateway's origin, which all of them would otherwise share. */
final class Sandbox {
    private Sandbox() {}

    /** A workload's own policy applies in addition. */
    static void around(ToAttached request, MutableFields answer) {
        if (request.described().isProxied() || request.leadsToBackend()) {
            answer.add("content-security-policy", "sandbox");
        }
    }
}
