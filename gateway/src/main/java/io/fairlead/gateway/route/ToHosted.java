package io.fairlead.gateway.route;

import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.ApiScope;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.CallerName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request to a hosted cluster, with known types; only {@link Router} makes one. */
public final class ToHosted implements Routed {
    private final Authorized authorized;
    private final Route route;

    ToHosted(Authorized authorized, Route route) {
        this.authorized = authorized;
        this.route = route;
    }

    @Override
    public Route route() {
        return route;
    }

    Acting acting() {
        return authorized.acting();
    }

    public HostedCluster cluster() {
        return authorized.cluster();
    }

    @Override
    public Described described() {
        return authorized.acting().entered().described();
    }

    @Override
    public Target.Cluster target() {
        return authorized.acting().entered().target();
    }

    /** The authenticated caller, not the impersonated user. */
    public CallerName caller() {
        return authorized.acting().entered().identity().caller();
    }

    /** Whether the gateway knows the user, who then has the same name and groups in other clusters. */
    public boolean isUserEverywhere() {
        return authorized.acting().isThemselves()
                && authorized.acting().entered().identity() instanceof Identity.OfGateway;
    }

    /**
     * What discovery and OpenAPI show: to users of a target no more than what is published there. The target's API server would merge
     * all of it into its own OpenAPI (kube-aggregator {@code pkg/controllers/openapiv3}).
     */
    public ApiScope scope() {
        return switch (authorized.acting().entered().identity()) {
            case Identity.OfPublication publication -> new ApiScope.Versions(publication.groupVersions());
            case Identity.OfGateway _, Identity.OfCluster _ -> ApiScope.WHOLE;
        };
    }

    /** As {@link io.fairlead.hosted.ApiRequest#creationCheck} has it. */
    public @Nullable Consumer<RequestInfo> creationCheck() {
        return authorized.creationCheck();
    }

    public UserInfo user() {
        return authorized.user();
    }
}
