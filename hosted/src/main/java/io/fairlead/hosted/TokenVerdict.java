package io.fairlead.hosted;

import io.fairlead.model.UserInfo;
import java.util.List;

/** What a hosted cluster says of a bearer token. Immutable. */
public sealed interface TokenVerdict {
    /**
     * A ServiceAccount of the cluster has presented a token that is valid now.
     *
     * @param user the ServiceAccount, with the groups of ServiceAccounts; {@code system:authenticated} is for the caller to add
     * @param audiences those that were asked for and that the token is meant for, in the order in which they were asked for
     */
    record Accepted(UserInfo user, List<String> audiences) implements TokenVerdict {
        public Accepted {
            audiences = List.copyOf(audiences);
        }
    }

    /** The token names another issuer, or is none at all. */
    record Foreign() implements TokenVerdict {}

    /**
     * The token names the issuer that every hosted cluster has, and is not valid here: it is forged, expired or revoked, or comes
     * from another cluster with an issuer of that name.
     *
     * @param why for logs and for the answer to a TokenReview; has no part of the token but names of objects, and these only if
     *     the cluster has signed them
     */
    record Refused(String why) implements TokenVerdict {}

    /**
     * Whether a text may be a token of some hosted cluster, as far as its issuer says so. Does not block, and costs little: what is
     * not such a token need be asked of no cluster.
     */
    static boolean maySay(String token) {
        return StatedIssuer.isOfHostedClusters(token);
    }
}
