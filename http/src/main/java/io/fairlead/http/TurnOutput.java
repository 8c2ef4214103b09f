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
 * <p>A turn handles all sockets that are readable. While these are few, what one of them caused does not wait for the others:
 * the end of its read flushes as well ({@link #endOfRead}). While they are many, everything waits for the turn's end: a write
 * that has to wake its peer costs twice as much, and of many at once only the first has to.
 *
 * <p>Whatever is written past it must come after {@link #pass}.
 */
public final class TurnOutput {
    /** Copying less than this is cheaper than one more write. */
    private static final int COPIED_BYTES_MAX = 4 * 1024;

    private static final int REMEMBERED_MAX = 64;

    /** So many reads in a turn, and in the last one, are few. */
    private static final int FEW_READS = 4;

    private static final FastThreadLocal<Turn> TURN = new FastThreadLocal<>() {
        @Override
        protected Turn initialValue() {
            return new Turn();
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

    /** Flushes at the end of a read, at the latest at that of this turn. */
    public void flushSoon() {
        if (isFlushDue) {
            return;
        }
        context.executor().execute(endOfTurn);
        isFlushDue = true;
        TURN.get().flushSoon(this);
    }

    /** What one socket had to read was handled. */
    public static void endOfRead() {
        TURN.get().endOfRead();
    }

    private void endOfTurn() {
        flush();
        TURN.get().end();
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

    /** The turn that a thread is in. */
    private static final class Turn {
        /** What the end of a read flushes. The turn's end flushes what this has no room for. */
        private final List<TurnOutput> due = new ArrayList<>(REMEMBERED_MAX);

        private int readsWithOutput;
        private int readsOfLastTurn;

        void flushSoon(TurnOutput output) {
            if (due.size() < REMEMBERED_MAX) {
                due.add(output);
            }
        }

        void endOfRead() {
            if (due.isEmpty()) {
                return;
            }
            readsWithOutput++;
            if (Math.max(readsWithOutput, readsOfLastTurn) <= FEW_READS) {
                flush();
            }
        }

        void end() {
            flush();
            if (readsWithOutput > 0) {
                readsOfLastTurn = readsWithOutput;
                readsWithOutput = 0;
            }
        }

        private void flush() {
            for (int i = 0; i < due.size(); i++) {
                due.get(i).flush();
            }
            due.clear();
        }
    }
}
