package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.PeerEnd;
import io.fairlead.http.PeerTls;
import io.fairlead.http.RawConnection;
import io.fairlead.http.h1.AnswerHead;
import io.fairlead.http.h1.AnswerReader;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
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
final class UpgradeCall extends ChannelInboundHandlerAdapter
        implements Exchange, Answer.Sink, AnswerReader.Sink, Dial.Outcome<Channel> {
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
    private final AnswerReader reader = new AnswerReader(this, Answer.HEAD_BYTES_MAX, Answer.FIELDS_MAX);
    private final Answer answer = new Answer(this);

    private State state = State.DIALLING;
    private @Nullable Dial<Channel> dial;
    private @Nullable Channel channel;
    private boolean reading = true;
    private @Nullable PeerEnd peerEnd;

    UpgradeCall(
            PooledUpstream upstream,
            Generation generation,
            Endpoint endpoint,
            RequestHead head,
            String protocols,
            EventLoop loop,
            UpgradeReceiver receiver) {
        this.upstream = upstream;
        this.generation = generation;
        this.endpoint = endpoint;
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
        endpoint.health().connected();
        upstream.metrics().opened("http/1.1");
        connected.closeFuture().addListener(_ -> upstream.metrics().closed("http/1.1"));
        channel = connected;
        state = State.ASKED;
        // From the start: the server's end may arrive together with its answer.
        peerEnd = PeerEnd.of(PeerTls.of(connected.pipeline()).engine());
        connected.pipeline().addLast(this);
        reader.expect(head.method().name());
        connected.config().setAutoRead(reading);
        connected.writeAndFlush(Requests.upgrade(head, protocols, endpoint, generation.spec(), connected.alloc()));
    }

    @Override
    public void failed(Dial<Channel> done, UpstreamFailure failure) {
        endpoint.health().notConnected(failure);
        upstream.metrics().failed(failure.kind());
        fail(failure);
    }

    @Override
    public void answered(int status, MutableFields headers) {
        receiver.onHead(status, headers);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (state != State.ASKED) {
            ReferenceCountUtil.release(message);
            return;
        }
        try {
            reader.receive(ctx.alloc(), (ByteBuf) message);
        } catch (Malformed malformed) {
            fail(Failures.reached(Kind.PROTOCOL, endpoint + " sent what is not valid HTTP"));
        }
    }

    @Override
    public void onHead(AnswerHead head) {
        endpoint.health().answered();
        if (head.status() == HttpStatus.SWITCHING_PROTOCOLS) {
            switchOver(head.fields().toMutable());
        } else if (!answer.head(head.status(), head.fields())) {
            fail(Failures.reached(Kind.PROTOCOL, endpoint + " " + answer.problem()));
        }
    }

    @Override
    public void onData(ByteBuf data) {
        if (state == State.ASKED) {
            receiver.onData(data);
        } else {
            data.release();
        }
    }

    @Override
    public void onEnd() {
        if (state == State.ASKED) {
            finish();
            receiver.onEnd();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (peerEnd != null && peerEnd.isSaid()) {
            reader.ended();
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
        fail(Failures.cut(endpoint, reader.endsWithConnection()));
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

    private void switchOver(MutableFields headers) {
        Channel switched = channel;
        String protocol = headers.get(FieldName.UPGRADE, "");
        if (switched == null || !wasAskedFor(protocol)) {
            fail(Failures.reached(Kind.PROTOCOL, endpoint + " switched to a protocol that was not asked for"));
            return;
        }
        state = State.SWITCHED;
        switched.closeFuture().addListener(_ -> generation.ended(this));
        // What came behind the 101 belongs to the new protocol.
        RawConnection connection = RawConnection.inPlaceOf(this, switched, reader.takeRest());
        Answer.removeHopByHop(headers);
        receiver.onSwitched(protocol, headers, connection);
    }

    /** A server may choose only among the offered protocols (RFC 9110 section 7.8). */
    private boolean wasAskedFor(String protocol) {
        return Arrays.stream(protocols.split(",", -1))
                .map(String::strip)
                .anyMatch(asked -> !asked.isEmpty() && asked.equalsIgnoreCase(protocol.strip()));
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
        reader.close();
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
