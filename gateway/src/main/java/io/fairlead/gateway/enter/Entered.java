package io.fairlead.gateway.enter;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;
import org.jspecify.annotations.Nullable;

/** A request whose caller may enter its cluster; only {@link Gate} makes one. */
public final class Entered {
    private final Described described;
    private final Identity identity;
    private final Target.Cluster target;
    private final ClusterEntry cluster;
    private final @Nullable Bearer ownToken;

    Entered(
            Described described,
            Identity identity,
            Target.Cluster target,
            ClusterEntry cluster,
            @Nullable Bearer ownToken) {
        this.described = described;
        this.identity = identity;
        this.target = target;
        this.cluster = cluster;
        this.ownToken = ownToken;
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

    /** The caller's token, which this very {@link #cluster()} has authenticated; null if the caller was identified in another way. */
    public @Nullable Bearer ownToken() {
        return ownToken;
    }

    /** The registration at the time the request entered. */
    public ClusterEntry cluster() {
        return cluster;
    }
}
