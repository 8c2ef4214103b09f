package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.http.FieldRules;
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
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One stream of an HTTP/2 connection: a request and its answer. Once answered or gone, it does nothing more. */
final class Http2Stream extends ChannelInboundHandlerAdapter implements ClientStream {
    /** A frame counts as waiting until all of it is gone: only small ones show that a slow client reads. */
    private static final int PIECE_BYTES_MAX = 32 * 1024;

    private final Http2Connection connection;
    private final Peer peer;
    private final EdgeLimits limits;
    private final RequestHandler handler;
    private final LimitMeter meter;

    private @Nullable ChannelHandlerContext context;
    private @Nullable StalledReader stalledReader;
    private @Nullable BodyPace pace;
    private @Nullable RequestListener listener;
    private @Nullable Object caller;
    private boolean givenUp;
    private boolean headRead;
    private boolean bodiless;
    private boolean demanded;
    private boolean requestComplete;
    private boolean endTold;
    private boolean headOnly;
    private boolean answering;
    private boolean finished;
    private boolean flushing;
    private long announced = Received.LENGTH_UNKNOWN;
    private long written;
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
            case Http2HeadersFrame frame when !headRead -> begin(frame);
            case Http2HeadersFrame _ -> endOfBody(); // Trailers: none is on the allow-list.
            case Http2DataFrame frame -> body(frame);
            default -> ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if ((demanded || rest != null) && !requestComplete) {
            ctx.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame) {
            connection.gaveUp(client(), answering);
            givenUp = true;
            gone();
            // A stream that holds data for which nobody asks would stay. Not now: a reset would be answered with
            // another.
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
        if (!answering && !finished && !givenUp) {
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
        if (finished) {
            newListener.onGone();
            return;
        }
        listener = newListener;
    }

    @Override
    public void read() {
        if (finished || listener == null) {
            return;
        }
        if (requestComplete) {
            tellEnd();
            return;
        }
        demanded = true;
        context().read();
        if (demanded && !requestComplete && !finished) {
            pace().awaiting();
        }
    }

    @Override
    public void head(int status, HttpHeaders headers, boolean last) {
        if (finished || answering) {
            return;
        }
        answering = true;
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        boolean noBody = headOnly || status == 204 || status == 304;
        announced = length == null || noBody ? Received.LENGTH_UNKNOWN : Long.parseLong(length);
        headOnly = noBody;
        if (last && announced > 0) {
            abort();
            return;
        }
        ChannelFuture sent = context().write(new DefaultHttp2HeadersFrame(lowerCase(status, headers), last));
        flushSoon();
        if (last) {
            finish(sent);
        }
    }

    @Override
    public void data(ByteBuf data) {
        if (finished || !answering || headOnly) {
            data.release();
            return;
        }
        written += data.readableBytes();
        while (data.readableBytes() > PIECE_BYTES_MAX) {
            context().write(new DefaultHttp2DataFrame(data.readRetainedSlice(PIECE_BYTES_MAX), false));
        }
        context().write(new DefaultHttp2DataFrame(data, false));
        flushSoon();
        stalledReader().wrote();
    }

    @Override
    public void end() {
        if (finished || !answering) {
            return;
        }
        if (announced != Received.LENGTH_UNKNOWN && written != announced) {
            abort();
            return;
        }
        ChannelFuture sent = context().write(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true));
        flushSoon();
        finish(sent);
    }

    @Override
    public void abort() {
        if (!finished) {
            finished = true;
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
        headRead = true;
        requestComplete = frame.isEndStream();
        try {
            Http2Head head = Http2Head.parse(frame.headers(), frame.isEndStream(), limits);
            bodiless = head.contentLength() == 0;
            headOnly = head.method().name().equals("HEAD");
            handler.handle(
                    new Received(peer, head.method(), head.target(), head.headers(), head.contentLength(), ""), this);
        } catch (Refused refused) {
            refuse(refused);
        } catch (Malformed malformed) {
            refuse(Refused.of(malformed));
        }
    }

    private void body(Http2DataFrame frame) {
        if (finished) {
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
            demanded = false;
            hearing.onData(frame.content());
        } else {
            frame.release();
        }
        if (frame.isEndStream()) {
            endOfBody();
        }
    }

    private void endOfBody() {
        requestComplete = true;
        stopPace();
        if (demanded || bodiless || endIsAwaited()) {
            tellEnd();
        }
    }

    /** Data and the end come in one frame: whoever asked for the former hears of the latter too. */
    private boolean endIsAwaited() {
        return listener != null;
    }

    private void tellEnd() {
        RequestListener hearing = listener;
        if (hearing != null && !endTold) {
            endTold = true;
            hearing.onEnd();
        }
    }

    /** Answers what is no request; the stream ends with it. */
    private void refuse(Refused refused) {
        Status status = refused.status();
        handler.refused(peer, status);
        Limit limit = refused.limit();
        if (limit != null) {
            meter.reached(limit);
        }
        if (answering || finished) {
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
     * The answer is complete; a request that is not need not be sent any further (RFC 9113 section 8.1). The codec drops
     * what it has not sent of a stream that is reset, so the reset waits for the answer, and a small rest is read instead.
     */
    private void finish(ChannelFuture sent) {
        finished = true;
        listener = null;
        stopPace();
        if (!requestComplete) {
            sent.addListener(_ -> dropRest());
        }
    }

    private void unwanted(Http2DataFrame frame) {
        requestComplete = frame.isEndStream();
        if (rest == null) {
            frame.release();
        } else {
            rest.drop(frame.content(), requestComplete);
        }
    }

    private void dropRest() {
        ChannelHandlerContext ctx = context();
        if (ctx.channel().isActive() && !requestComplete) {
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

    /** Who has to answer for what is given up. */
    private Object client() {
        Object known = caller;
        return known == null ? AddressBlock.of(peer.address().getAddress()) : known;
    }

    private void gone() {
        stopPace();
        if (!finished) {
            finished = true;
            RequestListener hearing = listener;
            listener = null;
            if (hearing != null) {
                hearing.onGone();
            }
        }
    }

    /** Flushes at the end of this turn of the event loop. */
    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            context().executor().execute(() -> {
                flushing = false;
                context().flush();
            });
        }
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

    private static Http2Headers lowerCase(int status, HttpHeaders headers) {
        Http2Headers fields = new DefaultHttp2Headers(false, headers.size() + 1);
        fields.status(Integer.toString(status));
        Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = all.next();
            fields.add(field.getKey().toString().toLowerCase(Locale.ROOT), printable(field.getValue()));
        }
        return fields;
    }

    /** A control byte has no place in a field (RFC 9113 section 8.2.1): it becomes a space. */
    private static CharSequence printable(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            if (!FieldRules.isFieldValueCharacter(value.charAt(i))) {
                return value.toString().replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", " ");
            }
        }
        return value;
    }
}
