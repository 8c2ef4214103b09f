package io.fairlead.credentials.jwt;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import java.text.ParseException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token in the compact form of JWS (RFC 7515 section 7.1) whose signature nothing has verified yet: see {@link
 * TokenKeys#verify}. Immutable.
 */
public final class SignedToken {
    /**
     * The algorithms of kube-apiserver: those by which only the holder of a private key can sign (RFC 7518 section 3.1).
     * Neither {@code none}, nor a key that the verifier knows too.
     */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final JWSObject token;

    private SignedToken(JWSObject token) {
        this.token = token;
    }

    /**
     * Reads a text.
     *
     * @return empty if it is no such token, is signed by another algorithm, or has a header that must be understood ({@code crit})
     */
    public static Optional<SignedToken> read(String text) {
        try {
            JWSObject token = JWSObject.parse(text);
            boolean isUnderstood = token.getHeader().getCriticalParams() == null
                    && token.getHeader().isBase64URLEncodePayload();
            return isUnderstood && ALGORITHMS.contains(token.getHeader().getAlgorithm())
                    ? Optional.of(new SignedToken(token))
                    : Optional.empty();
        } catch (ParseException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    /** Which of its issuer's keys has signed it, by its own account; null if it does not say. */
    public @Nullable String keyId() {
        return token.getHeader().getKeyID();
    }

    /** What is signed: the JSON of the claims, unless the issuer has signed something else. */
    public byte[] payload() {
        return token.getPayload().toBytes();
    }

    JWSObject token() {
        return token;
    }

    /** Omits everything: it is a credential. */
    @Override
    public String toString() {
        return "SignedToken[]";
    }
}
