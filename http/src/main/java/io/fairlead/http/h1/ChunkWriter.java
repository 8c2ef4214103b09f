package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.TurnOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Writes bodies in chunks (RFC 9112 section 7.1), without extensions and trailers. */
public final class ChunkWriter {
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);
    private static final int CR_LF = 0x0d0a;

    /** Room for a chunk's size and the ends of two lines. */
    private static final int FRAMING_BYTES = 16;

    private ChunkWriter() {}

    /** Writes a chunk, none for no data, which would be the last one. Takes ownership, even if it throws. */
    public static void chunk(TurnOutput output, ByteBuf data) {
        int length = data.readableBytes();
        if (length == 0) {
            data.release();
            return;
        }
        try {
            ByteBuf size = output.room(FRAMING_BYTES + TurnOutput.roomFor(length));
            ByteBufUtil.writeAscii(size, Integer.toHexString(length));
            size.writeShort(CR_LF);
        } catch (RuntimeException | Error noBuffer) {
            data.release();
            throw noBuffer;
        }
        output.write(data);
        output.room(Short.BYTES).writeShort(CR_LF);
    }

    /** Ends a body. */
    public static void lastChunk(TurnOutput output) {
        output.room(LAST_CHUNK.length).writeBytes(LAST_CHUNK);
    }
}
