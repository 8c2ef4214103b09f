package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.h1.AnswerHead;
import io.fairlead.http.h1.AnswerReader;
import io.fairlead.http.h1.RequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;

/**
 * Opens a tunnel to a server through a proxy ({@code CONNECT}, RFC 9110 section 9.3.6), and passes everything on once
 * it is open. On the connection's event loop.
 *
 * <pre>
 * ASKED   - an interim head came -> ASKED
 *         - 200 -> AGREED, another one -> FAILED
 *         - not HTTP, closed, no TLS -> FAILED
 * AGREED  - the outcome is told -> OPEN       all that comes behind the head is the server's
 * FAILED  - what still comes is dropped
 * </pre>
 *
 * <p>It stays in the pipeline: the end of a TLS connection to the proxy is not the server's.
 */
final class Tunnel extends ChannelDuplexHandler implements AnswerReader.Sink {
    private static final int HEAD_BYTES_MAX = 16 * 1024;
    private static final int FIELDS_MAX = 200;

    /** Receives the outcome, exactly once. */
    interface Outcome {
        /** All later bytes go to the server. */
        void opened();

        /** The proxy answered with another code than 200. */
        void refused(int status);

        /** It did not answer, or not with HTTP. */
        void failed(Throwable cause);
    }

    private enum State {
        ASKED,
        AGREED,
        OPEN,
        FAILED
    }

    private final String target;
    private final Outcome outcome;
    private final AnswerReader reader = new AnswerReader(this, HEAD_BYTES_MAX, FIELDS_MAX);
    private State state = State.ASKED;

    /**
     * A tunnel to a server.
     *
     * @param target its host and port
     */
    Tunnel(String target, Outcome outcome) {
        this.target = target;
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            ask(ctx);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        reader.close();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ask(ctx);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        switch (state) {
            case OPEN -> ctx.fireChannelRead(message);
            case FAILED -> ReferenceCountUtil.release(message);
            case ASKED, AGREED -> answer(ctx, (ByteBuf) message);
        }
    }

    @Override
    public void onHead(AnswerHead head) {
        if (head.status() == HttpStatus.OK) {
            state = State.AGREED;
        } else if (!head.isInterim() || head.status() == HttpStatus.SWITCHING_PROTOCOLS) {
            state = State.FAILED;
            reader.close();
            outcome.refused(head.status());
        }
    }

    /** Of an answer to which the tunnel is not open. */
    @Override
    public void onData(ByteBuf data) {
        data.release();
    }

    @Override
    public void onEnd() {}

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(new ClosedChannelException());
        ctx.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCompletionEvent ofProxy) {
            if (!ofProxy.isSuccess()) {
                fail(ofProxy.cause());
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (isOver()) {
            ctx.fireExceptionCaught(cause);
        } else {
            fail(cause);
        }
    }

    private void ask(ChannelHandlerContext ctx) {
        Fields fields = new MutableFields().add(FieldName.HOST, target).toFields();
        ByteBuf out = ctx.alloc().buffer(RequestWriter.headBytesMax(target, fields, Fields.EMPTY));
        reader.expect(HttpMethod.CONNECT.name());
        RequestWriter.head(out, HttpMethod.CONNECT.name(), target, fields, Fields.EMPTY);
        ctx.writeAndFlush(out);
    }

    private void answer(ChannelHandlerContext ctx, ByteBuf bytes) {
        try {
            reader.receive(ctx.alloc(), bytes);
        } catch (Malformed malformed) {
            fail(malformed);
        }
        if (state == State.AGREED) {
            open(ctx);
        } else if (state == State.FAILED) {
            ctx.close();
        }
    }

    private void open(ChannelHandlerContext ctx) {
        state = State.OPEN;
        outcome.opened();
        ByteBuf early = reader.takeRest();
        if (early.isReadable()) {
            ctx.fireChannelRead(early);
        } else {
            early.release();
        }
    }

    private boolean isOver() {
        return state == State.OPEN || state == State.FAILED;
    }

    private void fail(Throwable cause) {
        if (!isOver()) {
            state = State.FAILED;
            reader.close();
            outcome.failed(cause);
        }
    }
}
