package io.fairlead.gateway.authn;

import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Set;

/** An authenticated caller with its realm: the authority of the identity. */
public sealed interface Identity {
    UserInfo user();

    /** The name under which the caller's resources are counted. */
    CallerName caller();

    /** To whom a connection belongs on which the caller is the first; equal for all connections of one client. */
    default Object connectionOwner() {
        return caller();
    }

    /**
     * An identity of the gateway: a client certificate, a static token, a token of an issuer. The root cluster's RBAC applies to its name.
     */
    record OfGateway(UserInfo user) implements Identity {
        @Override
        public CallerName caller() {
            return CallerName.ofGateway(user.name());
        }
    }

    /**
     * An identity of one cluster, valid for that cluster only, whatever its name and groups.
     *
     * @param cluster the name by which it was addressed
     * @param voucher what vouched for it: the hosted cluster itself, or the connections to the attached one and what is behind them. Another cluster that
     *     gets the name later has another one
     */
    record OfCluster(ClusterName cluster, Object voucher, UserInfo user) implements Identity {
        @Override
        public CallerName caller() {
            return new CallerName(cluster, user.name());
        }
    }

    /**
     * A user of a cluster into which another one is published, as its front proxy names it: valid for what is published,
     * and for nothing else, whatever its name and groups.
     *
     * @param target the cluster that knows the user, and has allowed the request
     * @param source the hosted cluster that answers
     * @param groupVersions what is published of it
     * @param userOfTarget as the target knows it
     */
    record OfPublication(ClusterName target, ClusterName source, Set<GroupVersion> groupVersions, UserInfo userOfTarget)
            implements Identity {
        public OfPublication {
            groupVersions = Set.copyOf(groupVersions);
        }

        /** Without {@code system:masters}: the masters of one cluster are not those of another. */
        @Override
        public UserInfo user() {
            return userOfTarget.groups().contains(UserInfo.MASTERS) ? withoutMasters(userOfTarget) : userOfTarget;
        }

        @Override
        public CallerName caller() {
            return new CallerName(target, userOfTarget.name());
        }

        /** The front proxy, which sends the requests of many users over one connection. */
        @Override
        public Object connectionOwner() {
            return new FrontProxy(target);
        }

        private static UserInfo withoutMasters(UserInfo user) {
            List<String> groups = user.groups().stream()
                    .filter(group -> !group.equals(UserInfo.MASTERS))
                    .toList();
            return new UserInfo(user.name(), user.uid(), groups, user.extra());
        }

        /** The front proxies of a cluster, as the owner of connections. */
        private record FrontProxy(ClusterName of) {}
    }
}
