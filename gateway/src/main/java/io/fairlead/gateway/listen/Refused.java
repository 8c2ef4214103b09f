package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.http.Malformed;
import io.fairlead.http.Rule;
import io.fairlead.model.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What breaks a rule of requests, as its client, the log and the metrics see it.
 *
 * @param limit the exceeded limit, or null if the rule is of another kind
 */
record Refused(Status status, @Nullable Limit limit) {
    static Refused of(Malformed malformed) {
        return of(malformed.rule(), String.valueOf(malformed.getMessage()));
    }

    static Refused of(Rule rule, String message) {
        return new Refused(Status.of(rule.status(), rule.reason(), message), limit(rule));
    }

    static Refused headTooSlow(Duration timeout) {
        return of(Rule.HEAD_TIME, "request head: expected all of it within " + timeout.toMillis() + " ms");
    }

    static Refused bodyTooSlow(LimitSettings limits) {
        return of(
                Rule.BODY_PACE,
                "request body: expected at least "
                        + limits.bodyBytesPerSecondMin().bytes() + " bytes a second over "
                        + limits.bodyPaceWindow().toMillis() + " ms");
    }

    private static @Nullable Limit limit(Rule rule) {
        return switch (rule) {
            case TARGET_BYTES -> Limit.TARGET_BYTES;
            case FIELD_BYTES, TRAILER_BYTES -> Limit.HEAD_BYTES;
            case FIELDS -> Limit.HEADER_FIELDS;
            case HEAD_TIME -> Limit.HEAD_TIMEOUT;
            case BODY_PACE -> Limit.BODY_PACE;
            case LINE_END,
                    REQUEST_LINE,
                    VERSION,
                    METHOD,
                    SCHEME,
                    TARGET,
                    HOST,
                    FIELD,
                    CONTENT_LENGTH,
                    TRANSFER_ENCODING,
                    ONE_FRAMING,
                    NO_BODY,
                    EXPECTATION,
                    CHUNK,
                    TRAILER,
                    NO_REQUEST -> null;
        };
    }
}
