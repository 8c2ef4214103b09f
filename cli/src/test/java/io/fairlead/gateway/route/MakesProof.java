package io.fairlead.gateway.route;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.impersonate.Acting;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static ToHosted hosted(Authorized authorized, Route route) {
        return new ToHosted(authorized, route);
    }

    static ToAttached attached(Acting acting, ClusterEntry.Attached cluster, Route route) {
        return new ToAttached(acting, cluster, route);
    }
}
