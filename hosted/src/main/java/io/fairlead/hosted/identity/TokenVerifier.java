package io.fairlead.hosted.identity;

import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.hosted.StatedIssuer;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.TokenVerdict.Accepted;
import io.fairlead.hosted.TokenVerdict.Foreign;
import io.fairlead.hosted.TokenVerdict.Refused;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/*
 * The order is that of what it costs, so that a stranger can cause little work: the length, the issuer as the token states it, the
 * key as the token states it, the signature of that one key, and only then a look into the store. Nothing that the token states
 * counts before its signature is verified, but which check comes next; all claims are read again from what was signed.
 */

/** Verifies tokens of a cluster. Threads: any. */
final class TokenVerifier {
    private static final int QUOTED_MAX = 10;
    private static final int QUOTED_CHARS_MAX = 256;

    private static final TokenVerdict NOT_OURS = new Foreign();

    private final SigningKeys keys;
    private final VerifiedSignatures signatures = new VerifiedSignatures(TokenKeys::verify, Ticker.systemTicker());
    private final AccountChecks checks;

    TokenVerifier(SigningKeys keys, TokenObjects objects, InstantSource clock) {
        this.keys = keys;
        this.checks = new AccountChecks(objects, clock);
    }

    /**
     * What a token is worth.
     *
     * @param audiences for one of which it must be meant
     */
    TokenVerdict verdict(String token, List<String> audiences) {
        if (!isOfIssuer(statedClaims(token))) {
            return NOT_OURS;
        }
        Optional<SignedToken> signed = SignedToken.read(token);
        if (signed.isEmpty()) {
            return new Refused("it is not signed by an algorithm that is accepted");
        }
        Optional<TokenKeys> key = keys.verifier(signed.get().keyId());
        if (key.isEmpty()) {
            return new Refused("invalid signature, no keys found");
        }
        if (!signatures.isBy(key.get(), token, signed.get())) {
            return new Refused("invalid signature");
        }
        return verdict(token, Json.read(signed.get().payload()), audiences);
    }

    /** Whether a key that signs or signed tokens of this cluster has signed a text, whatever it claims. */
    boolean isSignedHere(String token) {
        return SignedToken.read(token)
                .filter(signed -> keys.verifier(signed.keyId())
                        .filter(key -> signatures.isBy(key, token, signed))
                        .isPresent())
                .isPresent();
    }

    /** Whether a text is a token of the issuer of those in Secrets, by its own account. */
    static boolean isLegacy(String text) {
        JsonNode claims = statedClaims(text);
        return claims != null && TokenClaims.text(claims, "iss").equals(ServiceAccountTokens.LEGACY_ISSUER);
    }

    /** The verdict on a token whose signature is verified. */
    private TokenVerdict verdict(String token, JsonNode claims, List<String> audiences) {
        if (!isOfIssuer(claims)) {
            return new Refused("its issuer is invalid");
        }
        List<String> stated = TokenClaims.audiences(claims);
        List<String> meant = stated.isEmpty() ? ServiceAccountTokens.AUDIENCES : stated;
        List<String> accepted =
                audiences.stream().filter(new HashSet<>(meant)::contains).toList();
        if (accepted.isEmpty()) {
            return new Refused(
                    "token audiences " + quoted(meant) + " is invalid for the target audiences " + quoted(audiences));
        }
        try {
            boolean isLegacy = TokenClaims.text(claims, "iss").equals(ServiceAccountTokens.LEGACY_ISSUER);
            return new Accepted(isLegacy ? checks.legacy(token, claims) : checks.bound(claims), accepted);
        } catch (AccountChecks.FailedCheckException failed) {
            return new Refused(failed.reason());
        }
    }

    private static boolean isOfIssuer(@Nullable JsonNode claims) {
        String issuer = claims == null ? "" : TokenClaims.text(claims, "iss");
        return issuer.equals(ServiceAccountTokens.ISSUER) || issuer.equals(ServiceAccountTokens.LEGACY_ISSUER);
    }

    /** What a token claims, by its own account; null if it is none. */
    private static @Nullable JsonNode statedClaims(String token) {
        byte[] claims = StatedIssuer.claims(token);
        try {
            return claims == null ? null : Json.read(claims);
        } catch (UnreadableDocumentException none) {
            return null;
        }
    }

    /** The first texts, and the beginnings of long ones. */
    private static String quoted(List<String> texts) {
        String more = texts.size() > QUOTED_MAX ? " ...]" : "]";
        return texts.stream()
                .limit(QUOTED_MAX)
                .map(text ->
                        GoText.quote(text.length() > QUOTED_CHARS_MAX ? text.substring(0, QUOTED_CHARS_MAX) : text))
                .collect(Collectors.joining(" ", "[", more));
    }
}
