package io.fairlead.gateway.select;

import io.fairlead.gateway.listen.Received;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static Selected made(Received received, Target target) {
        return new Selected(received, target);
    }
}
