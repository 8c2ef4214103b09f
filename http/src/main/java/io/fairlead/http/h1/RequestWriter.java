package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Writes requests (RFC 9112 sections 3, 5 and 7.1). */
public final class RequestWriter {
    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(US_ASCII);
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);
    private static final int CR_LF = 0x0d0a;

    private RequestWriter() {}

    /**
     * Writes a head.
     *
     * @param fields with the framing; valid ones
     * @throws IllegalArgumentException if the method or the target would be read as something else
     */
    public static void head(ByteBuf out, String method, String target, Fields fields) {
        FieldRules.requireVisible(method);
        FieldRules.requireVisible(target);
        ByteBufUtil.writeAscii(out, method);
        out.writeByte(' ');
        ByteBufUtil.writeAscii(out, target);
        out.writeBytes(VERSION);
        FieldLines.write(out, fields);
        out.writeShort(CR_LF);
    }

    /** Writes what stands before a chunk's data; behind it stands {@link #endOfChunk}. */
    public static void beginOfChunk(ByteBuf out, int length) {
        ByteBufUtil.writeAscii(out, Integer.toHexString(length));
        out.writeShort(CR_LF);
    }

    public static void endOfChunk(ByteBuf out) {
        out.writeShort(CR_LF);
    }

    /** Writes the end of a chunked body, without trailers. */
    public static void lastChunk(ByteBuf out) {
        out.writeBytes(LAST_CHUNK);
    }
}
