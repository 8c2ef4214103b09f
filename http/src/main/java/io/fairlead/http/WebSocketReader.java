package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the frames of a WebSocket's client (RFC 6455 section 5) that has nothing to say: what its messages hold is
 * dropped as it comes. Without I/O. One thread.
 *
 * <pre>
 * HEAD    - the head of a frame with data came -> DATA, of one about the connection -> CONTROL
 * DATA    - all of it came -> HEAD
 * CONTROL - a Ping or Pong came -> HEAD, a Close -> CLOSED
 * any     - not a WebSocket's, closed -> CLOSED
 * </pre>
 */
public final class WebSocketReader {
    private static final int FINAL = 0x80;
    private static final int RESERVED = 0x70;
    private static final int OPCODE = 0x0f;
    private static final int MASKED = 0x80;
    private static final int LENGTH = 0x7f;
    private static final int LENGTH_IN_2_BYTES = 126;
    private static final int LENGTH_IN_8_BYTES = 127;

    private static final int CONTINUATION = 0x0;
    private static final int BINARY = 0x2;
    private static final int CLOSE = 0x8;
    private static final int PING = 0x9;
    private static final int PONG = 0xA;
    private static final int CONTROL_BYTES_MAX = 125;
    private static final int MASK_BYTES = Integer.BYTES;

    /** Hears what matters. */
    public interface Sink {
        /** A Ping, which is to be answered with what it holds. */
        void onPing(byte[] payload);

        /** The client says nothing more. */
        void onClose();
    }

    private enum State {
        HEAD,
        DATA,
        CONTROL,
        CLOSED
    }

    private final Sink sink;
    private final int frameBytesMax;
    private final ByteToMessageDecoder.Cumulator cumulator = ByteToMessageDecoder.MERGE_CUMULATOR;

    private ByteBuf pending = Unpooled.EMPTY_BUFFER;
    private State state = State.HEAD;
    private int opcode;
    private int mask;
    private int remaining;
    private boolean isMessageBegun;

    /** @param frameBytesMax the most bytes of a frame's payload */
    public WebSocketReader(Sink sink, int frameBytesMax) {
        this.sink = sink;
        this.frameBytesMax = frameBytesMax;
    }

    /**
     * Bytes of the client; takes ownership.
     *
     * @throws Malformed if they are no frames of a client; nothing more is read
     */
    public void receive(ByteBufAllocator allocator, ByteBuf bytes) throws Malformed {
        pending = cumulator.cumulate(allocator, pending, bytes);
        try {
            boolean more = true;
            while (more && pending.isReadable()) {
                more = switch (state) {
                    case HEAD -> head();
                    case DATA -> data();
                    case CONTROL -> control();
                    case CLOSED -> false;
                };
            }
        } catch (Malformed malformed) {
            close();
            throw malformed;
        }
        if (state == State.CLOSED || !pending.isReadable()) {
            release();
        } else if (pending.refCnt() == 1) {
            pending.discardSomeReadBytes();
        }
    }

    /** Reads nothing more. */
    public void close() {
        state = State.CLOSED;
        release();
    }

    private boolean head() throws Malformed {
        int start = pending.readerIndex();
        if (pending.readableBytes() < 2) {
            return false;
        }
        int first = pending.getUnsignedByte(start);
        int second = pending.getUnsignedByte(start + 1);
        requireKind(first, second);
        int lengthBytes = lengthBytes(second & LENGTH);
        if (pending.readableBytes() < 2 + lengthBytes) {
            return false;
        }
        remaining = length(second & LENGTH, start + 2);
        if (pending.readableBytes() < 2 + lengthBytes + MASK_BYTES) {
            return false;
        }
        pending.skipBytes(2 + lengthBytes);
        mask = pending.readInt();
        opcode = first & OPCODE;
        if (opcode >= CLOSE) {
            state = State.CONTROL;
            return remaining > 0 || control();
        }
        isMessageBegun = (first & FINAL) == 0;
        state = remaining == 0 ? State.HEAD : State.DATA;
        return true;
    }

    private void requireKind(int first, int second) throws Malformed {
        if ((first & RESERVED) != 0 || (second & MASKED) == 0) {
            throw Malformed.of("WebSocket frame: expected a masked one without extensions");
        }
        int kind = first & OPCODE;
        boolean isControl = kind >= CLOSE;
        if (isControl ? kind > PONG : kind > BINARY) {
            throw Malformed.of("WebSocket frame: opcode " + kind);
        }
        if (isControl && ((first & FINAL) == 0 || (second & LENGTH) > CONTROL_BYTES_MAX)) {
            throw Malformed.of("WebSocket frame: expected a control frame of at most " + CONTROL_BYTES_MAX + " bytes");
        }
        if (kind == CLOSE && (second & LENGTH) == 1) {
            throw Malformed.of("WebSocket close: expected nothing, or a code of two bytes");
        }
        if (!isControl && (kind == CONTINUATION) != isMessageBegun) {
            throw Malformed.of("WebSocket frame: expected the rest of the message that was begun, and no other");
        }
    }

    private static int lengthBytes(int length) {
        return switch (length) {
            case LENGTH_IN_2_BYTES -> Short.BYTES;
            case LENGTH_IN_8_BYTES -> Long.BYTES;
            default -> 0;
        };
    }

    /** Judged before the mask has come: no client is waited for that has already sent what is refused. */
    private int length(int inHead, int at) throws Malformed {
        long length = switch (inHead) {
            case LENGTH_IN_2_BYTES -> pending.getUnsignedShort(at);
            case LENGTH_IN_8_BYTES -> pending.getLong(at);
            default -> inHead;
        };
        long least = switch (inHead) {
            case LENGTH_IN_2_BYTES -> LENGTH_IN_2_BYTES;
            case LENGTH_IN_8_BYTES -> 1 << Short.SIZE;
            default -> 0;
        };
        if (length < least || length > frameBytesMax) {
            throw Malformed.of(
                    "WebSocket frame: expected a length of at most " + frameBytesMax + ", in its shortest form");
        }
        return (int) length;
    }

    private boolean data() {
        int bytes = Math.min(remaining, pending.readableBytes());
        pending.skipBytes(bytes);
        remaining -= bytes;
        state = remaining == 0 ? State.HEAD : State.DATA;
        return true;
    }

    private boolean control() throws Malformed {
        if (pending.readableBytes() < remaining) {
            return false;
        }
        byte[] payload = new byte[remaining];
        pending.readBytes(payload);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= (byte) (mask >>> (Byte.SIZE * (MASK_BYTES - 1 - i % MASK_BYTES)));
        }
        state = State.HEAD;
        switch (opcode) {
            case PING -> sink.onPing(payload);
            case CLOSE -> {
                requireReason(payload);
                state = State.CLOSED;
                sink.onClose();
            }
            default -> {}
        }
        return state == State.HEAD;
    }

    /** A Close holds nothing, or a code and a text (sections 5.5.1 and 7.4). */
    private static void requireReason(byte[] payload) throws Malformed {
        if (payload.length == 0) {
            return;
        }
        if (!isCode(ByteBuffer.wrap(payload).getShort() & 0xffff)) {
            throw Malformed.of("WebSocket close: expected a code that may be sent");
        }
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload, Short.BYTES, payload.length - Short.BYTES));
        } catch (CharacterCodingException e) {
            throw Malformed.of("WebSocket close: expected a reason in UTF-8");
        }
    }

    private static boolean isCode(int code) {
        return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || code >= 3000;
    }

    private void release() {
        pending.release();
        pending = Unpooled.EMPTY_BUFFER;
    }
}
