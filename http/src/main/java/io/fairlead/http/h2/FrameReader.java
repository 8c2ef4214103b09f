package io.fairlead.http.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;

/** Cuts what a peer sends into frames (RFC 9113 section 4.1), behind a client's connection preface (section 3.4). */
final class FrameReader {
    private final ByteToMessageDecoder.Cumulator cumulator = ByteToMessageDecoder.MERGE_CUMULATOR;
    private final Frames frames;
    private ByteBuf pending = Unpooled.EMPTY_BUFFER;
    private int prefaceBytes;
    private boolean stopped;

    /** @param awaitsPreface whether the connection preface comes before the first frame */
    FrameReader(Frames frames, boolean awaitsPreface) {
        this.frames = frames;
        this.prefaceBytes = awaitsPreface ? 0 : Frame.PREFACE.length;
    }

    /** Takes ownership; whether a frame was completed. */
    boolean read(ByteBufAllocator allocator, ByteBuf bytes) throws ConnectionError {
        pending = cumulator.cumulate(allocator, pending, bytes);
        boolean completed = false;
        if (prefaceBytes == Frame.PREFACE.length || readPreface()) {
            while (!stopped && readFrame()) {
                completed = true;
            }
        }
        forgetRead();
        return completed;
    }

    /** The memory that an incomplete frame takes. */
    int heldBytes() {
        return pending.isReadable() ? pending.capacity() : 0;
    }

    /** Reads no further frame, even of what has come already. */
    void stop() {
        stopped = true;
    }

    void close() {
        stop();
        forget();
    }

    private void forget() {
        pending.release();
        pending = Unpooled.EMPTY_BUFFER;
    }

    private boolean readPreface() throws ConnectionError {
        while (prefaceBytes < Frame.PREFACE.length && pending.isReadable()) {
            if (pending.readByte() != Frame.PREFACE[prefaceBytes]) {
                throw ConnectionError.protocol("expected the connection preface of HTTP/2");
            }
            prefaceBytes++;
        }
        return prefaceBytes == Frame.PREFACE.length;
    }

    private boolean readFrame() throws ConnectionError {
        if (pending.readableBytes() < Frame.HEAD_BYTES) {
            return false;
        }
        int at = pending.readerIndex();
        int length = pending.getUnsignedMedium(at);
        if (length > Frame.PAYLOAD_BYTES_MAX) {
            throw ConnectionError.of(
                    ErrorCode.FRAME_SIZE_ERROR,
                    "frame of " + length + " bytes (expected at most " + Frame.PAYLOAD_BYTES_MAX + ")");
        }
        if (pending.readableBytes() < Frame.HEAD_BYTES + length) {
            return false;
        }
        int type = pending.getUnsignedByte(at + 3);
        int flags = pending.getUnsignedByte(at + 4);
        int stream = pending.getInt(at + 5) & Frame.ID_MASK;
        pending.skipBytes(Frame.HEAD_BYTES);
        ByteBuf payload = pending.readSlice(length);
        frames.frame(type, flags, stream, payload);
        return true;
    }

    private void forgetRead() {
        if (!pending.isReadable()) {
            forget();
        } else if (pending.refCnt() == 1) {
            pending.discardSomeReadBytes();
        }
    }

    /** Takes frames. */
    interface Frames {
        /** The payload is the reader's: what is kept of it must be retained. */
        void frame(int type, int flags, int stream, ByteBuf payload) throws ConnectionError;
    }
}
