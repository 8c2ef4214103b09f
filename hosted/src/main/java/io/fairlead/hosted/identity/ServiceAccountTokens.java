package io.fairlead.hosted.identity;

import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.hosted.StatedIssuer;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.storage.RevisionedStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * The issuer of the tokens of a cluster's ServiceAccounts, as kube-apiserver 1.36 is one.
 *
 * <p>Threads: any; signing blocks until the key is durable, and verifying reads the store.
 */
public final class ServiceAccountTokens {
    /**
     * The issuer that tokens name, and the audience of the API server. That of kubeadm's clusters, so that programs that have it
     * built in work; it is no address, so that a token survives a changed port and the cluster's move to another server. Clusters
     * are told apart by their keys.
     */
    public static final String ISSUER = StatedIssuer.TOKENS;

    /** The issuer that tokens in Secrets name. */
    public static final String LEGACY_ISSUER = StatedIssuer.SECRETS;

    /** For whom a token is meant if its request does not say, and for one of whom it must be meant to be accepted. */
    public static final List<String> AUDIENCES = List.of(ISSUER);

    private final TokenObjects objects;
    private final SigningKeys keys;
    private final TokenVerifier verifier;
    private final String address;
    private final InstantSource clock;

    /**
     * The issuer of a cluster.
     *
     * @param keyEntry the key of the entry of the store that has the private keys
     * @param keyIds those of the keys of all clusters
     * @param address where clients reach the cluster, without a slash at its end
     */
    public ServiceAccountTokens(
            RevisionedStore store,
            String keyEntry,
            SigningKeyIds keyIds,
            TokenObjects objects,
            String address,
            InstantSource clock) {
        this.objects = objects;
        this.keys = new SigningKeys(store, keyEntry, keyIds, objects, clock);
        this.verifier = new TokenVerifier(keys, objects, clock);
        this.address = address;
        this.clock = clock;
    }

    /** Where clients reach the cluster, without a slash at its end. */
    public String address() {
        return address;
    }

    /** The objects on which tokens rest. */
    public TokenObjects objects() {
        return objects;
    }

    /**
     * A new token.
     *
     * @param account the ServiceAccount
     * @param audiences for whom it is meant
     * @param now from when on it is valid
     */
    public String issue(
            ObjectNode account, Binding binding, List<String> audiences, Instant now, long expirationSeconds) {
        Instant expiry = now.plusSeconds(expirationSeconds);
        String id = UUID.randomUUID().toString();
        return keys.signing().sign(TokenClaims.bound(account, binding, audiences, now, expiry, id));
    }

    /** The token for a Secret of a ServiceAccount, which does not expire. */
    public String issue(ObjectNode account, ObjectNode secret) {
        return keys.signing().sign(TokenClaims.legacy(account, Meta.name(secret)));
    }

    /** What a token is worth for the cluster's own API server. */
    public TokenVerdict verdict(String token) {
        return verdict(token, AUDIENCES);
    }

    /**
     * What a token is worth for others.
     *
     * @param audiences for one of which it must be meant
     */
    public TokenVerdict verdict(String token, List<String> audiences) {
        return verifier.verdict(token, audiences);
    }

    /** Whether a text is a token for a Secret that no key of this cluster has signed, or one that verifies no more. */
    public boolean isOfAnotherKey(String token) {
        return TokenVerifier.isLegacy(token) && !verifier.isSignedHere(token);
    }

    /** How old keys may be that sign and verify now. */
    public KeyAges keyAges() {
        return keys.ages().inForce(clock.instant());
    }

    /** The time by which tokens are issued. */
    public Instant now() {
        return clock.instant();
    }

    /** The public keys by which tokens are verified, of which there is at least one. */
    public TokenKeys publicKeys() {
        return keys.published();
    }
}
