package io.fairlead.gateway.enter;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.List;
import java.util.Optional;

/** Admits callers to clusters; refusals are identical whether the cluster exists or not. */
public final class Gate {
    private final ClusterAccess access;
    private final ClusterDirectory directory;

    public Gate(ClusterAccess access, ClusterDirectory directory) {
        this.access = access;
        this.directory = directory;
    }

    /**
     * Enters if it is known at once that the caller may; empty if that must be asked. Does not block.
     *
     * @throws StatusException with 403 if it is known that the caller may not
     */
    public Optional<Entered> enterAtOnce(Authenticated request, Target.Cluster target) {
        return switch (access.known(request.identity(), target.name())) {
            case ALLOWED -> Optional.of(entered(request, target));
            case REFUSED -> throw new StatusException(forbidden(request.identity()));
            case NOT_YET -> Optional.empty();
        };
    }

    /**
     * Enters; can block.
     *
     * @throws StatusException with 403 if the caller may not
     */
    public Entered enter(Authenticated request, Target.Cluster target) {
        if (!access.mayEnter(request.identity(), target.name())) {
            throw new StatusException(forbidden(request.identity()));
        }
        return entered(request, target);
    }

    private Entered entered(Authenticated request, Target.Cluster target) {
        ClusterEntry cluster = directory.lookup(target.name());
        if (request.identity() instanceof Identity.OfPublication && cluster instanceof ClusterEntry.Attached) {
            throw new StatusException(notHosted(target.name()));
        }
        if (request.identity() instanceof Identity.OfCluster own && !isVoucher(own.voucher(), cluster)) {
            throw new StatusException(forbidden(request.identity()));
        }
        return new Entered(request.described(), request.identity(), target, cluster, request.ownToken());
    }

    /** Whether a cluster is the one that vouched for an identity, and not another one that has got its name since. */
    private static boolean isVoucher(Object voucher, ClusterEntry cluster) {
        return switch (cluster) {
            case ClusterEntry.Hosted(HostedCluster hosted) -> hosted.equals(voucher);
            case ClusterEntry.Attached attached -> attached.base().voucher().equals(voucher);
            case ClusterEntry.Opening _, ClusterEntry.Unready _, ClusterEntry.NotRegistered _ -> false;
        };
    }

    /** An attached cluster decides by its own rights, for users that it knows. */
    private static Status notHosted(ClusterName source) {
        return Status.of(
                403,
                "Forbidden",
                "cluster \"" + source + "\": it is attached, so that nothing of it is served through another cluster"
                        + " (expected a hosted cluster as the source of the publication)");
    }

    /**
     * Repeats the check that the caller may enter; can block.
     *
     * @throws StatusException with 403 if not
     */
    public void requireStill(Entered request) {
        if (!access.mayEnter(request.identity(), request.target().name())) {
            throw new StatusException(forbidden(request.identity()));
        }
    }

    /** Whether the caller may also enter another cluster, and so may learn of it; can block. */
    public boolean mayKnow(Entered request, ClusterName other) {
        return access.mayEnter(request.identity(), other);
    }

    /** Whether {@link #mayKnow} answers at once. */
    public boolean knowsAtOnce(Entered request) {
        return access.always(request.identity());
    }

    /**
     * Checks that a caller may read the gateway's own data, such as its metrics; can block.
     *
     * @throws StatusException with 403 if not
     */
    public void requireRead(Authenticated request) {
        RequestInfo info = request.described().info();
        if (!access.mayRead(request.identity(), info)) {
            throw new StatusException(Status.forbidden(request.identity().user(), info, ""));
        }
    }

    /**
     * In the words of a refusal by Kubernetes' RBAC, but without the cluster's name: the bytes are the same for every
     * cluster, whether it exists or not. Also sent as a warning, since discovery is the first request of kubectl and
     * helm to be refused.
     */
    public static Status forbidden(Identity caller) {
        return new Status(
                        403,
                        "Forbidden",
                        "clusters.fairlead.io is forbidden: User \""
                                + caller.user().name()
                                + "\" cannot access the resource \"clusters\" in API group \"fairlead.io\" by the"
                                + " name that the request gives, or by the default one if it gives none: it is no"
                                + " cluster, or one that this user may not enter (expected the verb"
                                + " \"access\" on clusters.fairlead.io with the cluster's name, which an administrator"
                                + " of Fairlead binds in cluster root)",
                        new Status.Details("", "fairlead.io", "clusters", "", List.of(), 0))
                .asWarning();
    }
}
