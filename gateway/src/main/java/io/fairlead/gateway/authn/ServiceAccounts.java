package io.fairlead.gateway.authn;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.Vouching;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;

/**
 * Tokens of ServiceAccounts of hosted clusters. Each is good for the cluster that issued it, where it is addressed, and for no
 * other one, whatever its user is called there.
 *
 * <p>What a token says of its issuer is looked at before the cluster is looked up, so that neither the answer to another token nor the
 * time that it takes tells which clusters there are.
 */
public final class ServiceAccounts implements TokenAuthenticator {
    private static final Verdict NONE = new Verdict.NotMine("");

    private final ClusterDirectory directory;

    /** Those of the clusters of a directory. */
    public ServiceAccounts(ClusterDirectory directory) {
        this.directory = directory;
    }

    @Override
    public Verdict atOnce(Bearer bearer) {
        return bearer.target() instanceof Target.Cluster && TokenVerdict.maySay(bearer.token())
                ? new Verdict.NotYet()
                : NONE;
    }

    /**
     * Looks into the store of the cluster.
     *
     * @throws StatusException with 503 while some cluster is being opened, and this may be it: a client that takes 401 for an end
     *     must not hear it from a server that has just been started
     */
    @Override
    public Verdict judge(Bearer bearer) {
        if (!(bearer.target() instanceof Target.Cluster target) || !TokenVerdict.maySay(bearer.token())) {
            return NONE;
        }
        Vouching vouching = directory.vouching(target.name());
        return switch (directory.lookup(target.name())) {
            case ClusterEntry.Hosted(HostedCluster cluster)
            when vouching.admitsItsOwn() -> verdict(target.name(), cluster, cluster.userOfToken(bearer.token()));
            case ClusterEntry.Hosted _, ClusterEntry.Attached _, ClusterEntry.Unready _ -> NONE;
            case ClusterEntry.Opening _ -> throw new StatusException(opening());
            case ClusterEntry.NotRegistered _ -> {
                if (vouching.mayBeOpening()) {
                    throw new StatusException(opening());
                }
                yield NONE;
            }
        };
    }

    private static Verdict verdict(ClusterName name, HostedCluster cluster, TokenVerdict verdict) {
        return switch (verdict) {
            case TokenVerdict.Accepted accepted ->
                new Verdict.Accepted(new Identity.OfCluster(name, cluster, accepted.user()));
            // An issuer elsewhere may have the same name.
            case TokenVerdict.Refused _ -> new Verdict.NotMine("ServiceAccountToken");
            case TokenVerdict.Foreign _ -> NONE;
        };
    }

    /** The same whether there is such a cluster or not. */
    private static Status opening() {
        return Status.withCause(
                503,
                "ServiceUnavailable",
                "clusters are still being opened (expected to be open soon; try again)",
                "ClusterOpening",
                1);
    }
}
