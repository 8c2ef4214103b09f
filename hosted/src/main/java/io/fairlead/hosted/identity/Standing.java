package io.fairlead.hosted.identity;

import io.fairlead.hosted.meta.Meta;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What decides on tokens of an object on which they rest, however large it is. Immutable.
 *
 * @param deletion when it ends, or has ended; null if it is not being deleted
 * @param isMarkedInvalid whether a label says that the token in it is refused
 * @param tokenDigest of the token in it; empty if it is no Secret with one
 */
record Standing(String uid, @Nullable Instant deletion, boolean isMarkedInvalid, String tokenDigest) {
    static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

    /** What each holds beside its texts. */
    private static final int OVERHEAD_BYTES = 128;

    static Standing of(ObjectNode object) {
        boolean isMarkedInvalid =
                !Meta.labels(object).getOrDefault(INVALID_SINCE, "").isEmpty();
        return new Standing(Meta.uid(object), deletion(object), isMarkedInvalid, tokenDigest(object));
    }

    boolean isTerminating() {
        return deletion != null;
    }

    /** Whether the time of its deletion has come; that of a pod that is given time to end is still to come. */
    boolean isDeleted(Instant now) {
        return deletion != null && !deletion.isAfter(now);
    }

    int bytes() {
        return OVERHEAD_BYTES + uid.length() + tokenDigest.length();
    }

    private static @Nullable Instant deletion(ObjectNode object) {
        if (!Meta.isTerminating(object)) {
            return null;
        }
        try {
            String time = object.path("metadata").path("deletionTimestamp").asString("");
            return OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeException unreadable) {
            return Instant.MIN;
        }
    }

    private static String tokenDigest(ObjectNode secret) {
        String base64 = secret.path("data").path("token").asString("");
        try {
            return base64.isEmpty() ? "" : TokenDigest.of(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException noBase64) {
            return "";
        }
    }
}
