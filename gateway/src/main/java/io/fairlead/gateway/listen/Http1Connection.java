package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.http.TurnOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * One request at a time: while one is being answered, the following bytes stay unparsed in `pending`, and no more are
 * read than PENDING_BYTES_MAX. A read is outstanding whenever the request is complete, so that a disconnect is
 * detected; without demand for the body, TCP holds it back.
 *
 * The parser is the only one: a request leaves here as a Received or not at all, so no second parser could read its
 * framing differently.
 */
/**
 * A client's HTTP/1.1 connection: strict heads, bodies on demand, one answer after the other.
 *
 * <pre>
 * OPEN           - drained, with no request under way -> CLOSING, with one -> DRAINING
 * DRAINING       - the answer is complete -> CLOSING
 * OPEN, DRAINING - answered for the last time, refused, idle, stalled, broken off, left by the client -> CLOSING
 *                - answered 101 -> SWITCHED
 * CLOSING        - what still comes is dropped
 * SWITCHED       - what comes is another handler's
 * </pre>
 */
final class Http1Connection extends ChannelInboundHandlerAdapter {
    private static final int PENDING_BYTES_MAX = 64 * 1024;

    private enum State {
        OPEN,
        DRAINING,
        CLOSING,
        SWITCHED
    }

    /** What came of one step of parsing. */
    private enum Step {
        /** More bytes are needed, or none are wanted. */
        WAITS,
        /** Another step may follow. */
        PARSED,
        /** Another step may follow, and a head was parsed. */
        PARSED_HEAD;

        static Step ofBody(boolean parsed) {
            return parsed ? PARSED : WAITS;
        }
    }

    private final ClientConnection client;
    private final ByteToMessageDecoder.Cumulator cumulator = ByteToMessageDecoder.MERGE_CUMULATOR;
    private final HeadScan scan;

    private ByteBuf pending = Unpooled.EMPTY_BUFFER;
    private @Nullable Http1Stream current;
    private @Nullable Future<?> headTimeout;
    private @Nullable IdleTimer idleTimer;
    private @Nullable StalledReader stalledReader;
    private State state = State.OPEN;
    private boolean advancing;
    private boolean reading;

    private @Nullable ChannelHandlerContext context;
    private @Nullable TurnOutput output;

    Http1Connection(ClientConnection client) {
        this.client = client;
        this.scan = new HeadScan(client.limits().heads());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        output = new TurnOutput(ctx, Http1Answer.ALL_OR_CLOSED);
        idleTimer = new IdleTimer(
                ctx.executor(), client.limits().connections().idleTimeout(), () -> current != null, this::idle);
        stalledReader = new StalledReader(
                ctx.channel(),
                ctx.channel()::isWritable,
                ctx.channel()::bytesBeforeWritable,
                client.limits().answers().stallTimeout(),
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
        if (isClosing()) {
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
        boolean byClient = state == State.OPEN;
        state = State.CLOSING;
        stopTimers();
        release();
        if (current != null) {
            current.gone(byClient);
            current = null;
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        output().drop();
        stopTimers();
        release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Listener.closeAfter(cause, ctx);
    }

    /** Closes after the current answer, at once if there is none. */
    void drain() {
        if (state != State.OPEN) {
            return;
        }
        state = State.DRAINING;
        if (current == null) {
            close();
        }
    }

    /** Whether no other request follows the one that is under way. */
    boolean isDraining() {
        return state != State.OPEN;
    }

    private boolean isClosing() {
        return state == State.CLOSING || state == State.SWITCHED;
    }

    ChannelHandlerContext context() {
        return inPipeline(context);
    }

    /** A request was authenticated; returns null if its caller is not refused. */
    @Nullable
    CallerRefused authenticated(Object caller) {
        return client.authenticated(caller);
    }

    /** The client cancelled a request, which over HTTP/1.1 means that it disconnected. */
    void gaveUp(@Nullable Object caller, boolean answered) {
        client.gaveUp(caller, answered);
    }

    EdgeLimits limits() {
        return client.limits();
    }

    /** Monitors the queue of answers; the reader of the current one may be exempt. */
    StalledReader stalledReader() {
        return inPipeline(stalledReader);
    }

    private static <T> T inPipeline(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return part;
    }

    /** What goes out in this turn of the event loop. */
    TurnOutput output() {
        return inPipeline(output);
    }

    /** The answer is complete; the next request may be read. */
    void answered(Http1Stream stream) {
        if (stream != current || isClosing()) {
            return;
        }
        inPipeline(idleTimer).touch();
        if (stream.mayAnotherFollow() && state == State.OPEN) {
            advance();
        } else {
            close();
        }
    }

    /** Answers 101; later bytes belong to the new protocol. */
    RawConnection switchProtocols(String protocol, MutableFields headers) {
        ChannelHandlerContext ctx = context();
        Http1Answer.switching(output(), protocol, headers);
        output().pass();
        ctx.flush();
        ByteBuf early = pending;
        pending = Unpooled.EMPTY_BUFFER;
        current = null;
        state = State.SWITCHED;
        client.unparsed().end();
        ctx.pipeline().remove(LingeringClose.class); // Each direction ends separately from now on.
        return RawConnection.inPlaceOf(this, ctx.channel(), early);
    }

    /** Resets the connection, so that the client detects the incomplete answer. */
    void abort() {
        state = State.CLOSING;
        output().pass();
        context().close();
    }

    /**
     * There is no memory for an answer or an error: closes the connection and reports to the handler that the client is
     * gone. Many answers are written by tasks of the event loop, which would drop the failure.
     *
     * @throws RuntimeException the failure, if it is another
     */
    void cannotAnswer(Throwable failure) {
        state = State.CLOSING;
        Listener.closeAtOnce(context().channel());
        switch (failure) {
            case OutOfMemoryError _ -> {}
            case RuntimeException fault -> throw fault;
            case Error fault -> throw fault;
            default -> throw new IllegalStateException(failure);
        }
    }

    /** Parses as far as there is demand; called whenever bytes arrived or demand increased. */
    void advance() {
        if (advancing || isClosing()) {
            return;
        }
        advancing = true;
        boolean headParsed = false;
        try {
            Step step = Step.PARSED;
            while (!isClosing() && step != Step.WAITS) {
                step = step();
                headParsed |= step == Step.PARSED_HEAD;
            }
        } catch (Refused refused) {
            refuse(refused);
        } catch (Malformed malformed) {
            refuse(Refused.of(malformed));
        } finally {
            advancing = false;
        }
        forgetParsed(headParsed);
        readMore();
    }

    /** A buffer that always holds the start of something would otherwise grow without bound. */
    private void forgetParsed(boolean headParsed) {
        if (!pending.isReadable()) {
            release();
            return;
        }
        if (pending.refCnt() == 1) {
            pending.discardSomeReadBytes();
        }
        // The whole buffer is retained with the start of a head.
        client.unparsed().hold(pending.capacity(), headParsed);
    }

    private Step step() throws Refused, Malformed {
        Http1Stream stream = current;
        if (stream == null) {
            return begin();
        }
        if (stream.isOver()) {
            current = null;
            return Step.PARSED;
        }
        return Step.ofBody(stream.advance(pending));
    }

    /** Parses the next head if it is complete, and passes the request on. */
    private Step begin() throws Refused, Malformed {
        int end = scan.endOfHead(pending);
        if (end < 0) {
            awaitHead();
            return Step.WAITS;
        }
        cancelHeadTimeout();
        Http1Head head = Http1Head.parse(pending, pending.readerIndex(), end, client.limits());
        pending.readerIndex(end + 2);
        scan.begin();
        Received request = new Received(
                client.peer(), head.method(), head.target(), head.headers(), head.contentLength(), head.upgrade());
        Http1Stream stream = new Http1Stream(this, head);
        current = stream;
        stalledReader().heed();
        client.handler().handle(request, stream);
        return Step.PARSED_HEAD;
    }

    private void awaitHead() {
        if (headTimeout == null && pending.isReadable()) {
            headTimeout = context()
                    .executor()
                    .schedule(
                            () -> refuse(
                                    Refused.headTooSlow(client.limits().heads().timeout())),
                            client.limits().heads().timeout().toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    private void cancelHeadTimeout() {
        if (headTimeout != null) {
            headTimeout.cancel(false);
            headTimeout = null;
        }
    }

    /** The body of the current request arrives too slowly. */
    void bodyTooSlow() {
        refuse(Refused.bodyTooSlow(client.limits().bodies()));
    }

    private void idle() {
        client.meter().reached(Limit.CONNECTION_IDLE_TIMEOUT);
        abort();
    }

    private void stalled() {
        client.meter().reached(Limit.STALLED_READER);
        Http1Stream stream = current;
        if (stream != null) {
            stream.gone(false);
        }
        state = State.CLOSING;
        Listener.closeAtOnce(context().channel()); // A close of TLS would wait for the reader once more.
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

    /** The only exit for input that is not a request: answers if possible, and closes. */
    private void refuse(Refused refused) {
        if (isClosing()) {
            return;
        }
        client.refused(refused);
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
            Http1Answer.refusal(output(), refused.status());
        } catch (RuntimeException | Error failure) {
            cannotAnswer(failure);
            return;
        }
        close();
    }

    private void close() {
        state = State.CLOSING;
        release();
        output().pass();
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private void readMore() {
        if (state != State.SWITCHED && !reading && context().channel().isActive() && wantsMore()) {
            reading = true;
            context().read();
        }
    }

    private boolean wantsMore() {
        if (state == State.CLOSING) {
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
        client.unparsed().hold(0, true);
    }
}
