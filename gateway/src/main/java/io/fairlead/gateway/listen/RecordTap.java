package io.fairlead.gateway.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Measures the incomplete record that TLS holds (RFC 8446 section 5.1); changes nothing. Before the TLS handler, on the
 * connection's event loop.
 */
final class RecordTap extends ChannelInboundHandlerAdapter {
    private static final int HEAD_BYTES = 5;
    private static final int LENGTH_AT = 3;

    private final ByteBudget.Part unparsed;
    private int headBytes;
    private int length;
    private int bodyBytes;

    RecordTap(ByteBudget.Part unparsed) {
        this.unparsed = unparsed;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf data) {
            boolean completed = walk(data);
            int held = headBytes + bodyBytes;
            // The rest of the buffer is retained with the start of a record.
            unparsed.hold(held == 0 ? 0 : Math.max(held, data.capacity()), completed);
        }
        ctx.fireChannelRead(message);
    }

    /** Whether a record was completed. */
    private boolean walk(ByteBuf data) {
        boolean completed = false;
        int at = data.readerIndex();
        while (at < data.writerIndex()) {
            if (headBytes < HEAD_BYTES) {
                head(data.getUnsignedByte(at++));
            } else {
                int more = Math.min(length - bodyBytes, data.writerIndex() - at);
                at += more;
                bodyBytes += more;
            }
            if (headBytes == HEAD_BYTES && bodyBytes == length) {
                completed = true;
                headBytes = 0;
                bodyBytes = 0;
                length = 0;
            }
        }
        return completed;
    }

    private void head(int next) {
        if (headBytes >= LENGTH_AT) {
            length = length << Byte.SIZE | next;
        }
        headBytes++;
    }
}
