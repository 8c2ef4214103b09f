package io.fairlead.net;

import io.fairlead.http.PeerEnd;
import io.fairlead.http.PeerTls;
import io.fairlead.http.RawConnection;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An upgrade request, on its own connection.
 *
 * <pre>
 * DIALLING  - connected -> ASKED
 * ASKED     - 101 -> SWITCHED       the receiver has the connection, which stays registered here until it closes
 * ASKED     - another answer -> OVER when it has ended
 * any       - failed, cancelled, closed -> OVER
 * </pre>
 *
 * <p>Everything but the methods of {@link Exchange} and {@link #close} happens on the event loop.
 */
final class UpgradeCall extends ChannelInboundHandlerAdapter implements Exchange, Answer.Sink, Dial.Outcome<Channel> {
    private enum State {
        DIALLING,
        ASKED,
        SWITCHED,
        OVER
    }

    private final PooledUpstream upstream;
    private final Generation generation;
    private final Endpoint endpoint;
    private final RequestHead head;
    private final String protocols;
    private final EventLoop loop;
    private final UpgradeReceiver receiver;
    private final Http1Decoder decoder = new Http1Decoder();
    private final Answer answer = new Answer(this);

    private State state = State.DIALLING;
    private @Nullable Dial<Channel> dial;
    private @Nullable Channel channel;
    private @Nullable HttpResponse switching;
    private boolean reading = true;
    private boolean endsWithConnection;
    private boolean closeNotified;
    private @Nullable PeerEnd peerEnd;

    UpgradeCall(
            PooledUpstream upstream,
            Generation generation,
            RequestHead head,
            String protocols,
            EventLoop loop,
            UpgradeReceiver receiver) {
        this.upstream = upstream;
        this.generation = generation;
        this.endpoint = generation.choose();
        this.head = head;
        this.protocols = protocols;
        this.loop = loop;
        this.receiver = receiver;
    }

    void start() {
        generation
                .http1Tls()
                .whenComplete((tls, problem) -> loop.execute(() -> {
                    if (state != State.DIALLING) {
                        return;
                    }
                    if (problem != null) {
                        fail(Failures.unreached(Kind.TLS, endpoint + ": its TLS material cannot be used"));
                    } else {
                        dial(tls);
                    }
                }));
    }

    /** Aborts because the upstream is closed, in any state; from any thread. */
    void close(UpstreamFailure reason) {
        run(() -> {
            if (state == State.SWITCHED && channel != null) {
                channel.close();
            } else {
                fail(reason);
            }
        });
    }

    @Override
    public EventLoop eventLoop() {
        return loop;
    }

    @Override
    public void write(ByteBuf data) {
        data.release();
    }

    @Override
    public void end() {}

    @Override
    public boolean isWritable() {
        return false;
    }

    @Override
    public void reading(boolean on) {
        run(() -> {
            reading = on;
            if (state == State.ASKED && channel != null) {
                channel.config().setAutoRead(on);
            }
        });
    }

    @Override
    public void cancel() {
        run(() -> {
            if (state == State.DIALLING || state == State.ASKED) {
                finish();
            }
        });
    }

    @Override
    public void agreed(Channel connected, Endpoint.Protocol protocol, Dial.Opening<Channel> opening) {
        opening.ready(connected);
    }

    @Override
    public void connected(Dial<Channel> done, Channel connected, Endpoint.Protocol protocol) {
        try {
            ask(connected);
        } catch (RuntimeException | Error e) {
            fail(Failures.brokenHere("the request to " + endpoint, e));
        }
    }

    private void ask(Channel connected) {
        endpoint.reached();
        upstream.metrics().opened("http/1.1");
        connected.closeFuture().addListener(_ -> upstream.metrics().closed("http/1.1"));
        channel = connected;
        state = State.ASKED;
        // From the start: the server's end may arrive together with its answer.
        peerEnd = PeerEnd.of(PeerTls.of(connected.pipeline()).engine());
        connected.pipeline().addLast(new HttpRequestEncoder(), decoder, this);
        decoder.expectAnswerTo(head.method());
        connected.config().setAutoRead(reading);
        connected.writeAndFlush(Requests.upgrade(head, protocols, endpoint, generation.spec()));
    }

    @Override
    public void failed(Dial<Channel> done, UpstreamFailure failure) {
        endpoint.failed();
        upstream.metrics().failed(failure.kind());
        fail(failure);
    }

    @Override
    public void answered(int status, HttpHeaders headers) {
        receiver.onHead(status, headers);
    }

    @Override
    public void received(ByteBuf data) {
        if (state == State.ASKED) {
            receiver.onData(data);
        } else {
            data.release();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (state != State.ASKED || !(message instanceof HttpObject piece)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (piece instanceof HttpResponse response && response.status().code() == 101 && isWhole(response)) {
            switching = response;
        } else if (switching != null) {
            ReferenceCountUtil.release(piece);
            if (piece instanceof LastHttpContent) {
                switchOver(ctx, switching);
            }
        } else {
            answer(piece);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (peerEnd != null && peerEnd.isSaid()) {
            closeNotified = true;
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
        fail(Failures.reached(Kind.RESET, endpoint + " closed the connection before its answer was complete"));
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(Failures.broken(endpoint, cause));
    }

    private void dial(SslContext tls) {
        if (!upstream.connections().take()) {
            fail(Failures.unreached(Kind.OVERLOADED, endpoint + ": too many connections"));
            return;
        }
        Dial<Channel> started =
                new Dial<>(upstream.client(), endpoint, tls, generation, loop, upstream.connections(), this);
        dial = started;
        started.start();
    }

    private static boolean isWhole(HttpResponse response) {
        return !response.decoderResult().isFailure();
    }

    private void switchOver(ChannelHandlerContext ctx, HttpResponse response) {
        String protocol = response.headers().get(HttpHeaderNames.UPGRADE, "");
        if (!wasAskedFor(protocol)) {
            fail(Failures.reached(Kind.PROTOCOL, endpoint + " switched to a protocol that was not asked for"));
            return;
        }
        state = State.SWITCHED;
        Channel switched = ctx.channel();
        switched.closeFuture().addListener(_ -> generation.ended(this));
        switched.pipeline().remove(HttpRequestEncoder.class);
        RawConnection connection = RawConnection.inPlaceOf(this, switched, Unpooled.EMPTY_BUFFER);
        HttpHeaders headers = response.headers();
        Answer.removeHopByHop(headers);
        receiver.onSwitched(protocol, headers, connection);
        // Passes on the bytes after the 101.
        switched.pipeline().remove(decoder);
    }

    /** A server may choose only among the offered protocols (RFC 9110 section 7.8). */
    private boolean wasAskedFor(String protocol) {
        return Arrays.stream(protocols.split(",", -1))
                .map(String::strip)
                .anyMatch(asked -> !asked.isEmpty() && asked.equalsIgnoreCase(protocol.strip()));
    }

    private void answer(HttpObject piece) {
        if (piece instanceof HttpResponse response) {
            endsWithConnection = mayHaveBody(response.status().code())
                    && !HttpUtil.isContentLengthSet(response)
                    && !HttpUtil.isTransferEncodingChunked(response);
        }
        switch (answer.accept(piece)) {
            case MORE -> {}
            case COMPLETE -> complete();
            case BROKEN -> fail(Failures.reached(Kind.PROTOCOL, endpoint + " " + answer.problem()));
        }
    }

    private static boolean mayHaveBody(int status) {
        return status >= 200 && status != 204 && status != 304;
    }

    private void complete() {
        if (endsWithConnection && !closeNotified) {
            fail(Failures.reached(Kind.RESET, endpoint + " cut the connection in the middle of its answer"));
        } else if (state == State.ASKED) {
            finish();
            receiver.onEnd();
        }
    }

    private void fail(UpstreamFailure failure) {
        if (state == State.DIALLING || state == State.ASKED) {
            finish();
            receiver.onFailure(failure);
        }
    }

    private void finish() {
        state = State.OVER;
        generation.ended(this);
        if (dial != null) {
            dial.abandon();
        }
        if (channel != null) {
            channel.close();
        }
    }

    private void run(Runnable action) {
        if (loop.inEventLoop()) {
            action.run();
        } else {
            loop.execute(action);
        }
    }
}
