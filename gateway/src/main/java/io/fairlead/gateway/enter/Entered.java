package io.fairlead.gateway.enter;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;

/** A request whose caller may enter its cluster; only {@link Gate} makes one. */
public final class Entered {
    private final Described described;
    private final Identity identity;
    private final Target.Cluster target;
    private final ClusterEntry cluster;

    Entered(Described described, Identity identity, Target.Cluster target, ClusterEntry cluster) {
        this.described = described;
        this.identity = identity;
        this.target = target;
        this.cluster = cluster;
    }

    public Described described() {
        return described;
    }

    public Identity identity() {
        return identity;
    }

    public Target.Cluster target() {
        return target;
    }

    /** The registration at the time the request entered. */
    public ClusterEntry cluster() {
        return cluster;
    }
}
