package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.h1.FieldLines;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;

/**
 * The head of an HTTP/1.1 request, parsed so that no other parser can read it differently (RFC 9112).
 *
 * <p>Lines end with CR LF. Refuses folded fields, white space around a field's name, control bytes, a target that is
 * not in origin form, no host or several, and ambiguous framing.
 *
 * @param method the method
 * @param target the target as received
 * @param headers every field
 * @param contentLength the body's length, 0 for none, {@link Received#LENGTH_UNKNOWN} if it is chunked
 * @param keepAlive whether another request may follow on this connection
 * @param chunkedAnswers whether the client understands chunks
 * @param expectsContinue whether it waits for a 100 before it sends the body
 * @param upgrade the value of {@code Upgrade} if the client requests another protocol, otherwise empty
 */
record Http1Head(
        HttpMethod method,
        String target,
        MutableFields headers,
        long contentLength,
        boolean keepAlive,
        boolean chunkedAnswers,
        boolean expectsContinue,
        String upgrade) {
    private static final int METHOD_BYTES_MAX = 32;
    private static final int LENGTH_DIGITS_MAX = 18;

    /**
     * Reads a head.
     *
     * @param buffer holds it
     * @param start the index of its request line
     * @param end the index after the CR LF of its last line, before the empty one
     */
    static Http1Head parse(ByteBuf buffer, int start, int end, EdgeLimits limits) throws Refused, Malformed {
        byte[] bytes = new byte[end - start];
        buffer.getBytes(start, bytes);
        int lineEnd = endOfLine(bytes, 0);
        RequestLine line = RequestLine.parse(bytes, lineEnd, limits.heads().targetBytesMax());
        MutableFields headers = fields(bytes, lineEnd + 2, limits);
        requireOneHost(headers, line.version11());
        long contentLength = contentLength(headers, line);
        String upgrade = line.version11() ? upgrade(headers) : "";
        return new Http1Head(
                line.method(),
                line.target(),
                headers,
                contentLength,
                upgrade.isEmpty() && keepAlive(headers, line.version11()),
                line.version11(),
                expectsContinue(headers, line.version11()) && contentLength != 0,
                upgrade);
    }

    private static MutableFields fields(byte[] bytes, int start, EdgeLimits limits) throws Refused {
        if (bytes.length - start > limits.heads().bytesMax()) {
            throw Refused.headTooLarge(
                    "header fields: expected at most " + limits.heads().bytesMax() + " bytes of them");
        }
        int fieldsMax = limits.heads().fieldsMax();
        try {
            return FieldLines.parse(bytes, start, bytes.length, fieldsMax).toMutable();
        } catch (Malformed malformed) {
            throw malformed.isTooLarge() ? Refused.tooManyFields(fieldsMax) : Refused.of(malformed);
        }
    }

    /** The index of a line's CR LF; a CR or LF alone is refused. */
    private static int endOfLine(byte[] bytes, int start) throws Refused {
        try {
            return FieldLines.endOfLine(bytes, start, bytes.length);
        } catch (Malformed malformed) {
            throw Refused.badRequest("request " + malformed.getMessage());
        }
    }

    private static void requireOneHost(MutableFields headers, boolean version11) throws Refused, Malformed {
        List<String> hosts = headers.all(FieldName.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && version11)) {
            throw Refused.badRequest("Host header: " + hosts.size() + " of them (expected one)");
        }
        if (!hosts.isEmpty()) {
            FieldRules.requireHost(hosts.getFirst());
        }
    }

    /** RFC 9112 section 6.3, without its tolerance. */
    private static long contentLength(MutableFields headers, RequestLine line) throws Refused {
        List<String> codings = headers.all(FieldName.TRANSFER_ENCODING);
        List<String> lengths = headers.all(FieldName.CONTENT_LENGTH);
        if (!codings.isEmpty() && !lengths.isEmpty()) {
            throw Refused.badRequest("request framing: Content-Length and Transfer-Encoding (expected one of the two)");
        }
        if (lengths.size() > 1) {
            throw Refused.badRequest("Content-Length header: " + lengths.size() + " of them (expected one)");
        }
        if (!codings.isEmpty() && !isPlainlyChunked(codings, line.version11())) {
            throw Refused.badRequest("Transfer-Encoding header: expected \"chunked\" alone, and HTTP/1.1");
        }
        long length = codings.isEmpty() ? length(lengths) : Received.LENGTH_UNKNOWN;
        requireNoBody(length, line.method(), headers);
        return length;
    }

    private static boolean isPlainlyChunked(List<String> codings, boolean version11) {
        return version11 && codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked");
    }

    private static long length(List<String> lengths) throws Refused {
        if (lengths.isEmpty()) {
            return 0;
        }
        String length = lengths.getFirst();
        if (length.isEmpty()
                || length.length() > LENGTH_DIGITS_MAX
                || !length.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw Refused.badRequest(
                    "Content-Length header: expected a decimal number of at most " + LENGTH_DIGITS_MAX + " digits");
        }
        return Long.parseLong(length);
    }

    private static void requireNoBody(long length, HttpMethod method, MutableFields headers) throws Refused {
        boolean bodiless =
                method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD) || headers.contains(FieldName.UPGRADE);
        if (length != 0 && bodiless) {
            throw Refused.badRequest("request body: expected none with GET, HEAD and upgrades");
        }
    }

    private static boolean keepAlive(MutableFields headers, boolean version11) {
        return version11 && !headers.lists(FieldName.CONNECTION, "close");
    }

    /** An offer without {@code Connection: upgrade} is ignored (RFC 9110 section 7.8). */
    private static String upgrade(MutableFields headers) {
        return headers.lists(FieldName.CONNECTION, "upgrade") ? String.join(", ", headers.all(FieldName.UPGRADE)) : "";
    }

    private static boolean expectsContinue(MutableFields headers, boolean version11) throws Refused {
        List<String> expectations = headers.all(FieldName.EXPECT);
        if (expectations.isEmpty()) {
            return false;
        }
        if (expectations.size() > 1 || !expectations.getFirst().equalsIgnoreCase("100-continue")) {
            throw Refused.expectationFailed();
        }
        return version11;
    }

    /** {@code method SP request-target SP HTTP-version} with exactly these spaces (RFC 9112 section 3). */
    private record RequestLine(HttpMethod method, String target, boolean version11) {
        static RequestLine parse(byte[] bytes, int end, int targetBytesMax) throws Refused, Malformed {
            int methodEnd = indexOfSpace(bytes, 0, end);
            int targetEnd = indexOfSpace(bytes, methodEnd + 1, end);
            String method = new String(bytes, 0, methodEnd, ISO_8859_1);
            if (method.length() > METHOD_BYTES_MAX || !FieldRules.isToken(method) || method.equals("CONNECT")) {
                throw Refused.badRequest(
                        "request method: expected a token of at most " + METHOD_BYTES_MAX + " bytes, and not CONNECT");
            }
            String target = new String(bytes, methodEnd + 1, targetEnd - methodEnd - 1, ISO_8859_1);
            if (target.length() > targetBytesMax) {
                throw Refused.targetTooLong(targetBytesMax);
            }
            FieldRules.requireTarget(target);
            String version = new String(bytes, targetEnd + 1, end - targetEnd - 1, ISO_8859_1);
            return new RequestLine(HttpMethod.valueOf(method), target, isVersion11(version));
        }

        private static int indexOfSpace(byte[] bytes, int start, int end) throws Refused {
            for (int i = start; i < end; i++) {
                if (bytes[i] == ' ') {
                    return i;
                }
            }
            throw Refused.badRequest("request line: expected method, target and version, one space between them");
        }

        private static boolean isVersion11(String version) throws Refused {
            if (version.equals("HTTP/1.1")) {
                return true;
            }
            if (version.equals("HTTP/1.0")) {
                return false;
            }
            if (version.length() == 8 && version.startsWith("HTTP/") && version.charAt(6) == '.') {
                throw Refused.versionNotSupported();
            }
            throw Refused.badRequest("request line: expected it to end with \"HTTP/1.1\"");
        }
    }
}
