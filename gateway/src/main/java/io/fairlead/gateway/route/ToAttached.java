package io.fairlead.gateway.route;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import org.jspecify.annotations.Nullable;

/**
 * A request to an attached cluster, which decides itself, or to the backend of an APIService of a hosted one; only {@link Router}
 * makes one.
 */
public final class ToAttached implements Routed {
    private final Acting acting;
    private final Described described;
    private final ClusterEntry.Attached cluster;
    private final Route route;

    /** Null unless the servers take callers' own tokens. */
    private final @Nullable Bearer token;

    /** @throws StatusException with 403 if the servers take callers' own tokens, and the caller has none of theirs */
    ToAttached(Acting acting, ClusterEntry.Attached cluster, Route route) {
        this.acting = acting;
        this.described = acting.entered().described();
        this.cluster = cluster;
        this.route = route;
        this.token = backend().identity() instanceof UpstreamIdentity.Passthrough ? requiredToken() : null;
    }

    private Bearer requiredToken() {
        Bearer own = acting.entered().ownToken();
        if (own == null) {
            throw new StatusException(Status.withCause(
                            403,
                            "Forbidden",
                            "cluster \"" + cluster.name()
                                    + "\" is sent the own tokens of its users alone, and no other credential (expected"
                                    + " a bearer token that this cluster itself accepts, as of one of its"
                                    + " ServiceAccounts)",
                            "PassthroughNeedsClusterToken",
                            0)
                    .asWarning());
        }
        return own;
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
        return backend().identity() instanceof UpstreamIdentity.Aggregated;
    }

    public ClusterEntry.Attached cluster() {
        return cluster;
    }

    @Override
    public Described described() {
        return described;
    }

    @Override
    public Target.Cluster target() {
        return acting.entered().target();
    }

    public UserInfo user() {
        return acting.user();
    }

    /** Whether that is the caller, who impersonates no other user. */
    public boolean actsAsCaller() {
        return acting.isThemselves();
    }

    /**
     * The caller's own token, which these very servers have authenticated and are sent.
     *
     * @throws IllegalStateException if callers are presented to them in another way
     */
    public Bearer passedToken() {
        if (token == null) {
            throw new IllegalStateException("no token goes to these servers");
        }
        return token;
    }
}
