package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.http.Malformed;
import io.fairlead.http.RawConnection;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * One stream of an HTTP/2 connection: a request and its answer. After the answer or a disconnect it does nothing more.
 *
 * <p>The request:
 *
 * <pre>
 * HEAD           - the head came -> HELD, with the end of the stream -> COMPLETE
 * HELD           - a piece of the body is asked for -> DEMANDED
 * DEMANDED       - a piece is handed over -> HELD
 * HELD, DEMANDED - the end of the stream came -> COMPLETE
 * COMPLETE       - the listener is told -> TOLD      at once if there is one, else when it asks
 * </pre>
 *
 * <p>The answer:
 *
 * <pre>
 * AWAITED - its head is written -> BEGUN
 *         - gone, given up -> GONE
 * BEGUN   - its end is written, gone, given up, broken off -> OVER
 * </pre>
 */
final class Http2Stream extends ChannelInboundHandlerAdapter implements ClientStream {
    private enum Request {
        HEAD,
        HELD,
        DEMANDED,
        COMPLETE,
        TOLD
    }

    private enum Response {
        AWAITED,
        BEGUN,
        OVER,
        GONE
    }

    private final Http2Connection connection;
    private final Peer peer;
    private final EdgeLimits limits;
    private final RequestHandler handler;
    private final LimitMeter meter;
    private final TurnEndFlush flush = new TurnEndFlush();

    private @Nullable ChannelHandlerContext context;
    private @Nullable StalledReader stalledReader;
    private @Nullable BodyPace pace;
    private @Nullable RequestListener listener;
    private @Nullable Object caller;
    private Request request = Request.HEAD;
    private Response response = Response.AWAITED;
    private boolean bodiless;
    private boolean toHead;
    private @Nullable Http2Answer answer;
    private @Nullable UnwantedRest rest;

    Http2Stream(Http2Connection connection, Peer peer, EdgeLimits limits, RequestHandler handler, LimitMeter meter) {
        this.connection = connection;
        this.peer = peer;
        this.limits = limits;
        this.handler = handler;
        this.meter = meter;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        Channel stream = ctx.channel();
        Channel connection = stream.parent();
        stalledReader = new StalledReader(
                stream,
                // A stream waits for its own window and for the connection's socket.
                () -> stream.bytesBeforeWritable() + connection.bytesBeforeWritable(),
                limits.answers().stallTimeout(),
                this::stalled);
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        switch (message) {
            case Http2HeadersFrame frame when request == Request.HEAD -> begin(frame);
            case Http2HeadersFrame _ -> endOfBody(); // Trailers: none is on the allow-list.
            case Http2DataFrame frame -> body(frame);
            default -> ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (request == Request.DEMANDED || (rest != null && !isRequestComplete())) {
            ctx.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame) {
            connection.gaveUp(client(), answer != null);
            gone();
            // A stream with unread data would stay open. Not now: a reset would be answered with another.
            ctx.executor().execute(ctx::close);
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        RequestListener hearing = listener;
        if (hearing != null && ctx.channel().isWritable()) {
            hearing.onWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stalledReader().stop();
        if (rest != null) {
            rest.stop();
        }
        if (response == Response.AWAITED) {
            connection.lost(client());
        }
        gone();
    }

    /** The multiplexer resets the stream with the error's code after this. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        gone();
    }

    @Override
    public EventLoop eventLoop() {
        return context().channel().eventLoop();
    }

    @Override
    public @Nullable CallerRefused madeBy(Object newCaller) {
        caller = newCaller;
        return connection.authenticated(newCaller);
    }

    @Override
    public void receive(RequestListener newListener) {
        if (isFinished()) {
            newListener.onGone();
            return;
        }
        listener = newListener;
    }

    @Override
    public void read() {
        if (isFinished() || listener == null) {
            return;
        }
        if (isRequestComplete()) {
            tellEnd();
            return;
        }
        request = Request.DEMANDED;
        context().read();
        if (request == Request.DEMANDED && !isFinished()) {
            pace().awaiting();
        }
    }

    @Override
    public void head(int status, HttpHeaders headers, boolean last) {
        if (response != Response.AWAITED) {
            return;
        }
        response = Response.BEGUN;
        Http2Answer begun = Http2Answer.of(status, headers, toHead);
        answer = begun;
        if (last && begun.isShort()) {
            abort();
            return;
        }
        ChannelFuture sent = Http2Answer.writeHead(context(), status, headers, last);
        flushSoon();
        if (last) {
            finish(sent);
        }
    }

    @Override
    public void data(ByteBuf data) {
        if (response != Response.BEGUN || answer == null || answer.isBodiless()) {
            data.release();
            return;
        }
        answer.write(context(), data);
        flushSoon();
        stalledReader().wrote();
    }

    @Override
    public void end() {
        if (response != Response.BEGUN || answer == null) {
            return;
        }
        if (!answer.isAsAnnounced()) {
            abort();
            return;
        }
        ChannelFuture sent = Http2Answer.writeEnd(context());
        flushSoon();
        finish(sent);
    }

    @Override
    public void abort() {
        if (!isFinished()) {
            over();
            listener = null;
            stopPace();
            reset(Http2Error.INTERNAL_ERROR);
        }
    }

    @Override
    public RawConnection switchProtocols(String protocol, HttpHeaders headers) {
        throw new UnsupportedOperationException("a stream of HTTP/2 stays one");
    }

    @Override
    public void wroteToConnection() {
        throw new UnsupportedOperationException("a stream of HTTP/2 stays one");
    }

    @Override
    public boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public void waitForReader() {
        stalledReader().ignore();
    }

    private void begin(Http2HeadersFrame frame) {
        request = frame.isEndStream() ? Request.COMPLETE : Request.HELD;
        try {
            Http2Head head = Http2Head.parse(frame.headers(), frame.isEndStream(), limits);
            bodiless = head.contentLength() == 0;
            toHead = head.method().name().equals("HEAD");
            handler.handle(
                    new Received(peer, head.method(), head.target(), head.headers(), head.contentLength(), ""), this);
        } catch (Refused refused) {
            refuse(refused);
        } catch (Malformed malformed) {
            refuse(Refused.of(malformed));
        }
    }

    private void body(Http2DataFrame frame) {
        if (isFinished()) {
            unwanted(frame);
            return;
        }
        if (bodiless && frame.content().isReadable()) {
            frame.release();
            refuse(Refused.badRequest("request body: expected none with GET and HEAD"));
            return;
        }
        if (pace != null) {
            pace.came(frame.content().readableBytes(), false);
        }
        RequestListener hearing = listener;
        if (hearing != null && frame.content().isReadable()) {
            request = Request.HELD;
            hearing.onData(frame.content());
        } else {
            frame.release();
        }
        if (frame.isEndStream()) {
            endOfBody();
        }
    }

    private void endOfBody() {
        request = request == Request.TOLD ? Request.TOLD : Request.COMPLETE;
        stopPace();
        tellEnd();
    }

    private void tellEnd() {
        RequestListener hearing = listener;
        if (hearing != null && request == Request.COMPLETE) {
            request = Request.TOLD;
            hearing.onEnd();
        }
    }

    /** Answers input that is not a request; the stream ends. */
    private void refuse(Refused refused) {
        Status status = refused.status();
        handler.refused(peer, status);
        Limit limit = refused.limit();
        if (limit != null) {
            meter.reached(limit);
        }
        if (response != Response.AWAITED) {
            gone();
            reset(Http2Error.PROTOCOL_ERROR);
            return;
        }
        RequestListener hearing = listener;
        listener = null;
        if (hearing != null) {
            hearing.onGone();
        }
        head(status.code(), StatusBody.headers(status), false);
        data(Unpooled.wrappedBuffer(StatusBody.encode(status)));
        end();
    }

    /**
     * The answer is complete; an incomplete request need not be sent further (RFC 9113 section 8.1). The codec drops
     * what it has not sent of a stream that is reset, so the reset waits for the answer, and a small rest of the body
     * is read instead.
     */
    private void finish(ChannelFuture sent) {
        over();
        listener = null;
        stopPace();
        if (!isRequestComplete()) {
            sent.addListener(_ -> dropRest());
        }
    }

    private void unwanted(Http2DataFrame frame) {
        if (frame.isEndStream()) {
            request = Request.COMPLETE;
        }
        if (rest == null) {
            frame.release();
        } else {
            rest.drop(frame.content(), frame.isEndStream());
        }
    }

    private void dropRest() {
        ChannelHandlerContext ctx = context();
        if (ctx.channel().isActive() && !isRequestComplete()) {
            rest = new UnwantedRest(ctx.executor(), () -> reset(Http2Error.NO_ERROR));
            ctx.read();
        }
    }

    private void reset(Http2Error error) {
        context().writeAndFlush(new DefaultHttp2ResetFrame(error)).addListener(ChannelFutureListener.CLOSE);
    }

    private void stalled() {
        meter.reached(Limit.STALLED_READER);
        gone();
        reset(Http2Error.CANCEL);
    }

    private StalledReader stalledReader() {
        return active(stalledReader);
    }

    private BodyPace pace() {
        BodyPace known = pace;
        if (known == null) {
            known = new BodyPace(
                    limits.bodies(),
                    context().executor(),
                    System::nanoTime,
                    () -> refuse(Refused.bodyTooSlow(limits.bodies())));
            pace = known;
        }
        return known;
    }

    private void stopPace() {
        if (pace != null) {
            pace.stop();
        }
    }

    /** The client that cancellations count for. */
    private Object client() {
        Object known = caller;
        return known == null ? AddressBlock.of(peer.address().getAddress()) : known;
    }

    private boolean isRequestComplete() {
        return request == Request.COMPLETE || request == Request.TOLD;
    }

    private boolean isFinished() {
        return response == Response.OVER || response == Response.GONE;
    }

    private void over() {
        response = response == Response.AWAITED ? Response.GONE : Response.OVER;
    }

    private void gone() {
        stopPace();
        if (!isFinished()) {
            over();
            RequestListener hearing = listener;
            listener = null;
            if (hearing != null) {
                hearing.onGone();
            }
        }
    }

    private void flushSoon() {
        flush.soon(context());
    }

    private ChannelHandlerContext context() {
        return active(context);
    }

    private static <T> T active(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the stream is not active");
        }
        return part;
    }
}
