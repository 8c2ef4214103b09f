package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds the first bytes of a connection until its handshake may begin; a client that sends none costs only a place. On
 * the connection's event loop.
 */
final class FirstFlight extends ChannelInboundHandlerAdapter {
    private final AddressBlock address;
    private final Turns turns;
    private final ByteBudget.Part unparsed;
    private final ConnectionMeter meter;
    private final long endNanos;
    private final Handshake handshake;

    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private boolean waiting;
    private boolean begun;
    private @Nullable Future<?> tooLate;

    /** Sets a connection up for its handshake. */
    @FunctionalInterface
    interface Handshake {
        /** Adds its handlers to the end of the pipeline. */
        void begin(ChannelHandlerContext ctx, Duration timeout);
    }

    /** @param timeout until the end of the handshake, including the wait for its turn */
    FirstFlight(
            AddressBlock address,
            Turns turns,
            ByteBudget.Part unparsed,
            ConnectionMeter meter,
            Duration timeout,
            Handshake handshake) {
        this.address = address;
        this.turns = turns;
        this.unparsed = unparsed;
        this.meter = meter;
        this.endNanos = System.nanoTime() + timeout.toNanos();
        this.handshake = handshake;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        tooLate = ctx.executor().schedule(() -> tooLate(ctx), endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (begun) {
            ctx.fireChannelRead(message);
            return;
        }
        if (waiting) {
            // A client that has closed its side is read to the end, with or without demand.
            held = Unpooled.wrappedBuffer(held, (ByteBuf) message);
            unparsed.hold(held.capacity(), false);
            return;
        }
        waiting = true;
        held = (ByteBuf) message;
        unparsed.hold(held.capacity(), true);
        ctx.channel().config().setAutoRead(false);
        turns.add(address, () -> begin(ctx));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!begun) {
            begun = true;
            meter.handshakeFailed();
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (tooLate != null) {
            tooLate.cancel(false);
        }
        unparsed.end();
        ReferenceCountUtil.release(held);
        held = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Listener.closeAfter(cause, ctx);
    }

    private void begin(ChannelHandlerContext ctx) {
        if (begun) {
            return;
        }
        begun = true;
        try {
            handshake.begin(ctx, Duration.ofNanos(Math.max(1_000_000, endNanos - System.nanoTime())));
        } catch (RuntimeException | Error failure) {
            meter.handshakeFailed();
            Listener.closeAfter(failure, ctx);
            return;
        }
        ByteBuf first = held;
        held = Unpooled.EMPTY_BUFFER;
        ctx.fireChannelRead(first);
        ctx.fireChannelReadComplete();
        ctx.pipeline().remove(this);
        ctx.channel().config().setAutoRead(true);
    }

    private void tooLate(ChannelHandlerContext ctx) {
        meter.reached(Limit.HANDSHAKE_TIMEOUT);
        ctx.close();
    }
}
