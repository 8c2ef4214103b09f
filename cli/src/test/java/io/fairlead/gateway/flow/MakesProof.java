package io.fairlead.gateway.flow;

import io.fairlead.gateway.impersonate.Acting;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static Admitted made(Acting acting, Share share) {
        return new Admitted(acting, share);
    }
}
