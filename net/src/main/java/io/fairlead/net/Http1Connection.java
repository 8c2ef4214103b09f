package io.fairlead.net;

import io.fairlead.http.Malformed;
import io.fairlead.http.TurnOutput;
import io.fairlead.http.h1.AnswerHead;
import io.fairlead.http.h1.AnswerReader;
import io.fairlead.http.h1.ChunkWriter;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
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
final class Http1Connection extends ChannelInboundHandlerAdapter
        implements Connection, CallTransport, AnswerReader.Sink {
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
    private final AnswerReader reader = new AnswerReader(this, Answer.HEAD_BYTES_MAX, Answer.FIELDS_MAX);

    private @Nullable TurnOutput output;
    private @Nullable Call call;
    private @Nullable Answer answer;
    private State state = State.FREE;
    private boolean requestEnded;
    private boolean isChunked;
    private long unusedSinceNanos = System.nanoTime();

    Http1Connection(Channel channel, Endpoint endpoint, EndpointPool lane) {
        this.channel = channel;
        this.endpoint = endpoint;
        this.lane = lane;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        output = new TurnOutput(ctx, this::judge);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        output().drop();
    }

    @Override
    public boolean hasRoom() {
        return state == State.FREE && channel.isActive();
    }

    @Override
    public void send(Call next) {
        RequestHead head = next.head();
        state = State.LENT;
        call = next;
        answer = new Answer(next);
        requestEnded = head.contentLength() == 0;
        isChunked = head.contentLength() < 0;
        reader.expect(head.method().name());
        try {
            Requests.http1(output(), head, endpoint, lane.spec());
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
            case FREE, ENDED, ENDED_LAST, SPENT -> spend();
        }
    }

    @Override
    public void close(UpstreamFailure reason) {
        fail(reason);
    }

    @Override
    public boolean leadsToOneOf(Set<InetAddress> addresses) {
        return channel.remoteAddress() instanceof InetSocketAddress peer && addresses.contains(peer.getAddress());
    }

    @Override
    public boolean isUnusedSince(long idleNanos) {
        return call == null && System.nanoTime() - unusedSinceNanos >= idleNanos;
    }

    @Override
    public void body(ByteBuf data) {
        if (isChunked) {
            ChunkWriter.chunk(output(), data);
        } else {
            output().write(data);
        }
    }

    @Override
    public void endBody() {
        if (!requestEnded) {
            requestEnded = true;
            if (isChunked) {
                ChunkWriter.lastChunk(output());
            }
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
        spend();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (call == null && !isEnded()) {
            ReferenceCountUtil.release(message);
            spend();
            return;
        }
        try {
            reader.receive(ctx.alloc(), (ByteBuf) message);
        } catch (Malformed malformed) {
            fail(Failures.reached(Kind.PROTOCOL, endpoint + " sent what is not valid HTTP"));
        }
    }

    /** Whether an answer ended within this read, so that what follows is judged with it. */
    private boolean isEnded() {
        return state == State.ENDED || state == State.ENDED_LAST;
    }

    @Override
    public void onHead(AnswerHead head) {
        Answer current = answer;
        if (current == null) {
            return;
        }
        if (head.isLast() && state == State.LENT) {
            state = State.LAST;
        }
        if (!current.head(head.status(), head.fields())) {
            fail(Failures.reached(Kind.PROTOCOL, endpoint + " " + current.problem()));
        }
    }

    @Override
    public void onData(ByteBuf data) {
        if (call == null) {
            data.release();
        } else {
            call.received(data);
        }
    }

    @Override
    public void onEnd() {
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

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (state == State.ENDED && !reader.holdsBytes()) {
            state = State.FREE;
            channel.config().setAutoRead(true);
            unusedSinceNanos = System.nanoTime();
            lane.freed(this);
        } else if (isEnded()) {
            spend();
        }
        TurnOutput.endOfRead();
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
            reader.ended();
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        boolean amidBody = reader.endsWithConnection();
        lane.closed(this);
        fail(Failures.cut(endpoint, amidBody));
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(Failures.broken(endpoint, cause));
    }

    private TurnOutput output() {
        TurnOutput known = output;
        if (known == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return known;
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

    private void fail(UpstreamFailure failure) {
        Call failing = call;
        call = null;
        answer = null;
        spend();
        if (failing != null && failing.awaitsAnswer() && failure.kind() != Kind.CLOSED) {
            endpoint.health().lost(failure);
        }
        if (failing != null) {
            failing.failed(failure);
        }
    }

    /** No further call is sent here. */
    private void spend() {
        state = State.SPENT;
        reader.close();
        channel.close();
    }
}
