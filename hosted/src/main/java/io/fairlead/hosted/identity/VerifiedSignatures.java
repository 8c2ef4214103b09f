package io.fairlead.hosted.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.credentials.jwt.TokenKeys;
import java.time.Duration;
import java.util.function.BiPredicate;

/**
 * Verifies signatures, and remembers for a few seconds by which key the last tokens were signed. Nothing else of a token is
 * remembered; and since each call names the key that verifies now, a key that is retired has signed nothing any more.
 *
 * <p>Threads: any.
 */
final class VerifiedSignatures {
    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final int TOKENS_MAX = 1000;

    private final BiPredicate<TokenKeys, SignedToken> verification;

    /** The keys by the digests of what they have signed. */
    private final LateCache<String, TokenKeys> known;

    /**
     * None yet.
     *
     * @param verification whether a key has signed a token
     */
    VerifiedSignatures(BiPredicate<TokenKeys, SignedToken> verification, Ticker ticker) {
        this.verification = verification;
        this.known = new LateCache<>(() -> Caffeine.newBuilder()
                .ticker(ticker)
                .expireAfterWrite(KEPT)
                .maximumSize(TOKENS_MAX)
                .executor(Runnable::run)
                .build());
    }

    /**
     * Whether a key has signed a token.
     *
     * @param signed the same token
     */
    boolean isBy(TokenKeys key, String token, SignedToken signed) {
        String digest = TokenDigest.of(token.getBytes(UTF_8));
        TokenKeys signer = known.getIfPresent(digest);
        if (signer != null && signer.equals(key)) {
            return true;
        }
        boolean isBy = verification.test(key, signed);
        if (isBy) {
            known.put(digest, key);
        }
        return isBy;
    }
}
