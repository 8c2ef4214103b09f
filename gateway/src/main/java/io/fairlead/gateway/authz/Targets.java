package io.fairlead.gateway.authz;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.publication.TargetNamespaces;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.impersonate.AccessReviews;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;

/**
 * The clusters into which others are published, which say what their users may create through a publication. They have
 * allowed the request itself before they sent it: of an update that is the right to update alone.
 *
 * <p>Threads: any virtual one; calls block.
 */
public final class Targets {
    private final ClusterDirectory clusters;
    private final TargetNamespaces namespaces;
    private final AccessReviews reviews;

    public Targets(ClusterDirectory clusters, TargetNamespaces namespaces, AccessReviews reviews) {
        this.clusters = clusters;
        this.namespaces = namespaces;
        this.reviews = reviews;
    }

    /**
     * Requires that an object can be created where it is asked for.
     *
     * @throws StatusException as {@link TargetNamespaces} has it
     */
    void requireNamespace(Identity.OfPublication publication, RequestInfo creation) {
        if (creation.namespace().isEmpty()) {
            return;
        }
        try {
            namespaces.require(publication.target(), publication.source(), creation.namespace());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(
                    Status.withCause(503, "ServiceUnavailable", "the gateway is shutting down", "ShuttingDown", 1));
        }
    }

    /**
     * Requires that a user of the target may create there what an update finds missing, and that it can be created.
     *
     * @throws StatusException with 403 if the target denies it; as {@link AccessReviews} and {@link TargetNamespaces} have it
     */
    void requireCreation(Identity.OfPublication publication, RequestInfo creation) {
        UserInfo user = publication.userOfTarget();
        switch (clusters.lookup(publication.target())) {
            case ClusterEntry.Hosted hosted -> Authorized.require(hosted.cluster(), user, creation);
            case ClusterEntry.Attached attached -> reviews.require(attached, publication.caller(), user, creation);
            case ClusterEntry.Opening _, ClusterEntry.Unready _, ClusterEntry.NotRegistered _ ->
                throw AccessReviews.undecided(
                        publication.target(),
                        creation,
                        503,
                        "ServiceUnavailable",
                        "it is not Ready (expected another try later)");
        }
        requireNamespace(publication, creation);
    }
}
