package io.fairlead.gateway.proxy;

import io.fairlead.gateway.info.Described;
import io.netty.handler.codec.http.HttpHeaders;

/** Keeps the pages of workloads out of this side's origin, which every tenant's pages would otherwise share. */
final class Sandbox {
    private Sandbox() {}

    /** Whatever policy a workload sets itself holds beside it. */
    static void around(Described request, HttpHeaders answer) {
        if (request.isProxied()) {
            answer.add("content-security-policy", "sandbox");
        }
    }
}
