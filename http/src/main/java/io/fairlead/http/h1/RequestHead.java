package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.HeadLimits;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.Malformed;
import io.fairlead.http.MessageRules;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Rule;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The head of an HTTP/1.1 request, parsed so that no other parser can read it differently (RFC 9112).
 *
 * <p>Lines end with CR LF. Refuses folded fields, white space around a field's name, control bytes, a target that is
 * not in origin form, no host or several, and ambiguous framing.
 *
 * @param method the method
 * @param target the target as received
 * @param headers every field
 * @param contentLength the body's length, 0 for none, {@link MessageRules#LENGTH_UNKNOWN} if it is chunked
 * @param keepAlive whether another request may follow on this connection
 * @param chunkedAnswers whether the client understands chunks
 * @param expectsContinue whether it waits for a 100 before it sends the body
 * @param upgrade the value of {@code Upgrade} if the client requests another protocol, otherwise empty
 */
public record RequestHead(
        HttpMethod method,
        String target,
        MutableFields headers,
        long contentLength,
        boolean keepAlive,
        boolean chunkedAnswers,
        boolean expectsContinue,
        String upgrade) {
    private static final byte[] GET = {'G', 'E', 'T'};
    private static final byte[] VERSION_11 = "HTTP/1.1".getBytes(ISO_8859_1);

    /**
     * Reads a head.
     *
     * @param buffer holds it
     * @param start the index of its request line
     * @param end the index after the CR LF of its last line, before the empty one
     */
    static RequestHead parse(ByteBuf buffer, int start, int end, HeadLimits limits) throws Malformed {
        byte[] bytes = new byte[end - start];
        buffer.getBytes(start, bytes);
        int lineEnd = endOfLine(bytes, 0);
        RequestLine line = RequestLine.parse(bytes, lineEnd, limits);
        Fields fields = fields(bytes, lineEnd + 2, limits);
        requireOneHost(fields, line.version11());
        long contentLength = contentLength(fields, line);
        MutableFields headers = fields.toMutable();
        boolean saysConnection = fields.contains(FieldName.CONNECTION);
        String upgrade = line.version11() && saysConnection ? upgrade(headers) : "";
        return new RequestHead(
                line.method(),
                line.target(),
                headers,
                contentLength,
                upgrade.isEmpty()
                        && line.version11()
                        && !(saysConnection && headers.lists(FieldName.CONNECTION, "close")),
                line.version11(),
                MessageRules.expectsContinue(fields) && line.version11() && contentLength != 0,
                upgrade);
    }

    private static Fields fields(byte[] bytes, int start, HeadLimits limits) throws Malformed {
        if (bytes.length - start > limits.bytesMax()) {
            throw limits.tooManyBytes();
        }
        return FieldLines.parse(bytes, start, bytes.length, limits.fieldsMax());
    }

    /** The index of a line's CR LF; a CR or LF alone is refused. */
    private static int endOfLine(byte[] bytes, int start) throws Malformed {
        try {
            return FieldLines.endOfLine(bytes, start, bytes.length);
        } catch (Malformed malformed) {
            throw Malformed.of(malformed.rule(), "request " + malformed.getMessage());
        }
    }

    private static void requireOneHost(Fields fields, boolean version11) throws Malformed {
        int host = fields.next(FieldName.HOST, 0);
        if (host < 0 ? version11 : fields.next(FieldName.HOST, host + 1) >= 0) {
            throw Malformed.of(
                    Rule.HOST, "Host header: " + fields.all(FieldName.HOST).size() + " of them (expected one)");
        }
        if (host >= 0) {
            FieldRules.requireHost(fields.value(host));
        }
    }

    /** RFC 9112 section 6.3, without its tolerance. */
    private static long contentLength(Fields fields, RequestLine line) throws Malformed {
        boolean isCoded = fields.contains(FieldName.TRANSFER_ENCODING);
        if (isCoded && fields.contains(FieldName.CONTENT_LENGTH)) {
            throw Malformed.of(
                    Rule.ONE_FRAMING,
                    "request framing: Content-Length and Transfer-Encoding (expected one of the two)");
        }
        long announced = MessageRules.contentLength(fields);
        long bytes = announced == MessageRules.LENGTH_UNKNOWN ? 0 : announced;
        if (isCoded) {
            FieldLines.requirePlainlyChunked(fields, line.version11());
            bytes = MessageRules.LENGTH_UNKNOWN;
        }
        requireNoBody(bytes, line.method(), fields);
        return bytes;
    }

    private static void requireNoBody(long length, HttpMethod method, Fields fields) throws Malformed {
        if (length != 0 && (MessageRules.isBodiless(method) || fields.contains(FieldName.UPGRADE))) {
            throw Malformed.of(Rule.NO_BODY, "request body: expected none with GET, HEAD and upgrades");
        }
    }

    /** An offer without {@code Connection: upgrade} is ignored (RFC 9110 section 7.8). */
    private static String upgrade(MutableFields headers) {
        return headers.lists(FieldName.CONNECTION, "upgrade") ? String.join(", ", headers.all(FieldName.UPGRADE)) : "";
    }

    /** {@code method SP request-target SP HTTP-version} with exactly these spaces (RFC 9112 section 3). */
    private record RequestLine(HttpMethod method, String target, boolean version11) {
        static RequestLine parse(byte[] bytes, int end, HeadLimits limits) throws Malformed {
            int methodEnd = indexOfSpace(bytes, 0, end);
            int targetEnd = indexOfSpace(bytes, methodEnd + 1, end);
            HttpMethod method = method(bytes, methodEnd);
            int targetLength = targetEnd - methodEnd - 1;
            if (targetLength > limits.targetBytesMax()) {
                throw limits.targetTooLong();
            }
            String target = new String(bytes, methodEnd + 1, targetLength, ISO_8859_1);
            FieldRules.requireTarget(target);
            return new RequestLine(method, target, isVersion11(bytes, targetEnd + 1, end));
        }

        private static HttpMethod method(byte[] bytes, int length) throws Malformed {
            if (Arrays.equals(bytes, 0, length, GET, 0, GET.length)) {
                return HttpMethod.GET;
            }
            return MessageRules.method(new String(bytes, 0, length, ISO_8859_1));
        }

        private static int indexOfSpace(byte[] bytes, int start, int end) throws Malformed {
            for (int i = start; i < end; i++) {
                if (bytes[i] == ' ') {
                    return i;
                }
            }
            throw Malformed.of(
                    Rule.REQUEST_LINE, "request line: expected method, target and version, one space between them");
        }

        private static boolean isVersion11(byte[] bytes, int start, int end) throws Malformed {
            if (Arrays.equals(bytes, start, end, VERSION_11, 0, VERSION_11.length)) {
                return true;
            }
            String version = new String(bytes, start, end - start, ISO_8859_1);
            if (version.equals("HTTP/1.0")) {
                return false;
            }
            if (version.length() == 8 && version.startsWith("HTTP/") && version.charAt(6) == '.') {
                throw Malformed.of(Rule.VERSION, "HTTP version: expected HTTP/1.1 or HTTP/2");
            }
            throw Malformed.of(Rule.REQUEST_LINE, "request line: expected it to end with \"HTTP/1.1\"");
        }
    }
}
