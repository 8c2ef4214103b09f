package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.http.h2.Flood;
import io.fairlead.http.h2.Http2Limits;
import io.fairlead.http.h2.Http2Output;
import io.fairlead.http.h2.Http2Owner;
import io.fairlead.http.h2.Http2Session;
import io.fairlead.http.h2.StreamEnd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's HTTP/2 connection: the I/O of an {@link Http2Session}, and the end of it.
 *
 * <pre>
 * OPEN            - drained, idle for long -> ANNOUNCED: GOAWAY and PING are sent, requests are still taken
 * ANNOUNCED       - the client has seen it, or a second has passed -> DRAINING: no further requests are taken
 * DRAINING        - the last stream is over -> closed
 * OPEN, ANNOUNCED, DRAINING - the client sends too much of what costs it nothing -> CALMED
 * </pre>
 *
 * <p>A client may have sent requests before it sees the GOAWAY frame: those are answered (RFC 9113 section 6.8).
 */
final class Http2Connection extends ChannelInboundHandlerAdapter implements Http2Owner, Http2Output {
    private static final long ANNOUNCED_SECONDS_MAX = 1;
    private static final int BUFFER_BYTES = 1024;

    /** The codec's own bytes must arrive: a client detects missing ones only by the end of its connection. */
    private static final ChannelFutureListener ALL_OR_CLOSED = written -> {
        if (!written.isSuccess()) {
            Listener.closeAtOnce(written.channel());
        }
    };

    private enum State {
        OPEN,
        ANNOUNCED,
        DRAINING,
        CALMED
    }

    private final ClientConnection client;
    private final Http2Session session;

    private @Nullable ChannelHandlerContext context;
    private @Nullable IdleTimer idleTimer;
    private State state = State.OPEN;
    private boolean flushDue;
    private int waitingBytes;

    Http2Connection(ClientConnection client) {
        this.client = client;
        this.session = new Http2Session(sessionLimits(client.limits()), this, this, System::nanoTime);
    }

    private static Http2Limits sessionLimits(EdgeLimits limits) {
        EdgeLimits.Http2 http2 = limits.http2();
        return new Http2Limits(
                http2.streamsMax(),
                limits.heads().bytesMax(),
                limits.heads().fieldsMax(),
                http2.floodWindow().toNanos(),
                Cancellations.resetsMaxOfConnection(http2.resetsMax()),
                http2.controlFramesMax(),
                http2.emptyFramesMax(),
                http2.continuationsMax(),
                limits.answers().queueBytesMax());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        idleTimer = new IdleTimer(
                ctx.executor(),
                client.limits().connections().idleTimeout(),
                () -> session.openStreams() > 0,
                this::idle);
        session.start();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        boolean completed = session.receive(ctx.alloc(), (ByteBuf) message);
        client.unparsed().hold(session.heldBytes() + (long) waitingBytes, completed && !session.isInBlock());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            session.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idleTimer != null) {
            idleTimer.stop();
        }
        client.unparsed().hold(0, true);
        session.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Listener.closeAfter(cause, ctx);
    }

    @Override
    public StreamEnd opened() {
        return new Http2Stream(this, client);
    }

    @Override
    public void closed(StreamEnd stream) {
        if (stream instanceof Http2Stream ours) {
            ours.closed();
        }
        if (idleTimer != null) {
            idleTimer.touch();
        }
        closeIfDrained();
    }

    @Override
    public void flooded(Flood flood) {
        state = State.CALMED;
        client.meter()
                .reached(
                        switch (flood) {
                            case CONTROL_FRAMES -> Limit.CONTROL_FRAMES;
                            case RESETS -> Limit.STREAM_RESETS;
                            case EMPTY_FRAMES -> Limit.EMPTY_FRAMES;
                            case CONTINUATIONS -> Limit.CONTINUATIONS;
                        });
    }

    @Override
    public void ponged() {
        takeNoMore();
    }

    @Override
    public ByteBuf buffer() {
        return context().alloc().buffer(BUFFER_BYTES);
    }

    @Override
    public void write(ByteBuf bytes) {
        context().write(bytes).addListener(ALL_OR_CLOSED);
    }

    @Override
    public void flushSoon() {
        if (!flushDue) {
            flushDue = true;
            context().executor().execute(this::flush);
        }
    }

    @Override
    public boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public void close() {
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    Http2Session session() {
        return session;
    }

    ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    /** What waits for the client, in the stream and in the socket's queue. */
    long queuedBytes(StreamEnd stream) {
        return session.queuedBytes(stream) + context().channel().bytesBeforeWritable();
    }

    /** Data of bodies waits to be asked for, or waits no more. */
    void waiting(int moreBytes) {
        waitingBytes += moreBytes;
    }

    /** A stream was reset by its client. */
    void gaveUp(@Nullable Object caller, boolean answered) {
        if (!client.gaveUp(caller, answered)) {
            session.calm(Flood.RESETS);
        }
    }

    /** The connection closed before a request was answered; unless it was closed here, that counts as a reset. */
    void lost(@Nullable Object caller) {
        if (state == State.OPEN) {
            client.gaveUp(caller, false);
        }
    }

    /** Accepts no further streams soon, and closes after the last one. */
    void drain() {
        if (state == State.OPEN) {
            state = State.ANNOUNCED;
            session.announceEnd();
            session.ping();
            context().executor().schedule(this::takeNoMore, ANNOUNCED_SECONDS_MAX, TimeUnit.SECONDS);
        }
    }

    /** There is no memory for an answer, or another fault: one that is cut off must not look complete. */
    void cannotAnswer(Throwable failure) {
        Listener.closeAfter(failure, context());
    }

    private void takeNoMore() {
        if (state == State.ANNOUNCED) {
            state = State.DRAINING;
            session.takeNoMore();
            closeIfDrained();
        }
    }

    private void closeIfDrained() {
        if (state == State.DRAINING && session.openStreams() == 0) {
            flush();
            close();
        }
    }

    private void idle() {
        client.meter().reached(Limit.CONNECTION_IDLE_TIMEOUT);
        drain();
    }

    private void flush() {
        flushDue = false;
        try {
            session.flush();
        } catch (RuntimeException | OutOfMemoryError failure) {
            cannotAnswer(failure);
        }
        context().flush();
    }
}
