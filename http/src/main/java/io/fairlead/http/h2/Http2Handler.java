package io.fairlead.http.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * What sends for a session over a Netty channel: it writes at once and flushes at the end of a turn of the event loop.
 * What comes is handed to the session by the subclass.
 */
public abstract class Http2Handler extends ChannelInboundHandlerAdapter implements Http2Output {
    /** The session's own bytes must arrive: a peer detects missing ones only by the end of its connection. */
    private final ChannelFutureListener allOrNothing = written -> {
        if (!written.isSuccess()) {
            cannotSend(written.cause());
        }
    };

    private final Runnable flush = this::flush;

    private @Nullable ChannelHandlerContext context;
    private boolean flushDue;

    /** The one for which this sends. */
    protected abstract Http2Session session();

    /** Something of what was to be sent is lost: closes the connection. */
    protected abstract void cannotSend(Throwable failure);

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        session().start();
    }

    @Override
    public final void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            session().writable();
        }
    }

    @Override
    public final ByteBuf buffer(int bytesExpected) {
        return context().alloc().buffer(bytesExpected);
    }

    @Override
    public final void write(ByteBuf bytes) {
        context().write(bytes).addListener(allOrNothing);
    }

    @Override
    public final void flushSoon() {
        if (!flushDue) {
            flushDue = true;
            context().executor().execute(flush);
        }
    }

    @Override
    public final boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public final void close() {
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Sends what may be sent now. */
    protected final void flush() {
        flushDue = false;
        try {
            session().flush();
        } catch (RuntimeException | OutOfMemoryError failure) {
            cannotSend(failure);
        }
        context().flush();
        flushed();
    }

    /** A turn has ended: what could not be sent waits. */
    protected void flushed() {}

    /** The place in the channel's pipeline. */
    protected final ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
