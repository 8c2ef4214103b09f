package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Writes the heads of requests (RFC 9112 sections 3 and 5). */
public final class RequestWriter {
    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(US_ASCII);
    private static final int CR_LF = 0x0d0a;

    /** Room for a method, the version and the line ends. */
    private static final int LINE_BYTES_REST = 64;

    private RequestWriter() {}

    /**
     * Writes a head. Its fields are valid ones, and the framing is among them.
     *
     * @param own further fields, which stand behind the others
     * @throws IllegalArgumentException if the method or the target would be read as something else
     */
    public static void head(ByteBuf out, String method, String target, Fields fields, Fields own) {
        FieldRules.requireVisible(method);
        FieldRules.requireVisible(target);
        ByteBufUtil.writeAscii(out, method);
        out.writeByte(' ');
        ByteBufUtil.writeAscii(out, target);
        out.writeBytes(VERSION);
        FieldLines.write(out, fields);
        FieldLines.write(out, own);
        out.writeShort(CR_LF);
    }

    /** How many bytes a head takes at most, of a method of up to 32 bytes. */
    public static int headBytesMax(String target, Fields fields, Fields own) {
        return LINE_BYTES_REST + target.length() + FieldLines.bytes(fields) + FieldLines.bytes(own);
    }
}
