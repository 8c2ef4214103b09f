package io.fairlead.fleet;

import tools.jackson.databind.JsonNode;

/**
 * For whom a cluster vouches.
 *
 * @param admitsItsOwn whether those for whom it vouches may enter it ({@code spec.allowOwnIdentities})
 * @param reviewsTokens whether an attached cluster is asked whose a token is that is nothing to the gateway
 *     ({@code spec.attached.tokenReview})
 * @param mayBeOpening whether some hosted cluster is being opened, be it this one or not
 */
public record Vouching(boolean admitsItsOwn, boolean reviewsTokens, boolean mayBeOpening) {
    /** Of a cluster that is not registered. */
    static final Vouching NONE = new Vouching(false, false, false);

    static Vouching of(JsonNode cluster) {
        return new Vouching(
                cluster.at("/spec/allowOwnIdentities").asBoolean(true),
                cluster.at("/spec/attached/tokenReview").asBoolean(false),
                false);
    }

    /** Whether the cluster is asked whose tokens are, and lets their users enter. */
    public boolean asksForTokens() {
        return reviewsTokens && admitsItsOwn;
    }

    Vouching whileOpening(boolean isAnyOpening) {
        return isAnyOpening ? new Vouching(admitsItsOwn, reviewsTokens, true) : this;
    }
}
