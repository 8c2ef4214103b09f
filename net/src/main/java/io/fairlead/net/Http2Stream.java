package io.fairlead.net;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One call on an {@link Http2Connection}. */
final class Http2Stream extends ChannelInboundHandlerAdapter implements CallTransport {
    private final Http2Connection connection;
    private final Endpoint endpoint;
    private final Answer answer;
    private @Nullable Call call;
    private @Nullable Channel channel;
    private boolean requestEnded;
    private boolean unprocessed;

    Http2Stream(Call call, Http2Connection connection, Endpoint endpoint) {
        this.call = call;
        this.connection = connection;
        this.endpoint = endpoint;
        this.answer = new Answer(call);
        this.requestEnded = call.head().contentLength() == 0;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        ctx.pipeline().addBefore(ctx.name(), null, new Http2StreamFrameToHttpObjectCodec(false));
    }

    void opened(Future<Http2StreamChannel> opening) {
        Call opened = call;
        if (!opening.isSuccess() || opened == null) {
            fail(Failures.unreached(Kind.RESET, endpoint + " is closing its connection"));
            return;
        }
        try {
            opening.getNow()
                    .writeAndFlush(Requests.http2(opened.head(), endpoint, connection.spec()))
                    .addListener(written -> {
                        if (!written.isSuccess()) {
                            fail(notWritten(written.cause()));
                        }
                    });
            if (call != null) {
                opened.sentOver(this);
            }
        } catch (RuntimeException | Error e) {
            broke(e);
        }
    }

    /** An exception that no channel handles. */
    void broke(Throwable cause) {
        Call breaking = call;
        call = null;
        close();
        if (breaking != null) {
            breaking.broke(cause);
        }
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
        return channel != null && channel.isWritable();
    }

    @Override
    public void reading(boolean on) {
        if (channel != null) {
            channel.config().setAutoRead(on);
        }
    }

    @Override
    public void abort() {
        call = null;
        close();
    }

    /** Ends the stream; the call gets the reason, if it is still active. */
    void fail(UpstreamFailure failure) {
        Call failing = call;
        call = null;
        close();
        if (failing != null) {
            failing.failed(failure);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (call == null || !(message instanceof HttpObject piece)) {
            ReferenceCountUtil.release(message);
            return;
        }
        switch (answer.accept(piece)) {
            case MORE -> {}
            case COMPLETE -> complete();
            case BROKEN -> fail(Failures.reached(Kind.PROTOCOL, endpoint + " " + answer.problem()));
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (call != null) {
            call.writabilityChanged(ctx.channel().isWritable());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame reset) {
            reset(reset.errorCode());
        } else if (event instanceof Http2GoAwayFrame) {
            unprocessed = true;
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(
                unprocessed
                        ? Failures.unreached(Kind.RESET, endpoint + " closed its connection before it took the request")
                        : Failures.reached(Kind.RESET, endpoint + " ended the stream before its answer was complete"));
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(Failures.broken(endpoint, cause));
    }

    /**
     * NO_ERROR only means that the rest of the request is not needed; the answer is complete then (RFC 9113 section
     * 8.1).
     */
    private void reset(long errorCode) {
        if (errorCode == Http2Error.REFUSED_STREAM.code()) {
            fail(Failures.unreached(Kind.RESET, endpoint + " refused the stream"));
        } else if (errorCode != Http2Error.NO_ERROR.code()) {
            fail(Failures.reached(Kind.RESET, endpoint + " reset the stream: " + Http2Error.valueOf(errorCode)));
        }
    }

    private void complete() {
        Call done = call;
        call = null;
        if (!requestEnded) {
            close();
        } else {
            connection.ended(this);
        }
        if (done != null) {
            done.ended();
        }
    }

    private void write(HttpObject piece) {
        if (channel == null) {
            ReferenceCountUtil.release(piece);
        } else {
            channel.writeAndFlush(piece);
        }
    }

    private void close() {
        if (channel != null) {
            channel.close();
        }
        connection.ended(this);
    }

    private UpstreamFailure notWritten(Throwable cause) {
        return cause instanceof Http2Exception
                ? Failures.unreached(Kind.RESET, endpoint + " takes no further stream on its connection")
                : Failures.reached(Kind.RESET, endpoint + " closed the connection while the request was sent");
    }
}
