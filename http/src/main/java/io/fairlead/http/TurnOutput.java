package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What goes out on a connection in one turn of its event loop: small pieces are put together in one buffer, so that they
 * become one write and one TLS record, and everything is flushed at the turn's end. On the event loop.
 *
 * <p>A turn handles all sockets that are readable. So that what one of them caused need not wait for the others, the end of
 * its read flushes as well ({@link #endOfRead}).
 *
 * <p>Whatever is written past it must come after {@link #pass}.
 */
public final class TurnOutput {
    /** Copying less than this is cheaper than one more write. */
    private static final int COPIED_BYTES_MAX = 4 * 1024;

    private static final int REMEMBERED_MAX = 64;

    /** By thread: what the end of a read flushes. The turn's end flushes what this has no room for. */
    private static final FastThreadLocal<List<TurnOutput>> FLUSH_DUE = new FastThreadLocal<>() {
        @Override
        protected List<TurnOutput> initialValue() {
            return new ArrayList<>(REMEMBERED_MAX);
        }
    };

    private final ChannelHandlerContext context;
    private final ChannelFutureListener onWritten;
    private final Runnable onFlushed;
    private final Runnable endOfTurn = this::endOfTurn;
    private @Nullable ByteBuf collected;
    private boolean isFlushDue;

    /** @param onWritten hears of each write whether it succeeded */
    public TurnOutput(ChannelHandlerContext context, ChannelFutureListener onWritten) {
        this(context, onWritten, () -> {});
    }

    /** @param onFlushed runs after each flush: what the socket has not taken waits */
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

    /** Flushes at the end of the read that is being handled, at the latest at that of this turn. */
    public void flushSoon() {
        if (isFlushDue) {
            return;
        }
        context.executor().execute(endOfTurn);
        isFlushDue = true;
        List<TurnOutput> due = FLUSH_DUE.get();
        if (due.size() < REMEMBERED_MAX) {
            due.add(this);
        }
    }

    /** What one socket had to read was handled: flushes what that caused on any connection of this thread. */
    public static void endOfRead() {
        List<TurnOutput> due = FLUSH_DUE.get();
        for (int i = 0; i < due.size(); i++) {
            due.get(i).flush();
        }
        due.clear();
    }

    private void endOfTurn() {
        flush();
        endOfRead();
    }

    private void flush() {
        if (!isFlushDue) {
            return;
        }
        isFlushDue = false;
        pass();
        context.flush();
        onFlushed.run();
    }
}
