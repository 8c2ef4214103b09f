package io.fairlead.gateway.authn;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.util.Optional;

/**
 * Tokens of ServiceAccounts of hosted clusters. Each is good for the cluster that issued it, where it is addressed, and for no
 * other one, whatever its user is called there.
 */
public final class ServiceAccounts implements TokenAuthenticator {
    private static final Verdict NONE = new Verdict.NotMine("");

    private final ClusterDirectory directory;
    private final Duration openingWait;

    /** @param openingWait how long a request waits for its cluster to be opened */
    public ServiceAccounts(ClusterDirectory directory, Duration openingWait) {
        this.directory = directory;
        this.openingWait = openingWait;
    }

    @Override
    public Verdict atOnce(Bearer bearer) {
        if (!bearer.isInThreeParts() || !(bearer.target() instanceof Target.Cluster target)) {
            return NONE;
        }
        return switch (directory.lookup(target.name())) {
            case ClusterEntry.Hosted _, ClusterEntry.Opening _ -> new Verdict.NotYet();
            case ClusterEntry.Attached _, ClusterEntry.Unready _, ClusterEntry.NotRegistered _ -> NONE;
        };
    }

    @Override
    public Verdict judge(Bearer bearer) {
        if (!bearer.isInThreeParts() || !(bearer.target() instanceof Target.Cluster target)) {
            return NONE;
        }
        return hosted(target.name())
                .filter(_ -> directory.vouching(target.name()).admitsItsOwn())
                .map(cluster -> verdict(target.name(), cluster.userOfToken(bearer.token())))
                .orElse(NONE);
    }

    private static Verdict verdict(ClusterName cluster, TokenVerdict verdict) {
        return switch (verdict) {
            case TokenVerdict.Accepted accepted ->
                new Verdict.Accepted(new Identity.OfCluster(cluster, accepted.user()));
            // An issuer elsewhere may have the same name.
            case TokenVerdict.Refused _ -> new Verdict.NotMine("ServiceAccountToken");
            case TokenVerdict.Foreign _ -> NONE;
        };
    }

    private Optional<HostedCluster> hosted(ClusterName name) {
        return switch (directory.lookup(name)) {
            case ClusterEntry.Hosted(HostedCluster cluster) -> Optional.of(cluster);
            case ClusterEntry.Opening(ClusterName _, ClusterEntry.Opens opens) -> opened(opens);
            case ClusterEntry.Attached _, ClusterEntry.Unready _, ClusterEntry.NotRegistered _ -> Optional.empty();
        };
    }

    private Optional<HostedCluster> opened(ClusterEntry.Opens opens) {
        try {
            return opens.await(openingWait) ? opens.opened() : Optional.empty();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
