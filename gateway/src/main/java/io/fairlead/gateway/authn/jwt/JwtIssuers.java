package io.fairlead.gateway.authn.jwt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.gateway.authn.Authentication;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.TokenDigests;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.model.UserInfo;
import io.fairlead.net.UpstreamClient;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Authenticates the tokens of the issuers of one {@code AuthenticationConfiguration}. Whom a token names is remembered for a
 * few seconds, as kube-apiserver does, and never after the token has expired.
 *
 * <p>What is wrong with a token is told to its bearer only if the issuer has signed it.
 */
public final class JwtIssuers implements TokenAuthenticator {
    /** As in kube-apiserver. */
    private static final Duration REMEMBERED = Duration.ofSeconds(10);

    /** How far clocks may be apart for {@code nbf}, as in kube-apiserver; there is nothing of the kind for {@code exp}. */
    private static final Duration EARLY_MAX = Duration.ofMinutes(1);

    private static final long REMEMBERED_BYTES_MAX = 16L * 1024 * 1024;
    private static final int ENTRY_BYTES = 256;

    /** What Google's tokens say, and what its issuer is called (go-oidc). */
    private static final String GOOGLE_WITHOUT_SCHEME = "accounts.google.com";

    private static final String GOOGLE = "https://accounts.google.com";

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?");

    private final Map<String, Issuer> issuers = new HashMap<>();
    private final TokenDigests digests = new TokenDigests();
    private final InstantSource clock;
    private final Cache<TokenDigests.Digest, Remembered> known;

    /** An issuer and its keys. */
    private record Issuer(IssuerSettings settings, IssuerKeys keys) {}

    /** The user of a token until it expires. */
    private record Remembered(Identity identity, Instant expiry) {}

    private JwtIssuers(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.known = Caffeine.newBuilder()
                .ticker(nanoTime::getAsLong)
                .expireAfterWrite(REMEMBERED)
                .maximumWeight(REMEMBERED_BYTES_MAX)
                .weigher((TokenDigests.Digest _, Remembered remembered) ->
                        ENTRY_BYTES + remembered.identity().user().bytes())
                .executor(Runnable::run)
                .build();
    }

    /** What all sets of issuers of a gateway have in common. */
    public static final class Maker {
        private final Function<IssuerSettings.Source, KeySource> sources;
        private final Executor threads;
        private final InstantSource clock;
        private final LongSupplier nanoTime;

        /** The keys in use, so that a changed file does not forget those of issuers that stay. Guarded by this. */
        private Map<IssuerSettings.Source, IssuerKeys> keys = new HashMap<>();

        /**
         * One that fetches keys.
         *
         * @param client which connects to where issuers may be
         * @param threads virtual ones, where keys are read
         * @param nanoTime the clock by which ages are measured
         */
        public Maker(UpstreamClient client, Executor threads, InstantSource clock, LongSupplier nanoTime) {
            this(source -> new DiscoveredKeys(source, client), threads, clock, nanoTime);
        }

        Maker(
                Function<IssuerSettings.Source, KeySource> sources,
                Executor threads,
                InstantSource clock,
                LongSupplier nanoTime) {
            this.sources = sources;
            this.threads = threads;
            this.clock = clock;
            this.nanoTime = nanoTime;
        }

        /**
         * The issuers of a file, whose keys are read at once.
         *
         * @throws IllegalArgumentException in one line, if it is no usable configuration
         */
        public synchronized JwtIssuers read(byte[] yaml) {
            List<IssuerSettings> settings = AuthenticationConfiguration.read(yaml);
            JwtIssuers made = new JwtIssuers(clock, nanoTime);
            Map<IssuerSettings.Source, IssuerKeys> inUse = new HashMap<>();
            for (IssuerSettings one : settings) {
                IssuerKeys ofOne = keys.get(one.source());
                if (ofOne == null) {
                    ofOne = new IssuerKeys(one.url(), sources.apply(one.source()), threads, nanoTime);
                }
                ofOne.prepare();
                inUse.put(one.source(), ofOne);
                made.issuers.put(one.url(), new Issuer(one, ofOne));
            }
            keys = inUse;
            return made;
        }
    }

    /**
     * Checks a file without use of it.
     *
     * @throws IllegalArgumentException in one line, if it is no usable configuration
     */
    public static void check(byte[] yaml) {
        AuthenticationConfiguration.read(yaml);
    }

    @Override
    public Verdict atOnce(Bearer bearer) {
        if (issuers.isEmpty() || !bearer.isInThreeParts()) {
            return new Verdict.NotMine("NoSignedToken");
        }
        Identity identity = remembered(digests.of(bearer.token()));
        return identity == null ? new Verdict.NotYet() : new Verdict.Accepted(identity);
    }

    private @Nullable Identity remembered(TokenDigests.Digest digest) {
        Remembered remembered = known.getIfPresent(digest);
        return remembered == null || remembered.expiry().isBefore(clock.instant()) ? null : remembered.identity();
    }

    @Override
    public Verdict judge(Bearer bearer) {
        if (!bearer.isInThreeParts()) {
            return new Verdict.NotMine("NoSignedToken");
        }
        TokenDigests.Digest digest = digests.of(bearer.token());
        Identity before = remembered(digest);
        if (before != null) {
            return new Verdict.Accepted(before);
        }
        SignedToken token = SignedToken.read(bearer.token()).orElse(null);
        if (token == null) {
            return new Verdict.NotMine("NoSignedToken");
        }
        ObjectNode claims = claims(token);
        Issuer issuer = claims == null ? null : issuers.get(issuer(claims));
        if (claims == null || issuer == null) {
            return new Verdict.NotMine("OtherIssuer");
        }
        try {
            if (!issuer.keys().verify(token)) {
                return new Verdict.Refused(issuer.keys().areKnown() ? "NotSignedByIssuer" : "KeysOfIssuerUnknown", "");
            }
            Instant expiry = requireValid(claims, issuer.settings());
            UserInfo user = issuer.settings().rules().user(claims);
            Identity identity = Authentication.withAuthenticated(new Identity.OfGateway(user));
            known.put(digest, new Remembered(identity, expiry));
            return new Verdict.Accepted(identity);
        } catch (RefusedClaimsException refused) {
            return new Verdict.Refused(refused.why(), "the token cannot be accepted: " + refused.told());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return new Verdict.Refused("ShuttingDown", "");
        }
    }

    private static @Nullable ObjectNode claims(SignedToken token) {
        try {
            return Json.read(token.payload()) instanceof ObjectNode claims ? claims : null;
        } catch (UnreadableDocumentException notJson) {
            return null;
        }
    }

    private static String issuer(ObjectNode claims) {
        String issuer = claims.path("iss").asString("");
        return issuer.equals(GOOGLE_WITHOUT_SCHEME) ? GOOGLE : issuer;
    }

    /** When the token expires. */
    private Instant requireValid(ObjectNode claims, IssuerSettings settings) throws RefusedClaimsException {
        if (!isFor(claims.path("aud"), settings)) {
            throw new RefusedClaimsException("OtherAudience", "it is for another audience");
        }
        Instant now = clock.instant();
        Instant expiry = time(claims.path("exp"));
        if (expiry == null || expiry.isBefore(now)) {
            throw new RefusedClaimsException(
                    "TokenExpired", expiry == null ? "it has no time at which it expires" : "it expired at " + expiry);
        }
        JsonNode notBefore = claims.path("nbf");
        Instant begin = time(notBefore);
        if (!notBefore.isMissingNode() && (begin == null || begin.isAfter(now.plus(EARLY_MAX)))) {
            throw new RefusedClaimsException("TokenNotYetValid", "it is not valid yet");
        }
        return expiry;
    }

    private static boolean isFor(JsonNode audience, IssuerSettings settings) {
        if (audience.isString()) {
            return settings.audiences().contains(audience.stringValue());
        }
        for (JsonNode one : audience.isArray() ? audience : Json.array()) {
            if (one.isString() && settings.audiences().contains(one.stringValue())) {
                return true;
            }
        }
        return false;
    }

    /** Seconds since 1970 (RFC 7519, section 2, NumericDate), as a text as well, which go-oidc reads; or null. */
    private static @Nullable Instant time(JsonNode seconds) {
        double value = seconds.isNumber()
                ? seconds.doubleValue()
                : NUMBER.matcher(seconds.asString("")).matches()
                        ? Double.parseDouble(seconds.stringValue())
                        : Double.NaN;
        return Math.abs(value) <= Instant.MAX.getEpochSecond() ? Instant.ofEpochSecond((long) value) : null;
    }
}
