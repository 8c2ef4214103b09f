package io.fairlead.gateway.listen;

import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.http.TurnOutput;
import io.fairlead.http.h1.AnswerWriter;
import io.fairlead.http.h1.RequestHead;
import io.fairlead.http.h1.RequestReader;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/*
 * One request at a time: while one is being answered, the following bytes stay unread in the reader, and no more are
 * taken than UNREAD_BYTES_MAX. A read is outstanding whenever the request is complete, so that a disconnect is
 * detected; without demand for the body, TCP holds it back.
 *
 * The parser is the only one: a request leaves here as a Received or not at all, and no other reads its framing.
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
final class Http1Connection extends ChannelInboundHandlerAdapter implements Http1Timers.Owner {
    private static final int UNREAD_BYTES_MAX = 64 * 1024;

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
    private final RequestReader reader;

    private @Nullable Http1Stream current;
    private @Nullable Http1Timers timers;
    private State state = State.OPEN;
    private boolean advancing;
    private boolean reading;

    private @Nullable ChannelHandlerContext context;
    private @Nullable TurnOutput output;

    Http1Connection(ClientConnection client) {
        this.client = client;
        this.reader = new RequestReader(client.heads());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        output = new TurnOutput(ctx, Http1Connection::allOrClosed, () -> timers().flushed());
        timers = new Http1Timers(ctx.channel(), client, this);
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
            reader.receive(ctx.alloc(), (ByteBuf) message);
            advance();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        readMore();
        TurnOutput.endOfRead();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        timers().flushed();
        if (current != null && ctx.channel().isWritable()) {
            current.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        boolean byClient = state == State.OPEN;
        state = State.CLOSING;
        timers().stop();
        release();
        if (current != null) {
            current.gone(byClient);
            current = null;
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        output().drop();
        timers().stop();
        release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) { // otherwise the client has ended it
            state = State.CLOSING;
        }
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

    ClientConnection client() {
        return client;
    }

    Http1Timers timers() {
        return inPipeline(timers);
    }

    private static <T> T inPipeline(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return part;
    }

    /** Missing bytes are waited for: a client detects the end only by the end of its connection. */
    private static void allOrClosed(ChannelFuture written) {
        if (!written.isSuccess()) {
            Listener.closeAtOnce(written.channel());
        }
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
        timers().idle().touch();
        if (stream.mayAnotherFollow() && state == State.OPEN) {
            advance();
        } else {
            close();
        }
    }

    /** Answers 101; later bytes belong to the new protocol. */
    RawConnection switchProtocols(String protocol, MutableFields headers) {
        ChannelHandlerContext ctx = context();
        AnswerWriter.switching(output(), protocol, headers);
        output().pass();
        ctx.flush();
        ByteBuf early = reader.takeRest();
        current = null;
        state = State.SWITCHED;
        client.unparsed().end();
        ctx.pipeline().remove(LingeringClose.class); // Each direction ends separately from now on.
        return RawConnection.inPlaceOf(this, ctx.channel(), early);
    }

    /** Resets the connection, so that the client detects the incomplete answer. */
    @Override
    public void abort() {
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
        Listener.closeFor(failure, context().channel());
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
        } catch (Malformed malformed) {
            refuse(Refused.of(malformed));
        } finally {
            advancing = false;
        }
        forgetParsed(headParsed);
        readMore();
    }

    private void forgetParsed(boolean headParsed) {
        int kept = reader.forgetRead();
        // The whole buffer is retained with the start of a head.
        client.unparsed().hold(kept, headParsed || kept == 0);
    }

    private Step step() throws Malformed {
        Http1Stream stream = current;
        if (stream == null) {
            return begin();
        }
        if (stream.isOver()) {
            current = null;
            return Step.PARSED;
        }
        return Step.ofBody(stream.advance());
    }

    /** Parses the next head if it is complete, and passes the request on. */
    private Step begin() throws Malformed {
        RequestHead head = reader.head();
        if (head == null) {
            if (reader.unreadBytes() > 0) {
                timers().awaitHead();
            }
            return Step.WAITS;
        }
        timers().headCame();
        Received request = new Received(
                client.peer(), head.method(), head.target(), head.headers(), head.contentLength(), head.upgrade());
        Http1Stream stream = new Http1Stream(this, reader, head);
        current = stream;
        timers().nextReader();
        client.handler().handle(request, stream);
        return Step.PARSED_HEAD;
    }

    @Override
    public boolean isServing() {
        return current != null;
    }

    @Override
    public void headTooSlow() {
        refuse(Refused.headTooSlow(client.limits().headTimeout()));
    }

    /** The body of the current request arrives too slowly. */
    void bodyTooSlow() {
        refuse(Refused.bodyTooSlow(client.limits()));
    }

    @Override
    public void stalled() {
        Http1Stream stream = current;
        if (stream != null) {
            stream.gone(false);
        }
        state = State.CLOSING;
        Listener.closeAtOnce(context().channel()); // A close of TLS would wait for the reader once more.
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
            Status status = refused.status();
            AnswerWriter.last(output(), status.code(), StatusBody.headers(status), StatusBody.encode(status));
        } catch (RuntimeException | Error failure) {
            cannotAnswer(failure);
            return;
        }
        close();
    }

    /** Behind all that is written; a client that does not read it is idle from now on. */
    private void close() {
        state = State.CLOSING;
        Http1Stream stream = current;
        current = null;
        if (stream != null) {
            stream.gone(false);
        }
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
        return stream == null
                || stream.wantsMore()
                || (stream.isRequestComplete() && reader.unreadBytes() < UNREAD_BYTES_MAX);
    }

    private void release() {
        reader.close();
        client.unparsed().hold(0, true);
    }
}
