package io.fairlead.http.h2;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.fairlead.http.TrackedBuffers;
import io.fairlead.http.hpack.HpackDecoder;
import io.fairlead.http.hpack.HpackEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session with a scripted peer, without a network. What the session does is written down a line each: {@code <} for
 * what its owner hears, {@code >} for the frames it sends.
 */
abstract class PeerScript<S extends Http2Session> implements Http2Owner, Http2Output {
    static final Http2Limits LIMITS =
            new Http2Limits(3, 65_535, 262_140, 1000, 20, 1_000_000_000L, 5, 20, 3, 4, 32 * 1024);

    final List<String> events = new ArrayList<>();
    final List<ScriptedStream> streams = new ArrayList<>();

    boolean isWritable = true;
    private final HpackEncoder encoder = new HpackEncoder();
    private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 20, 1000);
    private final ByteBuf sent = Unpooled.buffer();
    private @Nullable S session;
    private long now;

    /** Begins with a session whose preface was sent. */
    final void start(S started) {
        session = started;
        started.start();
        flush();
    }

    final S session() {
        return Objects.requireNonNull(session);
    }

    /** A clock that {@link #later} moves. */
    final long now() {
        return now;
    }

    void frame(int type, int flags, int stream, String hex) {
        frame(type, flags, stream, HexFormat.of().parseHex(hex));
    }

    void frame(int type, int flags, int stream, byte[] payload) {
        bytes(frameBytes(type, flags, stream, payload));
    }

    void bytes(byte[] bytes) {
        session().receive(TrackedBuffers.ALLOCATOR, TrackedBuffers.of(bytes));
        flush();
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
        encoder.begin();
        encoder.fields(fields.build());
        encoder.end(out);
        return bytesOf(out);
    }

    void later(long nanos) {
        now += nanos;
    }

    void flush() {
        session().flush();
        if (sent.readableBytes() >= Frame.PREFACE.length && sent.getByte(sent.readerIndex()) == Frame.PREFACE[0]) {
            sent.skipBytes(Frame.PREFACE.length);
            events.add("> preface");
        }
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
            case Frame.HEADERS -> "HEADERS " + stream + " " + begin(payload) + end;
            case Frame.RST_STREAM -> "RST_STREAM " + stream + " " + code(payload.readInt());
            case Frame.GOAWAY -> "GOAWAY " + payload.readInt() + " " + code(payload.readInt());
            case Frame.WINDOW_UPDATE -> "WINDOW_UPDATE " + stream + " " + payload.readInt();
            case Frame.PING -> "PING " + flags + " " + payload.readLong();
            case Frame.SETTINGS -> "SETTINGS " + flags;
            default -> "frame of type " + type;
        };
    }

    /** The status of an answer, or the path of a request. */
    private String begin(ByteBuf block) {
        try {
            Fields fields = decoder.decode(block).fields();
            return String.valueOf(fields.get(
                    fields.contains(FieldName.PSEUDO_PATH) ? FieldName.PSEUDO_PATH : FieldName.PSEUDO_STATUS));
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

    /** Adds a stream. */
    final ScriptedStream stream() {
        ScriptedStream stream = new ScriptedStream(events, streams.size());
        streams.add(stream);
        return stream;
    }

    @Override
    public void closed(StreamEnd stream) {
        events.add("< closed " + streams.indexOf(stream));
    }

    @Override
    public void broken(String why, @Nullable Flood flood) {
        if (flood != null) {
            events.add("< flood " + flood);
        }
    }

    @Override
    public void ponged() {
        events.add("< pong");
    }

    @Override
    public ByteBuf buffer(int bytesExpected) {
        return TrackedBuffers.ALLOCATOR.buffer(64);
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
}
