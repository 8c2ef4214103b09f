package io.fairlead.http.h1;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.Malformed;
import io.fairlead.http.MessageRules;
import io.fairlead.http.Rule;
import io.netty.buffer.ByteBuf;

/**
 * The head of an answer, with how its body is framed (RFC 9112 sections 4 and 6.3), without what that section tolerates.
 *
 * @param body the body's framing
 * @param contentLength the body's length if its framing is {@link Framing#LENGTH}
 * @param isLast whether the server closes the connection behind this answer; an interim one says nothing of that
 */
public record AnswerHead(int status, Fields fields, Framing body, long contentLength, boolean isLast) {
    private static final String VERSION_11 = "HTTP/1.1 ";
    private static final int VERSION_BYTES = VERSION_11.length();
    private static final int STATUS_DIGITS = 3;
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 599;

    /** Where a body ends. */
    public enum Framing {
        /** There is none. */
        NONE,
        LENGTH,
        CHUNKED,
        /** With the connection. */
        CLOSE
    }

    /**
     * Reads a head behind {@link #requireVersion}.
     *
     * @param bytes from the status line to the CR LF of the last field
     * @param method of the request
     */
    static AnswerHead parse(byte[] bytes, String method, int fieldsMax) throws Malformed {
        int lineEnd = FieldLines.endOfLine(bytes, 0, bytes.length);
        boolean isVersion11 = bytes[VERSION_BYTES - 2] == '1';
        int status = status(bytes, lineEnd);
        Fields fields = FieldLines.parse(bytes, lineEnd + 2, bytes.length, fieldsMax);
        if (opensTunnel(method, status)) {
            return new AnswerHead(status, fields, Framing.NONE, 0, false);
        }
        long length = MessageRules.contentLength(fields);
        boolean isChunked = fields.contains(FieldName.TRANSFER_ENCODING);
        if (isChunked) {
            FieldLines.requirePlainlyChunked(fields, isVersion11);
        }
        if (isChunked && length >= 0) {
            throw Malformed.of(
                    Rule.ONE_FRAMING, "answer framing: Content-Length and Transfer-Encoding (expected one of the two)");
        }
        if (HttpStatus.hasNoBody(status) && status != HttpStatus.NOT_MODIFIED && (isChunked || length > 0)) {
            throw Malformed.of(Rule.NO_BODY, "answer framing: a body with status " + status + " (expected none)");
        }
        Framing body =
                HttpStatus.hasNoBody(status) || method.equals("HEAD") ? Framing.NONE : framing(isChunked, length);
        boolean isLast = !HttpStatus.isInterim(status) && (body == Framing.CLOSE || !isVersion11 || saysClose(fields));
        return new AnswerHead(status, fields, body, length, isLast);
    }

    /** Refuses what begins as no answer does, as soon as enough of it came. */
    static void requireVersion(ByteBuf pending) throws Malformed {
        int start = pending.readerIndex();
        int known = Math.min(VERSION_BYTES, pending.readableBytes());
        for (int i = 0; i < known; i++) {
            byte b = pending.getByte(start + i);
            if (b != VERSION_11.charAt(i) && (i != VERSION_BYTES - 2 || b != '0')) {
                throw Malformed.of("status line: expected it to begin with \"" + VERSION_11 + "\"");
            }
        }
    }

    /** Whether another head follows (RFC 9110 section 15.2). */
    public boolean isInterim() {
        return HttpStatus.isInterim(status);
    }

    /** What follows is the tunnel's, whatever the head says of a body (RFC 9112 section 6.3). */
    private static boolean opensTunnel(String method, int status) {
        return method.equals("CONNECT") && status >= HttpStatus.OK && status < 300;
    }

    private static Framing framing(boolean isChunked, long length) {
        if (isChunked) {
            return Framing.CHUNKED;
        }
        if (length < 0) {
            return Framing.CLOSE;
        }
        return length == 0 ? Framing.NONE : Framing.LENGTH;
    }

    /** Three digits, and a reason behind a space, which no caller needs. */
    private static int status(byte[] bytes, int lineEnd) throws Malformed {
        int end = VERSION_BYTES + STATUS_DIGITS;
        int status = 0;
        for (int i = VERSION_BYTES; i < end; i++) {
            int digit = i < lineEnd ? bytes[i] - '0' : -1;
            if (digit < 0 || digit > 9) {
                throw Malformed.of("status line: expected three digits");
            }
            status = 10 * status + digit;
        }
        if (status < STATUS_MIN || status > STATUS_MAX || (end < lineEnd && bytes[end] != ' ')) {
            throw Malformed.of("status line: expected a status between " + STATUS_MIN + " and " + STATUS_MAX);
        }
        if (FieldRules.endOfValue(bytes, end, lineEnd) < lineEnd) {
            throw Malformed.of("status line: expected no control bytes");
        }
        return status;
    }

    private static boolean saysClose(Fields fields) {
        return fields.contains(FieldName.CONNECTION) && fields.toMutable().lists(FieldName.CONNECTION, "close");
    }
}
