package io.fairlead.http.h2;

import io.fairlead.http.Malformed;
import io.fairlead.http.hpack.HpackDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Reads frames by the rules of their layout and order (RFC 9113 sections 4.3 and 6), and passes on what they say. */
final class Inbound implements FrameReader.Frames {
    /** What an encoder adds to names and values at most, many times over; a block beyond it says nothing useful. */
    private static final int BLOCK_TO_HEAD_MAX = 2;

    /** The bound on a block's bytes bounds the number of larger frames. */
    private static final int SMALL_BYTES = 1024;

    private static final int FRAME_SIZE_MAX = (1 << 24) - 1;

    private final Http2Limits limits;
    private final Http2Owner owner;
    private final FrameWriter writer;
    private final FloodGuard floods;
    private final Streams streams;
    private final Sending sending;
    private final HpackDecoder decoder;

    private boolean settled;

    /** A header block whose end has not come: its stream (0 if there is none), its bytes, its frames. */
    private int blockStream;

    private ByteBuf block = Unpooled.EMPTY_BUFFER;
    private int blockFlags;
    private int smallContinuations;
    private boolean dependsOnItself;

    Inbound(Http2Limits limits, Http2Owner owner, Parts parts, Streams streams, int tableBytesMax) {
        this.limits = limits;
        this.owner = owner;
        this.writer = parts.writer();
        this.floods = parts.floods();
        this.streams = streams;
        this.sending = parts.sending();
        this.decoder = new HpackDecoder(tableBytesMax, limits.headBytesMax(), limits.headFieldsMax());
    }

    int heldBytes() {
        return block.capacity();
    }

    void close() {
        block.release();
        block = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void frame(int type, int flags, int stream, ByteBuf payload) throws ConnectionError {
        requireOrder(type, flags, stream);
        try {
            understand(type, flags, stream, payload);
        } catch (StreamError error) {
            streams.resetFor(stream, error);
        }
    }

    private void requireOrder(int type, int flags, int stream) throws ConnectionError {
        if (!settled) {
            settled = true;
            if (type != Frame.SETTINGS || (flags & Frame.ACK) != 0) {
                throw ConnectionError.protocol("expected a SETTINGS frame first");
            }
        }
        boolean continues = type == Frame.CONTINUATION;
        if (continues != (blockStream != 0) || (continues && stream != blockStream)) {
            throw ConnectionError.protocol("expected a header block to be continued at once, and nothing else to be");
        }
    }

    private void understand(int type, int flags, int stream, ByteBuf payload) throws ConnectionError, StreamError {
        switch (type) {
            case Frame.DATA -> data(flags, stream, payload);
            case Frame.HEADERS -> headers(flags, stream, payload);
            case Frame.CONTINUATION -> continuation(flags, payload);
            case Frame.PRIORITY -> priority(stream, payload);
            case Frame.RST_STREAM -> {
                requireStream(stream);
                requireLength(payload, Integer.BYTES);
                streams.resetByPeer(stream, payload.readInt());
            }
            case Frame.SETTINGS -> settings(flags, stream, payload);
            case Frame.PUSH_PROMISE -> throw ConnectionError.protocol("PUSH_PROMISE (expected none)");
            case Frame.PING -> ping(flags, stream, payload);
            case Frame.GOAWAY -> goAway(stream, payload);
            case Frame.WINDOW_UPDATE -> windowUpdate(stream, payload);
            default -> floods.controlFrame(); // To be ignored (section 5.5).
        }
    }

    private void data(int flags, int stream, ByteBuf payload) throws ConnectionError, StreamError {
        requireStream(stream);
        int frameBytes = payload.readableBytes();
        boolean last = (flags & Frame.END_STREAM) != 0;
        cutPadding(flags, payload);
        floods.data(!payload.isReadable() && !last);
        streams.data(stream, payload, frameBytes, last);
    }

    private void headers(int flags, int stream, ByteBuf payload) throws ConnectionError, StreamError {
        requireStream(stream);
        cutPadding(flags, payload);
        dependsOnItself = (flags & Frame.WITH_PRIORITY) != 0 && dependency(payload) == stream;
        blockStream = stream;
        blockFlags = flags;
        smallContinuations = 0;
        if ((flags & Frame.END_HEADERS) != 0) {
            endOfBlock(payload);
        } else {
            block = Unpooled.buffer(payload.readableBytes());
            keep(payload);
        }
    }

    private void continuation(int flags, ByteBuf payload) throws ConnectionError, StreamError {
        if (payload.readableBytes() < SMALL_BYTES) {
            smallContinuations++;
            floods.continuations(smallContinuations);
        }
        keep(payload);
        if ((flags & Frame.END_HEADERS) != 0) {
            ByteBuf whole = block;
            block = Unpooled.EMPTY_BUFFER;
            endOfBlock(whole);
        }
    }

    private void keep(ByteBuf payload) throws ConnectionError {
        if (block.readableBytes() + payload.readableBytes() > BLOCK_TO_HEAD_MAX * (long) limits.headBytesMax()) {
            throw ConnectionError.of(ErrorCode.ENHANCE_YOUR_CALM, "header block of far more bytes than allowed");
        }
        block.writeBytes(payload);
    }

    private void endOfBlock(ByteBuf whole) throws ConnectionError, StreamError {
        int stream = blockStream;
        blockStream = 0;
        HpackDecoder.Decoded head;
        try {
            head = decoder.decode(whole);
        } catch (Malformed malformed) {
            throw ConnectionError.of(ErrorCode.COMPRESSION_ERROR, String.valueOf(malformed.getMessage()));
        }
        if (dependsOnItself) {
            throw StreamError.protocol("stream that depends on itself");
        }
        streams.head(stream, head, (blockFlags & Frame.END_STREAM) != 0);
    }

    private void priority(int stream, ByteBuf payload) throws ConnectionError, StreamError {
        requireStream(stream);
        floods.controlFrame();
        if (payload.readableBytes() != Frame.PRIORITY_BYTES) {
            throw new StreamError(ErrorCode.FRAME_SIZE_ERROR, "PRIORITY of another size than 5 bytes");
        }
        if (dependency(payload) == stream) {
            throw StreamError.protocol("stream that depends on itself");
        }
    }

    /** The stream in a priority, which is read and otherwise ignored (section 5.3.2). */
    private static int dependency(ByteBuf payload) throws ConnectionError {
        if (payload.readableBytes() < Frame.PRIORITY_BYTES) {
            throw ConnectionError.of(ErrorCode.FRAME_SIZE_ERROR, "expected 5 bytes of priority");
        }
        int stream = payload.readInt() & Frame.ID_MASK;
        payload.skipBytes(1);
        return stream;
    }

    private void settings(int flags, int stream, ByteBuf payload) throws ConnectionError {
        requireConnection(stream);
        floods.controlFrame();
        if ((flags & Frame.ACK) != 0) {
            requireLength(payload, 0);
            return;
        }
        if (payload.readableBytes() % Frame.SETTING_BYTES != 0) {
            throw ConnectionError.of(ErrorCode.FRAME_SIZE_ERROR, "expected settings of 6 bytes each");
        }
        while (payload.isReadable()) {
            int id = payload.readUnsignedShort();
            long value = payload.readUnsignedInt();
            setting(id, value);
            streams.setting(id, value);
        }
        floods.reply(writer.isRead());
        writer.settingsAck();
        streams.settled();
    }

    /** What is not looked at needs nothing of a sender that compresses without a table and sends small frames. */
    private void setting(int id, long value) throws ConnectionError {
        switch (id) {
            case Frame.SETTING_ENABLE_PUSH ->
                require(value <= 1, ErrorCode.PROTOCOL_ERROR, "SETTINGS_ENABLE_PUSH " + value);
            case Frame.SETTING_INITIAL_WINDOW_SIZE -> {
                require(
                        value <= Integer.MAX_VALUE,
                        ErrorCode.FLOW_CONTROL_ERROR,
                        "SETTINGS_INITIAL_WINDOW_SIZE " + value);
                sending.initialWindow((int) value, streams.open());
            }
            case Frame.SETTING_MAX_FRAME_SIZE ->
                require(
                        value >= Frame.PAYLOAD_BYTES_MAX && value <= FRAME_SIZE_MAX,
                        ErrorCode.PROTOCOL_ERROR,
                        "SETTINGS_MAX_FRAME_SIZE " + value);
            default -> {}
        }
    }

    private void ping(int flags, int stream, ByteBuf payload) throws ConnectionError {
        requireConnection(stream);
        requireLength(payload, Frame.PING_BYTES);
        floods.controlFrame();
        if ((flags & Frame.ACK) == 0) {
            floods.reply(writer.isRead());
            writer.ping(payload.readLong(), true);
        } else {
            owner.ponged();
        }
    }

    private void goAway(int stream, ByteBuf payload) throws ConnectionError {
        requireConnection(stream);
        floods.controlFrame();
        if (payload.readableBytes() < Frame.GOAWAY_BYTES_MIN) {
            throw ConnectionError.of(ErrorCode.FRAME_SIZE_ERROR, "expected at least 8 bytes of GOAWAY");
        }
        streams.goAway(payload.readInt() & Frame.ID_MASK);
    }

    private void windowUpdate(int stream, ByteBuf payload) throws ConnectionError, StreamError {
        requireLength(payload, Integer.BYTES);
        floods.windowUpdate(writer.writtenFrames(), writer.writtenBytes());
        int bytes = payload.readInt() & Frame.ID_MASK;
        if (stream == 0) {
            sending.open(bytes);
        } else {
            streams.opened(stream, bytes);
        }
    }

    private static void cutPadding(int flags, ByteBuf payload) throws ConnectionError {
        if ((flags & Frame.PADDED) == 0) {
            return;
        }
        if (!payload.isReadable()) {
            throw ConnectionError.of(ErrorCode.FRAME_SIZE_ERROR, "expected the length of the padding");
        }
        int padding = payload.readUnsignedByte();
        if (padding > payload.readableBytes()) {
            throw ConnectionError.protocol("padding of " + padding + " bytes, more than the frame has");
        }
        payload.writerIndex(payload.writerIndex() - padding);
    }

    private static void requireStream(int stream) throws ConnectionError {
        require(stream != 0, ErrorCode.PROTOCOL_ERROR, "frame on stream 0 (expected one of a request)");
    }

    private static void requireConnection(int stream) throws ConnectionError {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "frame on stream " + stream + " (expected 0)");
    }

    private static void requireLength(ByteBuf payload, int bytes) throws ConnectionError {
        require(
                payload.readableBytes() == bytes,
                ErrorCode.FRAME_SIZE_ERROR,
                "frame of " + payload.readableBytes() + " bytes (expected " + bytes + ")");
    }

    private static void require(boolean holds, ErrorCode code, String message) throws ConnectionError {
        if (!holds) {
            throw ConnectionError.of(code, message);
        }
    }
}
