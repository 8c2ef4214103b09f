package io.fairlead.gateway.answer;

import io.fairlead.gateway.listen.Received;
import io.fairlead.http.FieldName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.List;
import java.util.Locale;

/**
 * The origin of the page that opens a connection (RFC 6454). Browsers let any page open a WebSocket to any server, with
 * its user's client certificate: the server must check the origin (RFC 6455 section 10.2).
 */
public final class Origin {
    private static final String SCHEME = "https://";
    private static final String DEFAULT_PORT = ":443";

    private Origin() {}

    /**
     * Accepts pages of this host, and clients that are not browsers.
     *
     * @throws StatusException with 403 for any other
     */
    public static void requireOwn(Received request) {
        List<String> origins = request.headers().all(FieldName.ORIGIN);
        String own = plain(SCHEME + request.headers().get(FieldName.HOST));
        if (origins.stream().allMatch(origin -> plain(origin).equals(own))) {
            return;
        }
        throw new StatusException(Status.withCause(
                403,
                "Forbidden",
                "Origin header: \"" + origins.getFirst() + "\" (expected none or " + own + " for an upgrade)",
                "ForeignOrigin",
                0));
    }

    private static String plain(String origin) {
        String lower = origin.toLowerCase(Locale.ROOT);
        return lower.endsWith(DEFAULT_PORT) ? lower.substring(0, lower.length() - DEFAULT_PORT.length()) : lower;
    }
}
