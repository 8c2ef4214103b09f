package io.fairlead.gateway.route;

import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.UserInfo;

/** A request that goes to an attached cluster, which decides itself; only {@link Router} makes one. */
public final class ToAttached implements Routed {
    private final Acting acting;
    private final ClusterEntry.Attached cluster;

    ToAttached(Acting acting, ClusterEntry.Attached cluster) {
        this.acting = acting;
        this.cluster = cluster;
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
