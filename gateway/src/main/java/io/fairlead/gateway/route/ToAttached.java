package io.fairlead.gateway.route;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.UserInfo;

/**
 * A request to an attached cluster, which decides itself, or to the backend of an APIService of a hosted one; only {@link Router}
 * makes one.
 */
public final class ToAttached implements Routed {
    private final Acting acting;
    private final ClusterEntry.Attached cluster;
    private final Route route;

    ToAttached(Acting acting, ClusterEntry.Attached cluster, Route route) {
        this.acting = acting;
        this.cluster = cluster;
        this.route = route;
    }

    @Override
    public Route route() {
        return route;
    }

    /** The API servers of the route. */
    public ClusterEntry.Backend backend() {
        ClusterEntry.Backend crdRuntime = cluster.crdRuntime();
        return crdRuntime != null && route instanceof Route.ToCrdRuntime ? crdRuntime : cluster.base();
    }

    /** Whether these are separate servers that serve only custom resources. */
    public boolean leadsToCrdRuntime() {
        return cluster.crdRuntime() != null && route instanceof Route.ToCrdRuntime;
    }

    /** Whether it goes to the backend of an APIService of a hosted cluster. */
    public boolean leadsToBackend() {
        return backend().identity() instanceof UpstreamIdentity.RequestHeader;
    }

    public ClusterEntry.Attached cluster() {
        return cluster;
    }

    @Override
    public Described described() {
        return acting.entered().described();
    }

    @Override
    public Target.Cluster target() {
        return acting.entered().target();
    }

    public UserInfo user() {
        return acting.user();
    }
}
