package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/2 request, checked by the same rules as one of HTTP/1.1 (RFC 9113 section 8).
 *
 * <p>The session has already refused malformed pseudo-header fields, upper-case names and connection-specific fields.
 */
record Http2Head(HttpMethod method, String target, MutableFields headers, long contentLength) {
    private static final int LENGTH_DIGITS_MAX = 18;

    static Http2Head parse(Fields received, boolean endOfStream, EdgeLimits limits) throws Refused, Malformed {
        String method = text(received.get(FieldName.PSEUDO_METHOD));
        if (!FieldRules.isToken(method) || method.equals("CONNECT")) {
            throw Refused.badRequest("request method: expected a token, and not CONNECT");
        }
        String scheme = text(received.get(FieldName.PSEUDO_SCHEME));
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw Refused.badRequest("request scheme: expected https or http");
        }
        String target = text(received.get(FieldName.PSEUDO_PATH));
        if (target.length() > limits.heads().targetBytesMax()) {
            throw Refused.targetTooLong(limits.heads().targetBytesMax());
        }
        FieldRules.requireTarget(target);
        MutableFields headers = fields(received);
        requireOneHost(headers, text(received.get(FieldName.PSEUDO_AUTHORITY)));
        boolean bodiless = method.equals("GET") || method.equals("HEAD");
        return new Http2Head(HttpMethod.of(method), target, headers, contentLength(headers, endOfStream, bodiless));
    }

    private static MutableFields fields(Fields received) throws Refused {
        MutableFields headers = new MutableFields();
        StringBuilder cookies = new StringBuilder();
        for (int i = 0; i < received.size(); i++) {
            if (received.isPseudo(i)) {
                continue;
            }
            requireValue(received, i);
            if (received.is(i, FieldName.COOKIE)) {
                // Crumbs are one field outside HTTP/2 (RFC 9113 section 8.2.3).
                cookies.append(cookies.isEmpty() ? "" : "; ").append(received.value(i));
            } else {
                headers.add(received, i);
            }
        }
        if (!cookies.isEmpty()) {
            headers.add(FieldName.COOKIE, cookies.toString());
        }
        return headers;
    }

    /** RFC 9113 section 8.2.1, and no other control bytes. */
    private static void requireValue(Fields fields, int field) throws Refused {
        byte[] bytes = fields.bytes();
        int start = fields.valueStart(field);
        int end = start + fields.valueLength(field);
        if (FieldRules.endOfValue(bytes, start, end) < end) {
            throw Refused.badRequest("header field: expected no control bytes in its value");
        }
        if (end > start && (isBlank(bytes[start]) || isBlank(bytes[end - 1]))) {
            throw Refused.badRequest("header field: expected no space around its value");
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Takes {@code :authority} as the host; a Host field must equal it (RFC 9113 section 8.3.1). */
    private static void requireOneHost(MutableFields headers, String authority) throws Refused, Malformed {
        String host = authority;
        if (authority.isEmpty() || headers.contains(FieldName.HOST)) {
            List<String> hosts = headers.all(FieldName.HOST);
            if (hosts.size() != 1 || !(authority.isEmpty() || hosts.getFirst().equalsIgnoreCase(authority))) {
                throw Refused.badRequest("Host header: expected one, and the same as :authority");
            }
            host = authority.isEmpty() ? hosts.getFirst() : authority;
        }
        FieldRules.requireHost(host);
        headers.set(FieldName.HOST, host);
    }

    /** An open stream of a request that has no body may still end with an empty frame. */
    private static long contentLength(MutableFields headers, boolean endOfStream, boolean bodiless) throws Refused {
        List<String> lengths =
                headers.contains(FieldName.CONTENT_LENGTH) ? headers.all(FieldName.CONTENT_LENGTH) : List.of();
        if (lengths.size() > 1) {
            throw Refused.badRequest("content-length header: " + lengths.size() + " of them (expected one)");
        }
        if (!lengths.isEmpty() && !isLength(lengths.getFirst())) {
            throw Refused.badRequest(
                    "content-length header: expected a decimal number of at most " + LENGTH_DIGITS_MAX + " digits");
        }
        long announced = lengths.isEmpty() ? Received.LENGTH_UNKNOWN : Long.parseLong(lengths.getFirst());
        if (announced > 0 && (bodiless || endOfStream)) {
            throw Refused.badRequest("request body: expected none with GET and HEAD, and else all that was announced");
        }
        return endOfStream || bodiless ? 0 : announced;
    }

    private static boolean isLength(String text) {
        return !text.isEmpty() && text.length() <= LENGTH_DIGITS_MAX && FieldRules.isDigits(text);
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
