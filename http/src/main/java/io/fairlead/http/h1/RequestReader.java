package io.fairlead.http.h1;

import io.fairlead.http.ChunkedBody;
import io.fairlead.http.HeadLimits;
import io.fairlead.http.Malformed;
import io.fairlead.http.MessageRules;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests on a server's HTTP/1.1 connection, without I/O. One thread.
 *
 * <p>It gives a piece when it is asked for one, and no head before the request in front of it was read: bodies are read
 * as fast as they are wanted, and what is not wanted is left in its bytes.
 *
 * <pre>
 * HEAD    - a head is given -> HEAD, LENGTH or CHUNKED, as its body is framed
 * LENGTH  - the last piece of a body is given -> HEAD
 * CHUNKED - the end of the last chunk is read -> HEAD
 * any     - closed, or handed over to another protocol -> CLOSED
 * </pre>
 *
 * <p>After {@link Malformed} nothing more may be read.
 */
public final class RequestReader {
    private enum State {
        HEAD,
        LENGTH,
        CHUNKED,
        CLOSED
    }

    private final HeadLimits limits;
    private final HeadScan scan;
    private final ByteToMessageDecoder.Cumulator cumulator = ByteToMessageDecoder.MERGE_CUMULATOR;

    private ByteBuf pending = Unpooled.EMPTY_BUFFER;
    private State state = State.HEAD;
    private long remaining;
    private @Nullable ChunkedBody chunks;

    /** A reader of a new connection. */
    public RequestReader(HeadLimits limits) {
        this.limits = limits;
        this.scan = new HeadScan(limits);
    }

    /** Bytes of the client; takes ownership. */
    public void receive(ByteBufAllocator allocator, ByteBuf bytes) {
        pending = cumulator.cumulate(allocator, pending, bytes);
    }

    /** The next head; null if it is not complete, or it is not its turn. */
    public @Nullable RequestHead head() throws Malformed {
        int end = state == State.HEAD ? scan.endOfHead(pending) : -1;
        if (end < 0) {
            return null;
        }
        RequestHead head = RequestHead.parse(pending, pending.readerIndex(), end, limits);
        pending.readerIndex(end + 2);
        scan.begin();
        begin(head.contentLength());
        return head;
    }

    private void begin(long contentLength) {
        remaining = contentLength;
        if (contentLength == MessageRules.LENGTH_UNKNOWN) {
            state = State.CHUNKED;
            chunks = new ChunkedBody();
        } else if (contentLength > 0) {
            state = State.LENGTH;
        }
    }

    /**
     * The next piece of the body, which the caller owns; null if none has come, or it is over, which {@link #isBodyOver}
     * tells after each call.
     */
    public @Nullable ByteBuf body() throws Malformed {
        return switch (state) {
            case HEAD, CLOSED -> null;
            case LENGTH -> piece();
            case CHUNKED -> chunk();
        };
    }

    private @Nullable ByteBuf piece() {
        int length = (int) Math.min(remaining, pending.readableBytes());
        if (length == 0) {
            return null;
        }
        remaining -= length;
        if (remaining == 0) {
            state = State.HEAD;
        }
        return pending.readRetainedSlice(length);
    }

    private @Nullable ByteBuf chunk() throws Malformed {
        ChunkedBody body = chunks;
        if (body == null) {
            return null;
        }
        ByteBuf piece = body.next(pending);
        if (body.isDone()) {
            state = State.HEAD;
            chunks = null;
        }
        return piece;
    }

    /** Whether all of the request's body was given. */
    public boolean isBodyOver() {
        return state == State.HEAD;
    }

    /** How many bytes of the body are still to come; {@link MessageRules#LENGTH_UNKNOWN} if it is chunked. */
    public long bodyBytesLeft() {
        return remaining;
    }

    /** How many bytes came that were not read yet. */
    public int unreadBytes() {
        return pending.readableBytes();
    }

    /**
     * Lets go of what was read: a buffer that always holds the start of something would otherwise grow without bound.
     *
     * @return the size of the buffer that is left
     */
    public int forgetRead() {
        if (!pending.isReadable()) {
            release();
        } else if (pending.refCnt() == 1) {
            pending.discardSomeReadBytes();
        }
        return pending.capacity();
    }

    /** Reads nothing more, and hands over the bytes that are left: they belong to another protocol. */
    public ByteBuf takeRest() {
        ByteBuf rest = pending;
        pending = Unpooled.EMPTY_BUFFER;
        state = State.CLOSED;
        return rest;
    }

    /** Reads nothing more. */
    public void close() {
        state = State.CLOSED;
        release();
    }

    private void release() {
        pending.release();
        pending = Unpooled.EMPTY_BUFFER;
    }
}
