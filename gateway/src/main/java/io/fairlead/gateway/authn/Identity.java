package io.fairlead.gateway.authn;

import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.UserInfo;

/** An authenticated caller together with its realm: where the identity is vouched for. */
public sealed interface Identity {
    UserInfo user();

    /** By which what the caller takes is counted. */
    CallerName caller();

    /** Vouched for by the gateway: a client certificate, a static token. Meets the root cluster's RBAC by its name. */
    record OfGateway(UserInfo user) implements Identity {
        @Override
        public CallerName caller() {
            return CallerName.ofGateway(user.name());
        }
    }

    /** Vouched for by one cluster and good for that cluster alone, whatever its name and groups say. */
    record OfCluster(ClusterName cluster, UserInfo user) implements Identity {
        @Override
        public CallerName caller() {
            return new CallerName(cluster, user.name());
        }
    }
}
