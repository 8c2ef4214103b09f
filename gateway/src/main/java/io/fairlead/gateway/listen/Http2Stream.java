package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.http.Rule;
import io.fairlead.http.h2.ErrorCode;
import io.fairlead.http.h2.RequestHead;
import io.fairlead.http.h2.StreamEnd;
import io.fairlead.http.hpack.HpackDecoder;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One stream of an HTTP/2 connection: a request and its answer. After the answer or a disconnect it does nothing more.
 *
 * <p>The answer:
 *
 * <pre>
 * AWAITED - its head is written -> BEGUN
 *         - gone, given up -> GONE
 * BEGUN   - its end is written, gone, given up, broken off -> OVER
 * </pre>
 */
final class Http2Stream extends StreamEnd implements ClientStream {
    private enum Response {
        AWAITED,
        BEGUN,
        OVER,
        GONE
    }

    private final Http2Connection connection;
    private final ClientConnection client;

    private final Http2Body body = new Http2Body(this::taken);
    private @Nullable StalledReader stalledReader;
    private @Nullable BodyPace pace;
    private @Nullable Object caller;
    private @Nullable Object cluster;
    private Response response = Response.AWAITED;
    private long contentLength = Received.LENGTH_UNKNOWN;
    private String method = "";
    private boolean expectsContinue;
    private boolean readerMayWait;
    private @Nullable Http2Answer answer;
    private @Nullable UnwantedRest rest;

    Http2Stream(Http2Connection connection, ClientConnection client) {
        this.connection = connection;
        this.client = client;
    }

    @Override
    protected void onHead(Fields fields, boolean last) {
        try {
            RequestHead head = RequestHead.parse(fields, last, connection.heads());
            contentLength = head.contentLength();
            expectsContinue = head.expectsContinue();
            method = head.method().name();
            if (last) {
                body.ended();
            }
            client.handler()
                    .handle(
                            new Received(
                                    client.peer(), head.method(), head.target(), head.headers(), contentLength, ""),
                            this);
        } catch (Malformed malformed) {
            refuse(Refused.of(malformed));
        }
    }

    @Override
    protected void onHeadTooLarge(HpackDecoder.Excess excess) {
        refuse(Refused.of(
                switch (excess) {
                    case BYTES -> connection.heads().tooManyBytes();
                    case FIELDS -> connection.heads().tooManyFields();
                }));
    }

    @Override
    protected void onData(ByteBuf data) {
        if (isFinished()) {
            unwanted(data);
            return;
        }
        if (contentLength == 0) {
            drop(data);
            refuse(Refused.of(Rule.NO_BODY, "request body: expected none with GET and HEAD"));
            return;
        }
        if (pace != null) {
            pace.came(data.readableBytes(), false);
        }
        connection.waiting(data.readableBytes());
        body.came(data);
    }

    @Override
    protected void onEnd() {
        stopPace();
        if (rest != null) {
            rest.stop();
        }
        body.ended();
    }

    @Override
    protected void onSent() {
        if (!body.hasEnded()) {
            // The client may read the answer only after it has sent everything (RFC 9113 section 8.1).
            rest = new UnwantedRest(eventLoop(), () -> connection.session().reset(this, ErrorCode.NO_ERROR));
        }
    }

    @Override
    protected void onWritable() {
        RequestListener hearing = body.listener();
        if (hearing != null) {
            hearing.onWritable();
        }
    }

    @Override
    protected void onReset(int code) {
        connection.gaveUp(caller, answer != null);
        gone();
    }

    @Override
    protected void onBroken(String why) {
        gone();
    }

    @Override
    protected void onLost() {
        if (response == Response.AWAITED) {
            connection.lost(caller);
        }
        gone();
    }

    @Override
    public EventLoop eventLoop() {
        return connection.channel().eventLoop();
    }

    @Override
    public @Nullable CallerRefused madeBy(Object owner, Object newCaller) {
        caller = newCaller;
        return connection.authenticated(owner, newCaller);
    }

    @Override
    public void answeredBy(Object newCluster) {
        cluster = newCluster;
    }

    @Override
    public void receive(RequestListener newListener) {
        if (isFinished()) {
            newListener.onGone();
            return;
        }
        body.receive(newListener);
    }

    @Override
    public void read() {
        if (isFinished() || body.listener() == null) {
            return;
        }
        if (body.demand() && !isFinished()) {
            if (expectsContinue) {
                expectsContinue = false;
                connection.session().proceed(this);
            }
            pace().awaiting();
        }
    }

    @Override
    public void head(int status, MutableFields headers, boolean last) {
        if (response != Response.AWAITED) {
            return;
        }
        response = Response.BEGUN;
        Http2Answer begun = Http2Answer.of(status, headers, method.equals("HEAD"));
        answer = begun;
        if (last && begun.isShort()) {
            abort();
            return;
        }
        if (last) {
            finish();
        }
        connection.answer(this, status, headers.toFields(), last);
    }

    @Override
    public void data(ByteBuf data) {
        if (response != Response.BEGUN || answer == null || answer.isBodiless()) {
            data.release();
            return;
        }
        answer.wrote(data.readableBytes());
        connection.data(this, data);
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
        finish();
        connection.session().end(this);
    }

    @Override
    public void abort() {
        if (!isFinished()) {
            finish();
            connection.session().reset(this, ErrorCode.INTERNAL_ERROR);
        }
    }

    @Override
    public RawConnection switchProtocols(String protocol, MutableFields headers) {
        throw new UnsupportedOperationException("a stream of HTTP/2 stays one");
    }

    @Override
    public void wroteToConnection() {
        throw new UnsupportedOperationException("a stream of HTTP/2 stays one");
    }

    @Override
    public boolean isWritable() {
        return connection.session().isWritable(this);
    }

    @Override
    public void waiting(int bytes) {
        if (!isFinished() && (stalledReader != null || bytes > 0)) {
            stalledReader().waiting(bytes);
        }
    }

    @Override
    public void waitForReader() {
        readerMayWait = true;
    }

    /** Gives the room of a piece back to the client. */
    private void taken(int bytes) {
        connection.waiting(-bytes);
        connection.session().consumed(this, bytes);
    }

    private void drop(ByteBuf data) {
        connection.session().consumed(this, data.readableBytes());
        data.release();
    }

    /** Answers input that is not a request; the stream ends. */
    private void refuse(Refused refused) {
        Status status = refused.status();
        client.refused(refused);
        if (response != Response.AWAITED) {
            gone();
            connection.session().reset(this, ErrorCode.PROTOCOL_ERROR);
            return;
        }
        leave();
        head(status.code(), StatusBody.headers(status), false);
        data(Unpooled.wrappedBuffer(StatusBody.encode(status)));
        end();
    }

    private void unwanted(ByteBuf data) {
        connection.session().consumed(this, data.readableBytes());
        if (rest == null) {
            data.release();
        } else {
            rest.drop(data, false);
        }
    }

    /** What of the answer cannot be sent waits. */
    void flushed() {
        if (stalledReader != null || connection.session().queuedBytes(this) > 0) {
            connection.session().settle(this);
            stalledReader().flushed();
        }
    }

    long writtenBytes() {
        return answer == null ? 0 : answer.written();
    }

    boolean mayWait() {
        return readerMayWait;
    }

    ByteBudget.Holder holder() {
        return client.holder(cluster, caller);
    }

    /** The client reads nothing of the answer. */
    void stalled(Limit limit) {
        client.meter().reached(limit);
        gone();
        connection.session().reset(this, ErrorCode.CANCEL);
    }

    private StalledReader stalledReader() {
        StalledReader known = stalledReader;
        if (known == null) {
            Duration timeout = client.limits().stalledReaderTimeout();
            known = new StalledReader(connection.channel(), new Http2Queue(connection, this), timeout, client.unread());
            stalledReader = known;
        }
        return known;
    }

    private BodyPace pace() {
        BodyPace known = pace;
        if (known == null) {
            known = new BodyPace(
                    client.limits(), eventLoop(), System::nanoTime, () -> refuse(Refused.bodyTooSlow(client.limits())));
            pace = known;
        }
        return known;
    }

    private void stopPace() {
        if (pace != null) {
            pace.stop();
        }
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
            leave();
        }
    }

    /** The request's handler hears nothing more after this. */
    private void leave() {
        RequestListener hearing = body.listener();
        body.drop();
        if (hearing != null) {
            hearing.onGone();
        }
    }

    /** Nothing more is read or written by the request's handler. */
    private void finish() {
        over();
        stopPace();
        body.drop();
        if (stalledReader != null) {
            stalledReader.sourceEnded();
        }
    }

    /** The session has forgotten the stream. */
    void closed() {
        stopPace();
        if (stalledReader != null) {
            stalledReader.stop();
        }
        if (rest != null) {
            rest.stop();
        }
        body.drop();
    }
}
