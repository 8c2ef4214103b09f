package io.fairlead.gateway.proxy;

import io.fairlead.gateway.info.Described;
import io.fairlead.http.MutableFields;

/** Isolates the pages of workloads from the gateway's origin, which the pages of all tenants would otherwise share. */
final class Sandbox {
    private Sandbox() {}

    /** A workload's own policy applies in addition. */
    static void around(Described request, MutableFields answer) {
        if (request.isProxied()) {
            answer.add("content-security-policy", "sandbox");
        }
    }
}
