package io.fairlead.gateway.select;

import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.publication.Arrival;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static Selected made(Received received, Target target, Arrival arrival) {
        return new Selected(received, target, arrival);
    }
}
