package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.http.Fields;
import io.fairlead.http.HeadLimits;
import io.fairlead.http.h2.Flood;
import io.fairlead.http.h2.Http2Handler;
import io.fairlead.http.h2.Http2Limits;
import io.fairlead.http.h2.ServerOwner;
import io.fairlead.http.h2.ServerSession;
import io.fairlead.http.h2.StreamEnd;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's HTTP/2 connection: the I/O of an {@link Http2Session}, and the end of it.
 *
 * <pre>
 * OPEN            - drained, idle for long -> ANNOUNCED: GOAWAY and PING are sent, requests are still taken
 * ANNOUNCED       - the client has seen it, or a second has passed -> DRAINING: no further requests are taken
 * DRAINING        - the last stream is over -> closed
 * OPEN, ANNOUNCED, DRAINING - the client sends too much of what costs it nothing -> CALMED
 * </pre>
 *
 * <p>A client may have sent requests before it sees the GOAWAY frame: those are answered (RFC 9113 section 6.8).
 */
final class Http2Connection extends Http2Handler implements ServerOwner {
    private static final long ANNOUNCED_SECONDS_MAX = 1;
    private static final int STREAM_WINDOW = 65_535;

    /** A few streams whose readers stall leave room for the others. */
    private static final int CONNECTION_WINDOW = 4 * STREAM_WINDOW;

    private enum State {
        OPEN,
        ANNOUNCED,
        DRAINING,
        CALMED
    }

    private final ClientConnection client;
    private final HeadLimits heads;
    private final ServerSession session;

    /** The streams that have written in this turn. */
    private final List<Http2Stream> written = new ArrayList<>();

    private final SocketQueue socket = new Output();

    /** Whose answers the socket did not take last. */
    private ByteBudget.@Nullable Holder socketHolder;

    private @Nullable StalledReader socketReader;
    private @Nullable IdleTimer idleTimer;
    private State state = State.OPEN;
    private int waitingBytes;

    /** Whether it is a proxy's, so that no single caller on it may end it for the others. */
    private boolean isShared;

    private @Nullable Object owner;

    Http2Connection(ClientConnection client) {
        this.client = client;
        this.heads = client.heads();
        this.session = new ServerSession(sessionLimits(client.limits()), this, this, System::nanoTime);
    }

    /** The limits of its requests' heads. */
    HeadLimits heads() {
        return heads;
    }

    private static Http2Limits sessionLimits(LimitSettings limits) {
        return new Http2Limits(
                limits.streamsMax(),
                STREAM_WINDOW,
                CONNECTION_WINDOW,
                limits.headBytesMax().intBytes(),
                limits.headerFieldsMax(),
                limits.floodWindow().toNanos(),
                Cancellations.resetsMaxOfConnection(limits.streamResetsMax()),
                limits.controlFramesMax(),
                limits.emptyFramesMax(),
                limits.continuationsMax(),
                limits.answerQueueBytesMax().intBytes());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        idleTimer = new IdleTimer(
                ctx.executor(), client.limits().connectionIdleTimeout(), () -> session.openStreams() > 0, this::idle);
        super.handlerAdded(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        boolean completed = session.receive(ctx.alloc(), (ByteBuf) message);
        client.unparsed().hold(session.heldBytes() + (long) waitingBytes, completed && !session.isInBlock());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idleTimer != null) {
            idleTimer.stop();
        }
        client.unparsed().hold(0, true);
        if (socketReader != null) {
            socketReader.stop();
        }
        session.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Listener.closeAfter(cause, ctx);
    }

    @Override
    public StreamEnd opened() {
        return new Http2Stream(this, client);
    }

    @Override
    public void closed(StreamEnd stream) {
        if (stream instanceof Http2Stream ours) {
            ours.closed();
        }
        if (idleTimer != null && session.openStreams() == 0) {
            idleTimer.touch();
        }
        closeIfDrained();
    }

    @Override
    public void broken(String why, @Nullable Flood flood) {
        if (flood != null) {
            state = State.CALMED;
            client.meter().reached(limit(flood));
        }
    }

    private static Limit limit(Flood flood) {
        return switch (flood) {
            case CONTROL_FRAMES -> Limit.CONTROL_FRAMES;
            case RESETS -> Limit.STREAM_RESETS;
            case EMPTY_FRAMES -> Limit.EMPTY_FRAMES;
            case CONTINUATIONS -> Limit.CONTINUATIONS;
        };
    }

    @Override
    public void ponged() {
        takeNoMore();
    }

    @Override
    protected ServerSession session() {
        return session;
    }

    /** There is no memory for an answer, or another fault: one that is cut off must not look complete. */
    @Override
    protected void cannotSend(Throwable failure) {
        Listener.closeAtOnce(channel());
    }

    /** Writes the head of an answer. */
    void answer(Http2Stream stream, int status, Fields headers, boolean last) {
        try {
            session.answer(stream, status, headers, last);
        } catch (RuntimeException | Error failure) {
            cannotAnswer(failure);
        }
    }

    /** Writes data of an answer, which may have to wait: the end of this turn tells. */
    void data(Http2Stream stream, ByteBuf data) {
        written.add(stream);
        flushSoon();
        try {
            session.data(stream, data);
        } catch (RuntimeException | Error failure) {
            cannotAnswer(failure);
        }
    }

    /**
     * There is no memory for an answer, or an error: closes the connection, also where a task of the event loop would drop the
     * failure.
     *
     * @throws RuntimeException the failure, if it is another
     */
    private void cannotAnswer(Throwable failure) {
        Listener.closeFor(failure, channel());
    }

    @Override
    protected void flushed() {
        for (Http2Stream stream : written) {
            stream.flushed();
        }
        boolean isBlocked = socket.bytes() > 0;
        if (isBlocked && !written.isEmpty()) {
            socketHolder = written.getLast().holder();
        }
        written.clear();
        StalledReader reader = socketReader;
        if (reader == null && isBlocked) {
            reader = new StalledReader(channel(), socket, client.limits().stalledReaderTimeout(), client.unread());
            socketReader = reader;
        }
        if (reader != null) {
            reader.flushed();
        }
    }

    Channel channel() {
        return context().channel();
    }

    /** Data of bodies waits to be asked for, or waits no more. */
    void waiting(int moreBytes) {
        waitingBytes += moreBytes;
        if (moreBytes < 0) {
            client.unparsed().hold(session.heldBytes() + (long) waitingBytes, false);
        }
    }

    /** The caller of a stream is known; returns null if it is not refused. */
    @Nullable
    CallerRefused authenticated(Object owner, Object caller) {
        isShared |= !owner.equals(caller);
        this.owner = owner;
        return client.authenticated(owner, caller);
    }

    /** A stream was reset by its client. A caller with too many of them is refused, also on a shared connection. */
    void gaveUp(@Nullable Object caller, boolean answered) {
        if (!client.gaveUp(caller, answered) && !isShared) {
            session.calm(Flood.RESETS);
        }
    }

    /** The connection closed before a request was answered; unless it was closed here, that counts as a reset. */
    void lost(@Nullable Object caller) {
        if (state == State.OPEN) {
            client.gaveUp(caller, false);
        }
    }

    /** Accepts no further streams soon, and closes after the last one. */
    void drain() {
        if (state == State.OPEN) {
            state = State.ANNOUNCED;
            session.announceEnd();
            session.ping();
            context().executor().schedule(this::takeNoMore, ANNOUNCED_SECONDS_MAX, TimeUnit.SECONDS);
        }
    }

    private void takeNoMore() {
        if (state == State.ANNOUNCED) {
            state = State.DRAINING;
            session.takeNoMore();
            closeIfDrained();
        }
    }

    private void closeIfDrained() {
        if (state == State.DRAINING && session.openStreams() == 0) {
            flush();
            close();
        }
    }

    private void idle() {
        client.meter().reached(Limit.CONNECTION_IDLE_TIMEOUT);
        drain();
    }

    /** What was sent, of whatever stream. While there are streams, each of them has its own timeout. */
    private final class Output extends SocketQueue {
        @Override
        Channel channel() {
            return Http2Connection.this.channel();
        }

        @Override
        public ByteBudget.Holder holder() {
            ByteBudget.Holder known = socketHolder;
            return known == null ? client.holder(null, owner) : known;
        }

        @Override
        public boolean mustRead() {
            return session.openStreams() == 0 || state == State.CALMED;
        }

        @Override
        public void stalled(Limit limit) {
            client.meter().reached(limit);
            Listener.closeAtOnce(channel());
        }
    }
}
