package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.http.Malformed;
import io.fairlead.http.RawConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * One request at a time: while one is being answered, the bytes behind it stay unparsed in `pending`, and no more are read
 * than PENDING_BYTES_MAX. A read is outstanding whenever the client has nothing more to say in this request, so that its
 * leaving is noticed; while a body is not asked for, TCP holds it back.
 *
 * The parser is the only one: a request leaves here as a Received or not at all, so there is no second reading of its
 * framing that could differ.
 */
/** A client's HTTP/1.1 connection: strict heads, bodies on demand, one answer after the other. */
final class Http1Connection extends ChannelInboundHandlerAdapter {
    private static final int PENDING_BYTES_MAX = 64 * 1024;
    private static final int REQUEST_LINE_REST_BYTES_MAX = 64;

    private final Peer peer;
    private final EdgeLimits limits;
    private final RequestHandler handler;
    private final LimitMeter meter;
    private final UnparsedBytes.Part unparsed;
    private final Cancellations cancellations;
    private final Place place;
    private final ByteToMessageDecoder.Cumulator cumulator = ByteToMessageDecoder.MERGE_CUMULATOR;

    private ByteBuf pending = Unpooled.EMPTY_BUFFER;
    private int scanned;
    private int lineStart;
    private @Nullable Http1Stream current;
    private @Nullable Future<?> headTimeout;
    private @Nullable IdleTimer idleTimer;
    private @Nullable StalledReader stalledReader;
    private boolean begun;
    private boolean advancing;
    private boolean reading;
    private boolean flushing;
    private boolean draining;
    private boolean closing;
    private boolean switched;

    private @Nullable ChannelHandlerContext context;

    Http1Connection(
            Peer peer,
            EdgeLimits limits,
            RequestHandler handler,
            LimitMeter meter,
            UnparsedBytes.Part unparsed,
            Cancellations cancellations,
            Place place) {
        this.peer = peer;
        this.limits = limits;
        this.handler = handler;
        this.meter = meter;
        this.unparsed = unparsed;
        this.cancellations = cancellations;
        this.place = place;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        idleTimer =
                new IdleTimer(ctx.executor(), limits.connections().idleTimeout(), () -> current != null, this::idle);
        stalledReader = new StalledReader(
                ctx.channel(),
                ctx.channel()::bytesBeforeWritable,
                limits.answers().stallTimeout(),
                this::stalled);
        if (ctx.channel().isActive()) {
            readMore();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        readMore();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closing) {
            ReferenceCountUtil.release(message);
        } else {
            pending = cumulator.cumulate(ctx.alloc(), pending, (ByteBuf) message);
            advance();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        readMore();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (current != null && ctx.channel().isWritable()) {
            current.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        boolean byClient = !closing && !draining;
        closing = true;
        stopTimers();
        release();
        if (current != null) {
            current.gone(byClient);
            current = null;
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stopTimers();
        release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Listener.closeAfter(cause, ctx);
    }

    /** Ends after the answer that is under way, at once if there is none. */
    void drain() {
        draining = true;
        if (current == null) {
            close();
        }
    }

    boolean isDraining() {
        return draining;
    }

    ChannelHandlerContext context() {
        return inPipeline(context);
    }

    /** A request was authenticated; null if its caller is not refused. */
    @Nullable
    CallerRefused authenticated(Object caller) {
        CallerRefused refused = CallerRefused.of(caller, place, cancellations);
        if (refused != null) {
            meter.reached(refused.limit());
        }
        return refused;
    }

    /** A request was given up by its client, who has no other way to do so than to leave. */
    void gaveUp(@Nullable Object caller, boolean answered) {
        cancellations.count(caller == null ? AddressBlock.of(peer.address().getAddress()) : caller, answered);
    }

    EdgeLimits limits() {
        return limits;
    }

    /** Watches the queue of answers; may be told to wait for the reader of the current one. */
    StalledReader stalledReader() {
        return inPipeline(stalledReader);
    }

    private static <T> T inPipeline(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return part;
    }

    /** Flushes at the end of this turn of the event loop. */
    void flushSoon() {
        if (!flushing) {
            flushing = true;
            context().executor().execute(() -> {
                flushing = false;
                context().flush();
            });
        }
    }

    /** The answer is complete; the next request may be read. */
    void answered(Http1Stream stream) {
        if (stream != current || closing) {
            return;
        }
        inPipeline(idleTimer).touch();
        if (stream.mayAnotherFollow() && !draining) {
            advance();
        } else {
            close();
        }
    }

    /** Answers 101; what comes from now on is somebody else's. */
    RawConnection switchProtocols(String protocol, HttpHeaders headers) {
        ChannelHandlerContext ctx = context();
        Http1Answer.switching(ctx, protocol, headers);
        ByteBuf early = pending;
        pending = Unpooled.EMPTY_BUFFER;
        current = null;
        closing = true;
        switched = true;
        unparsed.end();
        ctx.pipeline().remove(LingeringClose.class); // Each direction ends by itself from now on.
        return RawConnection.inPlaceOf(this, ctx.channel(), early);
    }

    /** Breaks the connection, so that the client sees that the answer is not complete. */
    void abort() {
        closing = true;
        context().close();
    }

    /**
     * There is no buffer for an answer, and none for an error either: the connection is closed, and the handler is told that the
     * client is gone. Many answers come from tasks of the event loop, which would drop the failure.
     *
     * @throws RuntimeException the failure, if it is another
     */
    void cannotAnswer(Throwable failure) {
        closing = true;
        Listener.closeAtOnce(context().channel());
        switch (failure) {
            case OutOfMemoryError _ -> {}
            case RuntimeException fault -> throw fault;
            case Error fault -> throw fault;
            default -> throw new IllegalStateException(failure);
        }
    }

    /** Parses as far as it is wanted; called whenever bytes came or more is asked for. */
    void advance() {
        if (advancing || closing) {
            return;
        }
        advancing = true;
        try {
            while (!closing && step()) {
                // Each step says whether another may follow.
            }
        } catch (Refused refused) {
            refuse(refused);
        } catch (Malformed malformed) {
            refuse(Refused.of(malformed));
        } finally {
            advancing = false;
        }
        forgetParsed();
        readMore();
    }

    /** A buffer that always holds the begin of something would otherwise grow with every byte the client ever sent. */
    private void forgetParsed() {
        if (!pending.isReadable()) {
            release();
            return;
        }
        if (pending.refCnt() == 1) {
            pending.discardSomeReadBytes();
        }
        // All of its buffer is kept with the begin of a head.
        unparsed.hold(pending.capacity(), begun);
        begun = false;
    }

    private boolean step() throws Refused, Malformed {
        Http1Stream stream = current;
        if (stream == null) {
            return begin();
        }
        if (stream.isOver()) {
            current = null;
            return true;
        }
        return stream.advance(pending);
    }

    /** Reads the next head if it is complete, and hands the request on. */
    private boolean begin() throws Refused, Malformed {
        int start = skipEmptyLine();
        int end = endOfHead(start);
        if (end < 0) {
            awaitHead();
            return false;
        }
        cancelHeadTimeout();
        begun = true;
        Http1Head head = Http1Head.parse(pending, start, end, limits);
        pending.readerIndex(end + 2);
        scanned = 0;
        lineStart = 0;
        Received request =
                new Received(peer, head.method(), head.target(), head.headers(), head.contentLength(), head.upgrade());
        Http1Stream stream = new Http1Stream(this, head);
        current = stream;
        stalledReader().heed();
        handler.handle(request, stream);
        return true;
    }

    /** One empty line before a request is tolerated (RFC 9112 section 2.2). */
    private int skipEmptyLine() {
        int start = pending.readerIndex();
        if (scanned == 0
                && pending.readableBytes() >= 2
                && pending.getByte(start) == '\r'
                && pending.getByte(start + 1) == '\n') {
            pending.skipBytes(2);
        }
        return pending.readerIndex();
    }

    /** Where the empty line behind a head begins, or -1 if it has not come yet. */
    private int endOfHead(int start) throws Refused {
        while (true) {
            int lineFeed = pending.indexOf(start + scanned, pending.writerIndex(), (byte) '\n');
            if (lineFeed < 0) {
                scanned = pending.readableBytes();
                requireRoomForHead();
                return -1;
            }
            int length = lineFeed - start - lineStart;
            if (length == 0 || pending.getByte(lineFeed - 1) != '\r') {
                throw Refused.badRequest("request head: expected each line to end with CR LF");
            }
            if (length == 1) {
                return emptyLine(start, lineFeed);
            }
            scanned = lineFeed + 1 - start;
            lineStart = scanned;
            requireRoomForHead();
        }
    }

    private int emptyLine(int start, int lineFeed) throws Refused {
        if (lineStart == 0) {
            throw Refused.badRequest("request line: expected method, target and version");
        }
        scanned = lineFeed - start;
        return lineFeed - 1;
    }

    private void requireRoomForHead() throws Refused {
        int requestLineMax = limits.heads().targetBytesMax() + REQUEST_LINE_REST_BYTES_MAX;
        if (lineStart == 0 && scanned > requestLineMax) {
            throw Refused.targetTooLong(limits.heads().targetBytesMax());
        }
        if (scanned > requestLineMax + limits.heads().bytesMax()) {
            throw Refused.headTooLarge(
                    "header fields: expected at most " + limits.heads().bytesMax() + " bytes of them");
        }
    }

    private void awaitHead() {
        if (headTimeout == null && pending.isReadable()) {
            headTimeout = context()
                    .executor()
                    .schedule(
                            () -> refuse(Refused.headTooSlow(limits.heads().timeout())),
                            limits.heads().timeout().toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    private void cancelHeadTimeout() {
        if (headTimeout != null) {
            headTimeout.cancel(false);
            headTimeout = null;
        }
    }

    /** The body of the current request comes too slowly. */
    void bodyTooSlow() {
        refuse(Refused.bodyTooSlow(limits.bodies()));
    }

    private void idle() {
        meter.reached(Limit.CONNECTION_IDLE_TIMEOUT);
        abort();
    }

    private void stalled() {
        meter.reached(Limit.STALLED_READER);
        Http1Stream stream = current;
        if (stream != null) {
            stream.gone(false);
        }
        closing = true;
        Listener.closeAtOnce(context().channel()); // TLS would wait for the reader once more.
    }

    private void stopTimers() {
        cancelHeadTimeout();
        if (idleTimer != null) {
            idleTimer.stop();
        }
        if (stalledReader != null) {
            stalledReader.stop();
        }
    }

    /** The only way out for bytes that are no request: answers if it can still be done, and closes. */
    private void refuse(Refused refused) {
        if (closing) {
            return;
        }
        handler.refused(peer, refused.status());
        Limit limit = refused.limit();
        if (limit != null) {
            meter.reached(limit);
        }
        Http1Stream stream = current;
        if (stream != null && stream.isAnswering()) {
            stream.gone(false);
            abort();
            return;
        }
        if (stream != null) {
            stream.gone(false);
        }
        current = null;
        try {
            Http1Answer.refusal(context(), refused.status());
        } catch (RuntimeException | Error failure) {
            cannotAnswer(failure);
            return;
        }
        close();
    }

    private void close() {
        closing = true;
        release();
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private void readMore() {
        if (!switched && !reading && context().channel().isActive() && wantsMore()) {
            reading = true;
            context().read();
        }
    }

    private boolean wantsMore() {
        if (closing) {
            return true;
        }
        Http1Stream stream = current;
        return stream == null || stream.wantsMore() || (stream.isRequestComplete() && hasRoom());
    }

    private boolean hasRoom() {
        return pending.readableBytes() < PENDING_BYTES_MAX;
    }

    private void release() {
        pending.release();
        pending = Unpooled.EMPTY_BUFFER;
        unparsed.hold(0, true);
    }
}
