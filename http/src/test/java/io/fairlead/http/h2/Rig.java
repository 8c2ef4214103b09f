package io.fairlead.http.h2;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.fairlead.http.hpack.HpackDecoder;
import io.fairlead.http.hpack.HpackEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A session with a scripted client, without a network. What the session does is written down a line each: {@code <} for
 * what its owner hears, {@code >} for the frames it sends.
 */
final class Rig implements Http2Owner, Http2Output {
    static final Http2Limits LIMITS = new Http2Limits(3, 1000, 20, 1_000_000_000L, 5, 20, 3, 4, 32 * 1024);
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    final List<String> events = new ArrayList<>();
    final List<Stream> streams = new ArrayList<>();
    final Http2Session session;

    boolean isWritable = true;
    private final HpackEncoder encoder = new HpackEncoder();
    private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 20, 1000);
    private final ByteBuf sent = Unpooled.buffer();
    private long now;

    Rig() {
        this(LIMITS);
    }

    Rig(Http2Limits limits) {
        session = new Http2Session(limits, this, this, () -> now);
        session.start();
        flush();
        events.clear();
    }

    /** A rig whose client has sent its preface, and had it acknowledged. */
    static Rig settled() {
        Rig rig = new Rig();
        rig.bytes(PREFACE);
        rig.frame(Frame.SETTINGS, 0, 0, "");
        rig.events.clear();
        return rig;
    }

    void frame(int type, int flags, int stream, String hex) {
        frame(type, flags, stream, HexFormat.of().parseHex(hex));
    }

    void frame(int type, int flags, int stream, byte[] payload) {
        bytes(frameBytes(type, flags, stream, payload));
    }

    void bytes(byte[] bytes) {
        session.receive(UnpooledByteBufAllocator.DEFAULT, Unpooled.copiedBuffer(bytes));
        flush();
    }

    void request(int stream, boolean last, String... namesAndValues) {
        int flags = Frame.END_HEADERS | (last ? Frame.END_STREAM : 0);
        frame(Frame.HEADERS, flags, stream, head(namesAndValues));
    }

    /** The header block of a valid request, with further fields. */
    byte[] head(String... namesAndValues) {
        List<String> all = new ArrayList<>(List.of(":method", "GET", ":scheme", "https", ":path", "/"));
        all.addAll(List.of(namesAndValues));
        return block(all.toArray(String[]::new));
    }

    /** A header block as it is written: without indices, and with names in any case. */
    static byte[] blockOf(String semicolonSeparated) {
        ByteBuf out = Unpooled.buffer();
        for (String field : semicolonSeparated.isEmpty() ? new String[0] : semicolonSeparated.split(";", -1)) {
            int equals = field.indexOf('=');
            out.writeByte(0);
            literal(out, field.substring(0, equals));
            literal(out, field.substring(equals + 1));
        }
        return bytesOf(out);
    }

    private static void literal(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        out.writeByte(bytes.length).writeBytes(bytes);
    }

    byte[] block(String... namesAndValues) {
        Fields.Builder fields = Fields.builder(0, 0);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        ByteBuf out = Unpooled.buffer();
        encoder.begin(out);
        encoder.fields(out, fields.build());
        return bytesOf(out);
    }

    void later(long nanos) {
        now += nanos;
    }

    void flush() {
        session.flush();
        while (sent.readableBytes() >= Frame.HEAD_BYTES) {
            int length = sent.readUnsignedMedium();
            int type = sent.readUnsignedByte();
            int flags = sent.readUnsignedByte();
            int stream = sent.readInt();
            events.add("> " + text(type, flags, stream, sent.readSlice(length)));
        }
    }

    private String text(int type, int flags, int stream, ByteBuf payload) {
        String end = (flags & Frame.END_STREAM) != 0 ? " end" : "";
        return switch (type) {
            case Frame.DATA -> "DATA " + stream + " " + payload.readableBytes() + end;
            case Frame.HEADERS -> "HEADERS " + stream + " " + status(payload) + end;
            case Frame.RST_STREAM -> "RST_STREAM " + stream + " " + code(payload.readInt());
            case Frame.GOAWAY -> "GOAWAY " + payload.readInt() + " " + code(payload.readInt());
            case Frame.WINDOW_UPDATE -> "WINDOW_UPDATE " + stream + " " + payload.readInt();
            case Frame.PING -> "PING " + flags + " " + payload.readLong();
            case Frame.SETTINGS -> "SETTINGS " + flags;
            default -> "frame of type " + type;
        };
    }

    private String status(ByteBuf block) {
        try {
            return String.valueOf(decoder.decode(block).fields().get(FieldName.PSEUDO_STATUS));
        } catch (Malformed e) {
            throw new IllegalStateException(e);
        }
    }

    private static ErrorCode code(int code) {
        for (ErrorCode one : ErrorCode.values()) {
            if (one.code() == code) {
                return one;
            }
        }
        throw new IllegalStateException("code " + code);
    }

    static byte[] frameBytes(int type, int flags, int stream, byte[] payload) {
        ByteBuf out = Unpooled.buffer();
        out.writeMedium(payload.length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload);
        return bytesOf(out);
    }

    private static byte[] bytesOf(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    @Override
    public StreamEnd opened() {
        Stream stream = new Stream();
        streams.add(stream);
        return stream;
    }

    @Override
    public void closed(StreamEnd stream) {
        events.add("< closed " + streams.indexOf(stream));
    }

    @Override
    public void flooded(Flood flood) {
        events.add("< flood " + flood);
    }

    @Override
    public void ponged() {
        events.add("< pong");
    }

    @Override
    public ByteBuf buffer() {
        return ByteBufAllocator.DEFAULT.buffer(64);
    }

    @Override
    public void write(ByteBuf bytes) {
        sent.writeBytes(bytes);
        bytes.release();
    }

    @Override
    public void flushSoon() {}

    @Override
    public boolean isWritable() {
        return isWritable;
    }

    @Override
    public void close() {
        flush();
        events.add("< end");
    }

    /** A stream that keeps what it gets until it is told to consume it. */
    final class Stream extends StreamEnd {
        int dataBytes;

        private void heard(String what) {
            events.add("< " + what + " " + streams.indexOf(this));
        }

        @Override
        protected void onHead(Fields fields, boolean last) {
            heard(last ? "request" : "head");
        }

        @Override
        protected void onHeadTooLarge(HpackDecoder.Excess excess) {
            heard("too many " + excess);
        }

        @Override
        protected void onData(ByteBuf data) {
            heard("data " + data.readableBytes());
            dataBytes += data.readableBytes();
            data.release();
        }

        @Override
        protected void onEnd() {
            heard("body");
        }

        @Override
        protected void onSent() {
            heard("sent");
        }

        @Override
        protected void onWritable() {
            heard("writable");
        }

        @Override
        protected void onReset(boolean byPeer) {
            heard(byPeer ? "reset" : "broken");
        }

        @Override
        protected void onLost() {
            heard("lost");
        }
    }
}
