package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * What goes out on a connection in one turn of its event loop: small pieces are put together in one buffer, so that they
 * become one write and one TLS record, and everything is flushed at the turn's end. On the event loop.
 *
 * <p>Whatever is written past it must come after {@link #pass}.
 */
public final class TurnOutput {
    /** Copying less than this is cheaper than one more write. */
    private static final int COPIED_BYTES_MAX = 4 * 1024;

    private final ChannelHandlerContext context;
    private final ChannelFutureListener onWritten;
    private final Runnable onFlushed;
    private final Runnable flush = this::flush;
    private @Nullable ByteBuf collected;
    private boolean flushDue;

    /** @param onWritten hears of each write whether it succeeded */
    public TurnOutput(ChannelHandlerContext context, ChannelFutureListener onWritten) {
        this(context, onWritten, () -> {});
    }

    /** @param onFlushed runs at the end of each turn: what the socket has not taken waits */
    public TurnOutput(ChannelHandlerContext context, ChannelFutureListener onWritten, Runnable onFlushed) {
        this.context = context;
        this.onWritten = onWritten;
        this.onFlushed = onFlushed;
    }

    /** A buffer to append to, at once: with what was collected before, if there is room for so many more bytes. */
    public ByteBuf room(int bytes) {
        flushSoon();
        ByteBuf known = collected;
        if (known != null && known.writableBytes() >= bytes) {
            return known;
        }
        pass();
        ByteBuf fresh = context.alloc().buffer(bytes);
        collected = fresh;
        return fresh;
    }

    /** How many bytes of a body of this length to make room for behind its head. */
    public static int roomFor(long bodyLength) {
        return bodyLength <= COPIED_BYTES_MAX ? (int) bodyLength : 0;
    }

    /** Takes ownership, even if it throws: an event loop that ends takes no more tasks. */
    public void write(ByteBuf data) {
        try {
            flushSoon();
        } catch (RuntimeException | Error ending) {
            data.release();
            throw ending;
        }
        ByteBuf known = collected;
        int length = data.readableBytes();
        if (known != null && length <= COPIED_BYTES_MAX && length <= known.writableBytes()) {
            known.writeBytes(data);
            data.release();
        } else {
            pass();
            context.write(data).addListener(onWritten);
        }
    }

    /** Hands over what was collected. */
    public void pass() {
        ByteBuf known = collected;
        if (known != null) {
            collected = null;
            context.write(known).addListener(onWritten);
        }
    }

    /** Drops what was collected: the connection is closed. */
    public void drop() {
        ByteBuf known = collected;
        if (known != null) {
            collected = null;
            known.release();
        }
    }

    /** Flushes at the end of this turn. */
    public void flushSoon() {
        if (!flushDue) {
            context.executor().execute(flush);
            flushDue = true;
        }
    }

    private void flush() {
        flushDue = false;
        pass();
        context.flush();
        onFlushed.run();
    }
}
