package io.fairlead.gateway.enter;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static Entered made(Described described, Identity identity, Target.Cluster target, ClusterEntry cluster) {
        return new Entered(described, identity, target, cluster, null);
    }
}
