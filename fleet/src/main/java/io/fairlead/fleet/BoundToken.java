package io.fairlead.fleet;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.meta.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The claims of a ServiceAccount's token (RFC 7519): its subject and lifetime. It is not verified: it is Fairlead's own
 * credential.
 */
record BoundToken(String namespace, String account, Instant issued, Instant ends) {
    private static final String SUBJECT_PREFIX = "system:serviceaccount:";
    private static final int PARTS = 3;

    /** The end of the year 9999. */
    private static final long SECONDS_MAX = 253_402_300_799L;

    /** The shortest lifetime that an API server issues (TokenRequest, {@code spec.expirationSeconds}). */
    private static final Duration LIFETIME_MIN = Duration.ofMinutes(10);

    /** The longest lifetime that can be requested (TokenRequest, {@code spec.expirationSeconds}). */
    private static final Duration LIFETIME_MAX = Duration.ofSeconds(1L << 32);

    /** Empty if it is another kind of token, or one that does not expire. */
    static Optional<BoundToken> of(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            return of(Json.read(Base64.getUrlDecoder().decode(parts[1])));
        } catch (IllegalArgumentException | UnreadableDocumentException opaque) {
            return Optional.empty();
        }
    }

    private static Optional<BoundToken> of(JsonNode claims) {
        String subject = claims.path("sub").asString("");
        String[] whose = subject.startsWith(SUBJECT_PREFIX)
                ? subject.substring(SUBJECT_PREFIX.length()).split(":", -1)
                : new String[0];
        boolean isBound = whose.length == 2
                && Names.dns1123Label(whose[0]).isEmpty()
                && Names.dns1123Subdomain(whose[1]).isEmpty()
                && isTime(claims.path("iat"))
                && isTime(claims.path("exp"))
                && claims.path("iat").longValue() < claims.path("exp").longValue();
        return isBound
                ? Optional.of(new BoundToken(
                        whose[0],
                        whose[1],
                        Instant.ofEpochSecond(claims.path("iat").longValue()),
                        Instant.ofEpochSecond(claims.path("exp").longValue())))
                : Optional.empty();
    }

    /** Other numbers are not valid token times, and some exceed the range of {@link Instant}. */
    private static boolean isTime(JsonNode seconds) {
        return seconds.isIntegralNumber()
                && seconds.canConvertToLong()
                && seconds.longValue() >= 0
                && seconds.longValue() <= SECONDS_MAX;
    }

    /** Whether it belongs to the same ServiceAccount. */
    boolean isOfSameAccount(BoundToken other) {
        return namespace.equals(other.namespace) && account.equals(other.account);
    }

    /** The lifetime to request: that of this token, within an API server's bounds. */
    Duration lifetime() {
        Duration lifetime = Duration.between(issued, ends);
        return lifetime.compareTo(LIFETIME_MIN) < 0
                ? LIFETIME_MIN
                : lifetime.compareTo(LIFETIME_MAX) > 0 ? LIFETIME_MAX : lifetime;
    }

    /** Whether it has expired. */
    boolean hasEnded(Instant now) {
        return !now.isBefore(ends);
    }

    /** When to renew: with a third of the time left, which allows many attempts. */
    Instant renewedFrom() {
        return ends.minus(lifetime().dividedBy(3));
    }
}
