package io.fairlead.http.h1;

import io.fairlead.http.ChunkedBody;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.Malformed;
import io.fairlead.http.Rule;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answers on a client's HTTP/1.1 connection, without I/O. One thread.
 *
 * <pre>
 * IDLE           - a request is sent -> HEAD
 * HEAD           - an interim head came -> HEAD, one of 101 -> IDLE
 *                - a head came -> NONE (IDLE), LENGTH, CHUNKED or CLOSE, as its body is framed
 * LENGTH         - all of it came -> IDLE
 * CHUNKED        - the last chunk came -> IDLE
 * CLOSE          - the connection ended in order -> IDLE
 * any            - closed -> CLOSED
 * </pre>
 *
 * <p>Bytes in IDLE belong to no answer: {@link #holdsBytes} tells.
 */
public final class AnswerReader {
    /** Hears what is read. A call to it may end the connection: {@link #close} stops the reading. */
    public interface Sink {
        /** A head, that of an interim answer too. */
        void onHead(AnswerHead head);

        /** A piece of the body, which the sink owns. */
        void onData(ByteBuf data);

        /** The answer is complete. */
        void onEnd();
    }

    private enum State {
        IDLE,
        HEAD,
        LENGTH,
        CHUNKED,
        CLOSE,
        CLOSED
    }

    private final Sink sink;
    private final int headBytesMax;
    private final int fieldsMax;
    private final ByteToMessageDecoder.Cumulator cumulator = ByteToMessageDecoder.MERGE_CUMULATOR;

    private ByteBuf pending = Unpooled.EMPTY_BUFFER;
    private State state = State.IDLE;
    private String method = "";
    private int scanned;
    private long remaining;
    private @Nullable ChunkedBody chunks;

    /**
     * A reader of a new connection.
     *
     * @param headBytesMax the most bytes of a head
     * @param fieldsMax the most fields of a head
     */
    public AnswerReader(Sink sink, int headBytesMax, int fieldsMax) {
        this.sink = sink;
        this.headBytesMax = headBytesMax;
        this.fieldsMax = fieldsMax;
    }

    /** A request is sent, whose answer comes next. */
    public void expect(String ofMethod) {
        method = ofMethod;
        state = State.HEAD;
        scanned = 0;
    }

    /**
     * Bytes of the server; takes ownership.
     *
     * @throws Malformed if they are no answer; nothing more can be read
     */
    public void receive(ByteBufAllocator allocator, ByteBuf bytes) throws Malformed {
        pending = cumulator.cumulate(allocator, pending, bytes);
        boolean more = true;
        while (more && pending.isReadable()) {
            more = switch (state) {
                case IDLE, CLOSED -> false;
                case HEAD -> head();
                case LENGTH -> piece((int) Math.min(remaining, pending.readableBytes()));
                case CHUNKED -> chunk();
                case CLOSE -> piece(pending.readableBytes());
            };
        }
        forgetRead();
    }

    /** The server ended the connection in order, so that an answer that ends with it is complete. */
    public void ended() {
        if (state == State.CLOSE) {
            complete();
        }
    }

    /** Whether the body of the answer ends with the connection. */
    public boolean endsWithConnection() {
        return state == State.CLOSE;
    }

    /** Whether there are bytes that belong to no answer. */
    public boolean holdsBytes() {
        return pending.isReadable();
    }

    /** Takes those bytes, which belong to what the connection is used for from now on. */
    public ByteBuf takeRest() {
        ByteBuf rest = pending;
        pending = Unpooled.EMPTY_BUFFER;
        return rest;
    }

    /** Reads nothing more. */
    public void close() {
        state = State.CLOSED;
        takeRest().release();
    }

    private boolean head() throws Malformed {
        AnswerHead.requireVersion(pending);
        int end = endOfHead();
        if (end < 0) {
            return false;
        }
        byte[] bytes = new byte[end - pending.readerIndex()];
        pending.readBytes(bytes);
        pending.skipBytes(2);
        scanned = 0;
        AnswerHead head = AnswerHead.parse(bytes, method, fieldsMax);
        begin(head);
        sink.onHead(head);
        if (head.body() == AnswerHead.Framing.NONE && !head.isInterim() && state == State.IDLE) {
            sink.onEnd();
        }
        return true;
    }

    private void begin(AnswerHead head) {
        if (head.isInterim()) {
            state = head.status() == HttpStatus.SWITCHING_PROTOCOLS ? State.IDLE : State.HEAD;
            return;
        }
        switch (head.body()) {
            case NONE -> state = State.IDLE;
            case LENGTH -> {
                state = State.LENGTH;
                remaining = head.contentLength();
            }
            case CHUNKED -> {
                state = State.CHUNKED;
                chunks = new ChunkedBody();
            }
            case CLOSE -> state = State.CLOSE;
        }
    }

    /** The index of the empty line behind a head; -1 if it has not come. */
    private int endOfHead() throws Malformed {
        int start = pending.readerIndex();
        while (true) {
            int lineFeed = pending.indexOf(start + scanned, pending.writerIndex(), (byte) '\n');
            int known = (lineFeed < 0 ? pending.writerIndex() : lineFeed) - start;
            if (known > headBytesMax) {
                throw Malformed.of(Rule.FIELD_BYTES, "head: expected at most " + headBytesMax + " bytes");
            }
            if (lineFeed < 0) {
                scanned = pending.readableBytes();
                return -1;
            }
            if (lineFeed == start || pending.getByte(lineFeed - 1) != '\r') {
                throw Malformed.of(Rule.LINE_END, "head: expected each line to end with CR LF");
            }
            if (lineFeed - start >= 3 && pending.getByte(lineFeed - 2) == '\n') {
                return lineFeed - 1;
            }
            scanned = lineFeed + 1 - start;
        }
    }

    private boolean piece(int bytes) {
        remaining -= bytes;
        boolean last = state == State.LENGTH && remaining == 0;
        sink.onData(pending.readRetainedSlice(bytes));
        if (last && state == State.LENGTH) {
            complete();
        }
        return true;
    }

    private boolean chunk() throws Malformed {
        ChunkedBody body = chunks;
        if (body == null) {
            return false;
        }
        ByteBuf data = body.next(pending);
        if (data != null) {
            sink.onData(data);
        } else if (body.isDone()) {
            complete();
        }
        return data != null;
    }

    private void complete() {
        state = State.IDLE;
        chunks = null;
        sink.onEnd();
    }

    private void forgetRead() {
        if (!pending.isReadable()) {
            takeRest().release();
        } else if (pending.refCnt() == 1) {
            pending.discardSomeReadBytes();
        }
    }
}
