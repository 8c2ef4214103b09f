package io.fairlead.gateway.authn;

import io.fairlead.gateway.info.Described;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static Authenticated made(Described described, Identity identity) {
        return new Authenticated(described, identity, identity, null);
    }
}
