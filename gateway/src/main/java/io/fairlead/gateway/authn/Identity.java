package io.fairlead.gateway.authn;

import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.UserInfo;

/** An authenticated caller with its realm: the authority of the identity. */
public sealed interface Identity {
    UserInfo user();

    /** The name under which the caller's resources are counted. */
    CallerName caller();

    /**
     * An identity of the gateway: a client certificate, a static token. The root cluster's RBAC applies to its name.
     */
    record OfGateway(UserInfo user) implements Identity {
        @Override
        public CallerName caller() {
            return CallerName.ofGateway(user.name());
        }
    }

    /** An identity of one cluster, valid for that cluster only, whatever its name and groups. */
    record OfCluster(ClusterName cluster, UserInfo user) implements Identity {
        @Override
        public CallerName caller() {
            return new CallerName(cluster, user.name());
        }
    }
}
