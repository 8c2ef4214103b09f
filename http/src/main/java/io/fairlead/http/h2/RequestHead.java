package io.fairlead.http.h2;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.HeadLimits;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.Malformed;
import io.fairlead.http.MessageRules;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/2 request, checked by the same rules as one of HTTP/1.1 (RFC 9113 section 8).
 *
 * <p>The session has already refused malformed pseudo-header fields, upper-case names and connection-specific fields.
 *
 * @param method the method
 * @param target the target as received
 * @param headers every field, with the authority as {@code Host}
 * @param contentLength the body's length, 0 for none, {@link MessageRules#LENGTH_UNKNOWN}
 * @param expectsContinue whether it waits for a 100 before it sends the body
 */
public record RequestHead(
        HttpMethod method, String target, MutableFields headers, long contentLength, boolean expectsContinue) {
    private static final FieldName PSEUDO_PREFIX = FieldName.of(":");

    /**
     * Reads a head.
     *
     * @param endOfStream whether nothing follows it
     */
    public static RequestHead parse(Fields received, boolean endOfStream, HeadLimits limits) throws Malformed {
        HttpMethod method = MessageRules.method(text(received.get(FieldName.PSEUDO_METHOD)));
        String scheme = text(received.get(FieldName.PSEUDO_SCHEME));
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw Malformed.of(Rule.SCHEME, "request scheme: expected https or http");
        }
        String target = text(received.get(FieldName.PSEUDO_PATH));
        MessageRules.requireTarget(target, limits);
        MutableFields headers = fields(received);
        requireOneHost(headers, text(received.get(FieldName.PSEUDO_AUTHORITY)));
        boolean isBodiless = MessageRules.isBodiless(method);
        long contentLength = contentLength(received, endOfStream, isBodiless);
        boolean expectsContinue = MessageRules.expectsContinue(received) && contentLength != 0;
        return new RequestHead(method, target, headers, contentLength, expectsContinue);
    }

    private static MutableFields fields(Fields received) throws Malformed {
        for (int i = 0; i < received.size(); i++) {
            if (!received.isPseudo(i)) {
                MessageRules.requireValue(received, i);
            }
        }
        MutableFields headers = received.toMutable().removeBeginningWith(PSEUDO_PREFIX);
        List<String> crumbs = headers.all(FieldName.COOKIE);
        if (crumbs.size() > 1) {
            // They are one field outside HTTP/2 (RFC 9113 section 8.2.3).
            headers.set(FieldName.COOKIE, String.join("; ", crumbs));
        }
        return headers;
    }

    /** Takes {@code :authority} as the host; a Host field must equal it (RFC 9113 section 8.3.1). */
    private static void requireOneHost(MutableFields headers, String authority) throws Malformed {
        String host = authority;
        if (authority.isEmpty() || headers.contains(FieldName.HOST)) {
            List<String> hosts = headers.all(FieldName.HOST);
            if (hosts.size() != 1 || !(authority.isEmpty() || hosts.getFirst().equalsIgnoreCase(authority))) {
                throw Malformed.of(Rule.HOST, "Host header: expected one, and the same as :authority");
            }
            host = authority.isEmpty() ? hosts.getFirst() : authority;
        }
        FieldRules.requireHost(host);
        headers.set(FieldName.HOST, host);
    }

    /** An open stream of a request that has no body may still end with an empty frame. */
    private static long contentLength(Fields received, boolean endOfStream, boolean isBodiless) throws Malformed {
        long announced = MessageRules.contentLength(received);
        if (announced > 0 && (isBodiless || endOfStream)) {
            throw Malformed.of(
                    Rule.NO_BODY, "request body: expected none with GET and HEAD, and else all that was announced");
        }
        return endOfStream || isBodiless ? 0 : announced;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
