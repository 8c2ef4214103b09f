package io.fairlead.net;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 connection, used by one call at a time.
 *
 * <pre>
 * FREE       - a call is sent -> LENT
 * LENT       - the answer says that it is the last, retired -> LAST
 *            - answer ended after the request -> ENDED, before it -> ENDED_LAST
 * LAST       - answer ended -> ENDED_LAST
 * ENDED      - all of the read was seen -> FREE, with bytes behind the answer -> SPENT
 * ENDED_LAST - all of the read was seen -> SPENT
 * any        - failed, aborted, closed, or bytes while there is no call -> SPENT
 * any without a call - retired -> SPENT
 * </pre>
 *
 * <p>It returns to the pool only after a regular exchange: the request had ended before the answer did, the answer's
 * framing defined its end, and no byte followed. It returns after the whole read, so that bytes that arrived with an
 * answer's end can never be taken for the answer to the next call. There is a call only in LENT and LAST.
 */
final class Http1Connection extends ChannelInboundHandlerAdapter implements Connection, CallTransport {
    private enum State {
        FREE,
        LENT,
        LAST,
        ENDED,
        ENDED_LAST,
        SPENT
    }

    private final Channel channel;
    private final Endpoint endpoint;
    private final EndpointPool lane;
    private final Http1Decoder decoder;
    private final ChannelFutureListener judge = this::judge;

    private @Nullable Call call;
    private @Nullable Answer answer;
    private State state = State.FREE;
    private boolean requestEnded;
    private boolean endsWithConnection;
    private boolean closeNotified;
    private long unusedSinceNanos = System.nanoTime();

    Http1Connection(Channel channel, Endpoint endpoint, EndpointPool lane, Http1Decoder decoder) {
        this.channel = channel;
        this.endpoint = endpoint;
        this.lane = lane;
        this.decoder = decoder;
    }

    @Override
    public boolean hasRoom() {
        return state == State.FREE && channel.isActive();
    }

    @Override
    public void send(Call next) {
        state = State.LENT;
        call = next;
        answer = new Answer(next);
        requestEnded = next.head().contentLength() == 0;
        decoder.expectAnswerTo(next.head().method());
        try {
            write(Requests.http1(next.head(), endpoint, lane.spec()));
            next.sentOver(this);
        } catch (RuntimeException | Error e) {
            next.broke(e);
            fail(Failures.brokenHere(endpoint.toString(), e));
        }
    }

    @Override
    public void retire() {
        switch (state) {
            case LENT, LAST -> state = State.LAST;
            case FREE, ENDED, ENDED_LAST, SPENT -> {
                state = State.SPENT;
                channel.close();
            }
        }
    }

    @Override
    public void close(UpstreamFailure reason) {
        fail(reason);
    }

    @Override
    public boolean isUnusedSince(long idleNanos) {
        return call == null && System.nanoTime() - unusedSinceNanos >= idleNanos;
    }

    @Override
    public void body(ByteBuf data) {
        write(new DefaultHttpContent(data));
    }

    @Override
    public void endBody() {
        if (!requestEnded) {
            requestEnded = true;
            write(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    @Override
    public void abort() {
        call = null;
        state = State.SPENT;
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Answer current = answer;
        if (call == null || current == null || !(message instanceof HttpObject piece)) {
            state = State.SPENT;
            ReferenceCountUtil.release(message);
            ctx.close();
            return;
        }
        if (piece instanceof HttpResponse response) {
            readFraming(response, call.head().method());
        }
        switch (current.accept(piece)) {
            case MORE -> {}
            case COMPLETE -> complete();
            case BROKEN -> fail(Failures.reached(Kind.PROTOCOL, endpoint + " " + current.problem()));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (state == State.ENDED && !decoder.holdsBytes()) {
            state = State.FREE;
            channel.config().setAutoRead(true);
            unusedSinceNanos = System.nanoTime();
            lane.freed(this);
        } else if (state == State.ENDED || state == State.ENDED_LAST) {
            state = State.SPENT;
            ctx.close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (call != null) {
            call.writabilityChanged(channel.isWritable());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent closed && closed.isSuccess()) {
            closeNotified = true;
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.SPENT;
        lane.closed(this);
        fail(Failures.reached(Kind.RESET, endpoint + " closed the connection before its answer was complete"));
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(Failures.broken(endpoint, cause));
    }

    private void write(HttpObject piece) {
        channel.writeAndFlush(piece).addListener(judge);
    }

    /**
     * A failure of the transport ends the connection anyway, maybe after an answer; a message that cannot be encoded
     * does not end it.
     */
    private void judge(ChannelFuture written) {
        Throwable cause = written.cause();
        if (cause != null && !(cause instanceof IOException)) {
            fail(Failures.brokenHere("the request to " + endpoint, cause));
        }
    }

    private void readFraming(HttpResponse response, HttpMethod method) {
        int status = response.status().code();
        if (status < 200) {
            return;
        }
        boolean bodiless = method.equals(HttpMethod.HEAD) || status == 204 || status == 304;
        endsWithConnection =
                !bodiless && !HttpUtil.isContentLengthSet(response) && !HttpUtil.isTransferEncodingChunked(response);
        if (endsWithConnection || !HttpUtil.isKeepAlive(response)) {
            state = State.LAST;
        }
    }

    private void complete() {
        if (endsWithConnection && !closeNotified) {
            fail(Failures.reached(Kind.RESET, endpoint + " cut the connection in the middle of its answer"));
            return;
        }
        Call done = call;
        call = null;
        answer = null;
        if (state == State.LENT || state == State.LAST) {
            state = state == State.LENT && requestEnded ? State.ENDED : State.ENDED_LAST;
        }
        if (done != null) {
            done.ended();
        }
    }

    private void fail(UpstreamFailure failure) {
        Call failing = call;
        call = null;
        answer = null;
        state = State.SPENT;
        channel.close();
        if (failing != null) {
            failing.failed(failure);
        }
    }
}
