package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * Over TLS each direction ends with a close_notify and says nothing of the other (RFC 8446 section 6.1). The end of the TCP
 * stream without one is no end but a loss: what is missing, nobody knows. A loss is passed on in kind, as an end without
 * close_notify, after what had come before it.
 *
 *   OPEN        - peer ends -> PEER_ENDED        - we end  -> CLOSED
 *   OPEN        - we end    -> WE_ENDED          - peer ends -> CLOSED
 *   not CLOSED  - reset, or cut without a word, or given up here -> CLOSED
 */
/**
 * A TLS connection whose bytes belong to no protocol known here, after it was upgraded from HTTP/1.1.
 *
 * <p>Everything happens on the channel's event loop.
 */
public final class RawConnection {
    private static final long LAST_WORDS_SECONDS = 5;
    private static final long READER_SECONDS = 30;

    /** Hears a connection. */
    public interface Listener {
        /** Bytes, which the listener owns. Some may still come after {@link RawConnection#reading reading(false)}. */
        void onData(ByteBuf data);

        /** All that could be read for now was given. */
        void onPause();

        /** The peer sends nothing more; it may be sent to. */
        void onEnd();

        /** More may be written again. */
        void onWritable();

        /** The connection is gone before both sides had ended; nothing more is heard. */
        void onLost();
    }

    private enum State {
        OPEN,
        PEER_ENDED,
        WE_ENDED,
        CLOSED
    }

    private final Channel channel;
    private final SslHandler tls;
    private final PeerEnd peerEnd;
    private final ByteBuf early;
    private @Nullable Listener listener;
    private State state = State.OPEN;

    private RawConnection(Channel channel, SslHandler tls, ByteBuf early) {
        this.channel = channel;
        this.tls = tls;
        this.early = early;
        this.peerEnd = PeerEnd.of(tls.engine());
    }

    /**
     * Takes a connection over from the handler that spoke HTTP on it, in whose place it hears what comes. Nothing is read
     * before {@link #listen}.
     *
     * @param early bytes that had come for the new protocol; owned from now on
     */
    public static RawConnection inPlaceOf(ChannelHandler http, Channel channel, ByteBuf early) {
        RawConnection connection = new RawConnection(channel, PeerTls.of(channel.pipeline()), early);
        channel.config().setAutoRead(false);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        KeepAlive.on(channel);
        channel.pipeline().replace(http, null, connection.new InboundHandler());
        return connection;
    }

    /** Whether a connection speaks another protocol by now. On its event loop. */
    public static boolean isIn(Channel connection) {
        return connection.pipeline().get(InboundHandler.class) != null;
    }

    public EventLoop eventLoop() {
        return channel.eventLoop();
    }

    /** Begins to hear and to read; once. */
    public void listen(Listener newListener) {
        listener = newListener;
        if (early.isReadable()) {
            newListener.onData(early);
            newListener.onPause();
        } else {
            early.release();
        }
        reading(true);
    }

    /** Reads as it comes, or lets TCP hold the peer back. */
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    /** Sends bytes with the next {@link #flush}; takes ownership. */
    public void write(ByteBuf data) {
        if (state == State.OPEN || state == State.PEER_ENDED) {
            channel.write(data);
        } else {
            data.release();
        }
    }

    public void flush() {
        channel.flush();
    }

    /** Whether more may be written without queueing beyond the limit. */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Sends nothing more, after what was written; the peer still may. */
    public void end() {
        switch (state) {
            case OPEN -> {
                state = State.WE_ENDED;
                channel.flush();
                tls.closeOutbound();
            }
            case PEER_ENDED -> close();
            case WE_ENDED, CLOSED -> {}
        }
    }

    /**
     * Ends both directions, after what was written. A peer that takes nothing of that for {@value #READER_SECONDS} seconds does
     * not get the rest.
     */
    public void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> channel.close());
            if (channel.isOpen()) {
                awaitReader();
            }
        }
    }

    private void awaitReader() {
        long before = queued();
        Future<?> look = channel.eventLoop()
                .schedule(
                        () -> {
                            if (queued() == before) {
                                closeBeneathTls();
                            } else {
                                awaitReader();
                            }
                        },
                        READER_SECONDS,
                        TimeUnit.SECONDS);
        channel.closeFuture().addListener(_ -> look.cancel(false));
    }

    /** Becomes less with every byte that the peer takes, on either side of what makes the channel writable. */
    private long queued() {
        return channel.bytesBeforeWritable() - channel.bytesBeforeUnwritable();
    }

    /** Breaks off, after what was written, so that the peer can see that something is missing. */
    public void abort() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        channel.flush();
        ChannelHandlerContext beneath = channel.pipeline().context(tls);
        if (beneath == null) {
            channel.close();
            return;
        }
        beneath.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> closeBeneathTls());
        channel.eventLoop().schedule(this::closeBeneathTls, LAST_WORDS_SECONDS, TimeUnit.SECONDS);
    }

    /** TLS would otherwise say that this is the end, and wait for its reader. */
    private void closeBeneathTls() {
        ChannelHandlerContext beneath = channel.pipeline().context(tls);
        if (beneath == null) {
            channel.close();
        } else {
            beneath.close();
        }
    }

    /** Runs something when the connection is closed, on its event loop. */
    public void whenClosed(Runnable action) {
        channel.closeFuture().addListener(_ -> action.run());
    }

    private void peerEnded() {
        Listener hearing = listener;
        if (hearing == null) {
            return;
        }
        switch (state) {
            case OPEN -> {
                state = State.PEER_ENDED;
                hearing.onEnd();
            }
            case WE_ENDED -> {
                close();
                hearing.onEnd();
            }
            case PEER_ENDED, CLOSED -> {}
        }
    }

    private void lost() {
        State before = state;
        state = State.CLOSED;
        Listener hearing = listener;
        if (before != State.CLOSED && hearing != null) {
            hearing.onLost();
        }
    }

    /** What the channel tells. */
    private final class InboundHandler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Listener hearing = listener;
            if (message instanceof ByteBuf data && hearing != null && state != State.CLOSED) {
                hearing.onData(data);
            } else {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            Listener hearing = listener;
            if (hearing != null) {
                hearing.onPause();
            }
            if (peerEnd.isSaid()) {
                peerEnded();
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            Listener hearing = listener;
            if (hearing != null && channel.isWritable()) {
                hearing.onWritable();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslCloseCompletionEvent closed && closed.isSuccess() && peerEnd.isToldByEvent()) {
                peerEnded();
            } else if (event instanceof ChannelInputShutdownEvent && (state == State.OPEN || state == State.WE_ENDED)) {
                lost();
                channel.close();
            }
            ReferenceCountUtil.release(event);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            lost();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            lost();
            ctx.close();
        }
    }
}
