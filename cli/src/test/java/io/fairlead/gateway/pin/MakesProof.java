package io.fairlead.gateway.pin;

import io.fairlead.gateway.route.Routed;
import java.util.List;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static <R extends Routed> Pinned<R> made(R request) {
        return new Pinned<>(request, null, List.of());
    }
}
