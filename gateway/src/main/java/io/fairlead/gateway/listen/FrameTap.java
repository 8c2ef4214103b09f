package io.fairlead.gateway.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * Measures the incomplete frame or header block that the HTTP/2 codec holds (RFC 9113 sections 4.1 and 4.3), and counts
 * frames outside of requests; changes nothing. Before the codec, on the connection's event loop.
 *
 * <p>A client that reads an answer may open its windows a little at a time. One WINDOW_UPDATE frame per KiB of answers
 * is allowed; further ones count as control frames like SETTINGS, PING, PRIORITY, GOAWAY and those of unknown types.
 */
final class FrameTap extends ChannelDuplexHandler {
    private static final int PREFACE_BYTES = 24;
    private static final int HEAD_BYTES = 9;
    private static final int LENGTH_BYTES = 3;
    private static final int DATA = 0x0;
    private static final int HEADERS = 0x1;
    private static final int RST_STREAM = 0x3;
    private static final int WINDOW_UPDATE = 0x8;
    private static final int CONTINUATION = 0x9;
    private static final int BYTES_FOR_WINDOW_UPDATE = 1024;
    private static final int END_HEADERS = 0x4;

    private final UnparsedBytes.Part unparsed;
    private final Runnable onControlFrame;
    private int prefaceBytes = PREFACE_BYTES;
    private int headBytes;
    private int length;
    private int type;
    private int flags;
    private int payloadBytes;
    private long blockBytes;
    private long writtenBytes;
    private long windowUpdates;

    /** Runs an action for each control frame. */
    FrameTap(UnparsedBytes.Part unparsed, Runnable onControlFrame) {
        this.unparsed = unparsed;
        this.onControlFrame = onControlFrame;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf data) {
            boolean completed = walk(data);
            int held = headBytes + payloadBytes;
            // The rest of the buffer is retained with the start of a frame.
            unparsed.hold(blockBytes + (held == 0 ? 0 : Math.max(held, data.capacity())), completed && blockBytes == 0);
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf data) {
            writtenBytes += data.readableBytes();
        }
        ctx.write(message, promise);
    }

    /** Whether a frame was completed. */
    private boolean walk(ByteBuf data) {
        boolean completed = false;
        int at = data.readerIndex();
        int skipped = Math.min(prefaceBytes, data.writerIndex() - at);
        prefaceBytes -= skipped;
        at += skipped;
        while (at < data.writerIndex()) {
            if (headBytes < HEAD_BYTES) {
                head(data.getUnsignedByte(at++));
            } else {
                int more = Math.min(length - payloadBytes, data.writerIndex() - at);
                at += more;
                payloadBytes += more;
            }
            if (headBytes == HEAD_BYTES && payloadBytes == length) {
                completed = true;
                complete();
            }
        }
        return completed;
    }

    private void head(int next) {
        if (headBytes < LENGTH_BYTES) {
            length = length << Byte.SIZE | next;
        } else if (headBytes == LENGTH_BYTES) {
            type = next;
        } else if (headBytes == LENGTH_BYTES + 1) {
            flags = next;
        }
        headBytes++;
    }

    private void complete() {
        if (type == HEADERS || type == CONTINUATION) {
            blockBytes = (flags & END_HEADERS) == 0 ? blockBytes + length : 0;
        }
        if (isControlFrame()) {
            onControlFrame.run();
        }
        headBytes = 0;
        payloadBytes = 0;
        length = 0;
    }

    private boolean isControlFrame() {
        return switch (type) {
            case DATA, HEADERS, CONTINUATION, RST_STREAM -> false;
            case WINDOW_UPDATE -> ++windowUpdates > writtenBytes / BYTES_FOR_WINDOW_UPDATE;
            default -> true;
        };
    }
}
