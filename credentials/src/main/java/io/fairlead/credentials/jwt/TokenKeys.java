package io.fairlead.credentials.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import java.text.ParseException;
import java.util.List;

/**
 * The public keys by which an issuer's tokens are verified (JWK Set, RFC 7517 section 5). Immutable; any thread.
 *
 * <p>Of a key's own attributes {@code use} and {@code alg} are kept to. What a token says of keys ({@code jku}, {@code x5u},
 * {@code jwk}) is not read, except which of these keys it means.
 */
public final class TokenKeys {
    /** Each is tried if a token does not say which one it means. */
    public static final int KEYS_MAX = 100;

    /** By which no token is verified. */
    public static final TokenKeys NONE = new TokenKeys(List.of());

    private final List<JWK> keys;

    private TokenKeys(List<JWK> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Reads a JWK Set. Keys of types that sign no tokens here are left out.
     *
     * @throws IllegalArgumentException if it is none, has more than {@value #KEYS_MAX} keys, or none that verifies tokens
     */
    public static TokenKeys read(byte[] json) {
        JWKSet set;
        try {
            set = JWKSet.parse(new String(json, UTF_8));
        } catch (ParseException none) {
            throw new IllegalArgumentException("it is no JSON Web Key Set (expected {\"keys\": [...]})", none);
        }
        if (set.getKeys().size() > KEYS_MAX) {
            throw new IllegalArgumentException(
                    "it has " + set.getKeys().size() + " keys (expected at most " + KEYS_MAX + ")");
        }
        List<JWK> usable = set.toPublicJWKSet().getKeys().stream()
                .filter(TokenKeys::isUsable)
                .toList();
        if (usable.isEmpty()) {
            throw new IllegalArgumentException(
                    "it has no key by which tokens can be verified (expected one of type RSA or EC)");
        }
        return new TokenKeys(usable);
    }

    /** Those of some signing keys. */
    static TokenKeys of(List<? extends JWK> keys) {
        return new TokenKeys(new JWKSet(List.copyOf(keys)).toPublicJWKSet().getKeys());
    }

    private static boolean isUsable(JWK key) {
        boolean isForSignatures = key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE);
        return isForSignatures && (key instanceof RSAKey || key instanceof ECKey);
    }

    /** Whether one of the keys has signed the token; the one that it names, if it names one. */
    public boolean verify(SignedToken token) {
        String keyId = token.keyId();
        for (JWK key : keys) {
            if ((keyId == null || keyId.equals(key.getKeyID())) && hasSigned(key, token)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasSigned(JWK key, SignedToken token) {
        JWSHeader header = token.token().getHeader();
        if (key.getAlgorithm() != null && !key.getAlgorithm().equals(header.getAlgorithm())) {
            return false;
        }
        try {
            JWSVerifier verifier = switch (key) {
                case RSAKey rsa -> new RSASSAVerifier(rsa);
                case ECKey ec -> new ECDSAVerifier(ec);
                default -> throw new IllegalStateException(key.getKeyType() + " is not usable");
            };
            return verifier.supportedJWSAlgorithms().contains(header.getAlgorithm())
                    && token.token().verify(verifier);
        } catch (JOSEException unfit) {
            return false;
        }
    }

    /** The JWK Set, as verifiers elsewhere read it. */
    public byte[] json() {
        return new JWKSet(keys).toString(true).getBytes(UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenKeys set && keys.equals(set.keys);
    }

    @Override
    public int hashCode() {
        return keys.hashCode();
    }
}
