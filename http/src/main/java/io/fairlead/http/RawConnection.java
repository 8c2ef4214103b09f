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
 * Over TLS each direction ends with a close_notify, independently of the other (RFC 8446 section 6.1). The end of the
 * TCP stream without one is a loss: data may be missing. A loss is passed on as an end without close_notify, after all
 * earlier data.
 *
 * OPEN        - peer ends -> PEER_ENDED        - we end  -> CLOSED OPEN        - we end    -> WE_ENDED          - peer
 * ends -> CLOSED not CLOSED  - reset, or closed without close_notify, or aborted here -> CLOSED
 */
/**
 * A TLS connection with an opaque protocol, after an upgrade from HTTP/1.1.
 *
 * <p>Everything runs on the channel's event loop.
 */
public final class RawConnection {
    private static final long LAST_WORDS_SECONDS = 5;
    private static final long READER_SECONDS = 30;

    /** Receives the data and the end of a connection. */
    public interface Listener {
        /** Bytes, owned by the listener. Some may still arrive after {@link RawConnection#reading reading(false)}. */
        void onData(ByteBuf data);

        /** All currently available bytes were passed on. */
        void onPause();

        /** The peer sends nothing more; it still receives. */
        void onEnd();

        /** More may be written again. */
        void onWritable();

        /** The connection closed before both sides had ended; no further calls. */
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
     * Replaces the HTTP handler of a connection. Reads nothing before {@link #listen}.
     *
     * @param early bytes that had already arrived for the new protocol; owned from now on
     */
    public static RawConnection inPlaceOf(ChannelHandler http, Channel channel, ByteBuf early) {
        RawConnection connection = new RawConnection(channel, PeerTls.of(channel.pipeline()), early);
        channel.config().setAutoRead(false);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        KeepAlive.on(channel);
        channel.pipeline().replace(http, null, connection.new InboundHandler());
        return connection;
    }

    /** Whether a connection has been upgraded. On its event loop. */
    public static boolean isIn(Channel connection) {
        return connection.pipeline().get(InboundHandler.class) != null;
    }

    public EventLoop eventLoop() {
        return channel.eventLoop();
    }

    /** Sets the listener and starts to read; once. */
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

    /** Reads data as it arrives, or stops reading so that TCP holds the peer back. */
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

    /** Ends this direction, after all writes; the peer may still send. */
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
     * Ends both directions, after all writes. A peer that reads nothing of them for {@value #READER_SECONDS} seconds
     * does not get the rest.
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

    /** Decreases with every byte that the peer reads, whether or not the channel is writable. */
    private long queued() {
        return channel.bytesBeforeWritable() - channel.bytesBeforeUnwritable();
    }

    /** Aborts, after all writes, in a way that the peer can detect. */
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

    /** TLS would otherwise send a regular end, and wait for its reader. */
    private void closeBeneathTls() {
        ChannelHandlerContext beneath = channel.pipeline().context(tls);
        if (beneath == null) {
            channel.close();
        } else {
            beneath.close();
        }
    }

    /** Runs an action when the connection is closed, on its event loop. */
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

    /** Handles the channel's events. */
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
