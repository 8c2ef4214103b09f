package io.fairlead.http.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.hpack.HpackEncoder;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames. Small ones are collected in one buffer until the end of the turn; the data of large ones is passed on as
 * it is.
 */
final class FrameWriter {
    /** Copying less than this is cheaper than one more buffer in the connection's queue. */
    private static final int COPIED_BYTES_MAX = 2048;

    /** No more than what one TLS record takes (RFC 8446 section 5.1), of data that is copied. */
    private static final int COLLECTED_BYTES_MAX = 16 * 1024;

    private static final int COLLECTED_BYTES_MIN = 1024;

    private final Http2Output output;
    private final HpackEncoder encoder = new HpackEncoder();
    private @Nullable ByteBuf collected;

    /** As much again as was collected last: growing means copying, and what is too large is soon given back. */
    private int expectedBytes = COLLECTED_BYTES_MIN;

    private long writtenBytes;
    private long writtenFrames;

    FrameWriter(Http2Output output) {
        this.output = output;
    }

    /** All bytes of all frames. */
    long writtenBytes() {
        return writtenBytes;
    }

    /** All frames but CONTINUATION. */
    long writtenFrames() {
        return writtenFrames;
    }

    /** Whether little enough waits for the peer to read it. */
    boolean isRead() {
        return output.isWritable();
    }

    /** What a client's side begins with (section 3.4). */
    void preface() {
        ByteBuf out = output.buffer(COLLECTED_BYTES_MIN);
        collected = out;
        out.writeBytes(Frame.PREFACE);
    }

    void settings(int... idsAndValues) {
        ByteBuf out = begin(idsAndValues.length / 2 * Frame.SETTING_BYTES, Frame.SETTINGS, 0, 0);
        for (int i = 0; i < idsAndValues.length; i += 2) {
            out.writeShort(idsAndValues[i]).writeInt(idsAndValues[i + 1]);
        }
    }

    void settingsAck() {
        begin(0, Frame.SETTINGS, Frame.ACK, 0);
    }

    void ping(long opaque, boolean ack) {
        begin(Frame.PING_BYTES, Frame.PING, ack ? Frame.ACK : 0, 0).writeLong(opaque);
    }

    void reset(int stream, ErrorCode code) {
        begin(Integer.BYTES, Frame.RST_STREAM, 0, stream).writeInt(code.code());
    }

    void goAway(int lastStream, ErrorCode code, String text) {
        byte[] debug = text.getBytes(UTF_8);
        begin(Frame.GOAWAY_BYTES_MIN + debug.length, Frame.GOAWAY, 0, 0)
                .writeInt(lastStream)
                .writeInt(code.code())
                .writeBytes(debug);
    }

    void windowUpdate(int stream, int bytes) {
        begin(Integer.BYTES, Frame.WINDOW_UPDATE, 0, stream).writeInt(bytes);
    }

    void answer(int stream, int status, Fields fields, boolean last) {
        ByteBuf out = beginHead(stream, last);
        int start = out.writerIndex();
        encoder.begin();
        encoder.field(FieldName.PSEUDO_STATUS, Integer.toString(status));
        encoder.fields(fields);
        encoder.end(out);
        endHead(out, start, stream);
    }

    void request(int stream, RequestLine line, Fields fields, Fields own, boolean last) {
        ByteBuf out = beginHead(stream, last);
        int start = out.writerIndex();
        encoder.begin();
        encoder.field(FieldName.PSEUDO_METHOD, line.method());
        encoder.field(FieldName.PSEUDO_SCHEME, "https");
        encoder.field(FieldName.PSEUDO_AUTHORITY, line.authority());
        encoder.field(FieldName.PSEUDO_PATH, line.path());
        encoder.fields(fields);
        encoder.fields(own);
        encoder.end(out);
        endHead(out, start, stream);
    }

    private ByteBuf beginHead(int stream, boolean last) {
        return begin(0, Frame.HEADERS, last ? Frame.END_STREAM : 0, stream);
    }

    /** A head takes as many frames as it needs (section 4.3). */
    private void endHead(ByteBuf out, int start, int stream) {
        int frame = start - Frame.HEAD_BYTES;
        int length = out.writerIndex() - start;
        writtenBytes += length;
        if (length <= Frame.PAYLOAD_BYTES_MAX) {
            out.setMedium(frame, length);
            out.setByte(frame + 4, out.getByte(frame + 4) | Frame.END_HEADERS);
        } else {
            cut(out, frame, length, stream);
        }
    }

    /** Inserts the heads of CONTINUATION frames into a block that is too long for one. */
    private static void cut(ByteBuf out, int frame, int length, int stream) {
        int start = frame + Frame.HEAD_BYTES;
        ByteBuf rest = out.copy(start + Frame.PAYLOAD_BYTES_MAX, length - Frame.PAYLOAD_BYTES_MAX);
        try {
            out.setMedium(frame, Frame.PAYLOAD_BYTES_MAX);
            out.writerIndex(start + Frame.PAYLOAD_BYTES_MAX);
            while (rest.isReadable()) {
                int piece = Math.min(rest.readableBytes(), Frame.PAYLOAD_BYTES_MAX);
                boolean isLast = piece == rest.readableBytes();
                writeHead(out, piece, Frame.CONTINUATION, isLast ? Frame.END_HEADERS : 0, stream);
                out.writeBytes(rest, piece);
            }
        } finally {
            rest.release();
        }
    }

    /** Takes ownership of the data. */
    void data(int stream, ByteBuf data, boolean last) {
        int length = data.readableBytes();
        boolean owned = true;
        try {
            ByteBuf out = begin(length, Frame.DATA, last ? Frame.END_STREAM : 0, stream);
            writtenBytes += length;
            if (length <= COPIED_BYTES_MAX) {
                out.writeBytes(data);
            } else {
                pass();
                owned = false;
                output.write(data);
            }
        } finally {
            if (owned) {
                data.release();
            }
        }
    }

    /** An empty DATA frame that ends the stream. */
    void end(int stream) {
        begin(0, Frame.DATA, Frame.END_STREAM, stream);
    }

    /** Hands over what was collected. */
    void pass() {
        ByteBuf out = collected;
        if (out != null) {
            collected = null;
            expectedBytes = Math.clamp(2L * out.readableBytes(), COLLECTED_BYTES_MIN, COLLECTED_BYTES_MAX);
            output.write(out);
        }
    }

    private ByteBuf begin(int length, int type, int flags, int stream) {
        ByteBuf out = collected;
        int copied = length <= COPIED_BYTES_MAX ? length : 0;
        if (out != null && out.readableBytes() + Frame.HEAD_BYTES + copied > COLLECTED_BYTES_MAX) {
            pass();
            out = null;
        }
        if (out == null) {
            out = output.buffer(expectedBytes);
            collected = out;
        }
        writeHead(out, length, type, flags, stream);
        writtenBytes += Frame.HEAD_BYTES;
        writtenFrames++;
        output.flushSoon();
        return out;
    }

    private static void writeHead(ByteBuf out, int length, int type, int flags, int stream) {
        out.writeLong((long) length << 40 | (long) type << 32 | (long) flags << 24 | stream >>> 8)
                .writeByte(stream);
    }
}
