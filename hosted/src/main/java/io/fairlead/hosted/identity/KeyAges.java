package io.fairlead.hosted.identity;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How old the keys of a cluster may be, by the annotations of its namespace {@code kube-system}. Each is a time (RFC 3339); one
 * that is none is ignored. Immutable.
 *
 * @param signedSince {@value #SIGNED_SINCE}: a key that was made before signs no more
 * @param acceptedSince {@value #ACCEPTED_SINCE}: what a key has signed that was made before is refused
 */
public record KeyAges(Instant signedSince, Instant acceptedSince) {
    static final String SIGNED_SINCE = "fairlead.io/token-keys-signing-since";
    static final String ACCEPTED_SINCE = "fairlead.io/token-keys-accepted-since";

    /** Keys of any age sign and verify. */
    static final KeyAges ANY = new KeyAges(Instant.MIN, Instant.MIN);

    static KeyAges of(byte[] namespace) {
        Map<String, String> annotations = Meta.annotations(Json.read(namespace));
        return new KeyAges(time(annotations.get(SIGNED_SINCE)), time(annotations.get(ACCEPTED_SINCE)));
    }

    /** Whether a key may sign now. A time that is still to come is not in force yet: no key could be made that is young enough. */
    boolean maySign(Instant made, Instant now) {
        return isSince(made, signedSince, now) && mayVerify(made, now);
    }

    /** Whether what a key has signed is accepted now. */
    boolean mayVerify(Instant made, Instant now) {
        return isSince(made, acceptedSince, now);
    }

    /** The same without times that are still to come. */
    KeyAges inForce(Instant now) {
        return new KeyAges(inForce(signedSince, now), inForce(acceptedSince, now));
    }

    private static Instant inForce(Instant since, Instant now) {
        return since.isAfter(now) ? Instant.MIN : since;
    }

    private static boolean isSince(Instant made, Instant since, Instant now) {
        return since.isAfter(now) || !made.isBefore(since);
    }

    private static Instant time(@Nullable String text) {
        try {
            return text == null ? Instant.MIN : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException none) {
            return Instant.MIN;
        }
    }
}
