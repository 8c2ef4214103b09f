package io.fairlead.gateway.listen;

import io.fairlead.http.ChunkedBody;
import io.fairlead.http.Malformed;
import io.fairlead.http.RawConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One request of an HTTP/1.1 connection and its answer. Once answered or gone, it does nothing more. */
final class Http1Stream implements ClientStream {
    private static final ByteBuf CONTINUE = Unpooled.unreleasableBuffer(
            Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", StandardCharsets.US_ASCII));
    private static final int DISCARDED_BYTES_MAX = 256 * 1024;

    private final Http1Connection connection;
    private final Http1Head head;
    private final @Nullable ChunkedBody chunks;

    private @Nullable Object caller;
    private @Nullable RequestListener listener;
    private @Nullable Http1Answer answer;
    private @Nullable BodyPace pace;
    private long remaining;
    private boolean demanded;
    private boolean continueSent;
    private boolean requestComplete;
    private boolean finished;
    private boolean endTold;

    Http1Stream(Http1Connection connection, Http1Head head) {
        this.connection = connection;
        this.head = head;
        this.remaining = head.contentLength();
        this.chunks = head.contentLength() == Received.LENGTH_UNKNOWN ? new ChunkedBody() : null;
        this.requestComplete = head.contentLength() == 0;
    }

    @Override
    public EventLoop eventLoop() {
        return connection.context().channel().eventLoop();
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
        if (head.expectsContinue() && !continueSent && !requestComplete && answer == null) {
            continueSent = true;
            connection.context().writeAndFlush(CONTINUE.duplicate());
        }
        demanded = true;
        connection.advance();
        if (requestComplete) {
            tellEnd();
        } else if (demanded && !finished) {
            pace().awaiting();
        }
    }

    @Override
    public void head(int status, HttpHeaders headers, boolean last) {
        if (finished || answer != null) {
            return;
        }
        boolean mayKeepAlive = head.keepAlive() && !connection.isDraining() && (requestComplete || restIsSmall());
        try {
            answer = Http1Answer.begin(connection.context(), head, status, headers, last, mayKeepAlive);
        } catch (RuntimeException | Error failure) {
            connection.cannotAnswer(failure);
            return;
        }
        connection.flushSoon();
        if (last) {
            end();
        }
    }

    /** Whether the rest of the body is rather read than the connection closed; a client that awaits a 100 may send none. */
    private boolean restIsSmall() {
        return !head.expectsContinue() && chunks == null && remaining <= DISCARDED_BYTES_MAX;
    }

    @Override
    public void data(ByteBuf data) {
        if (finished || answer == null) {
            data.release();
            return;
        }
        try {
            answer.write(connection.context(), data);
        } catch (RuntimeException | Error failure) {
            connection.cannotAnswer(failure);
            return;
        }
        connection.flushSoon();
        connection.stalledReader().wrote();
    }

    @Override
    public void end() {
        if (finished || answer == null) {
            return;
        }
        if (!answer.end(connection.context())) {
            abort();
            return;
        }
        connection.flushSoon();
        finished = true;
        listener = null;
        if (!requestComplete) {
            pace().awaiting(); // The rest is read and dropped.
        }
        connection.answered(this);
    }

    @Override
    public void abort() {
        if (!finished) {
            finished = true;
            listener = null;
            stopPace();
            connection.abort();
        }
    }

    @Override
    public RawConnection switchProtocols(String protocol, HttpHeaders headers) {
        finished = true;
        listener = null;
        return connection.switchProtocols(protocol, headers);
    }

    @Override
    public void wroteToConnection() {
        connection.stalledReader().wrote();
    }

    @Override
    public boolean isWritable() {
        return connection.context().channel().isWritable();
    }

    @Override
    public void waitForReader() {
        connection.stalledReader().ignore();
    }

    /** Delivers a piece of the body if it is there and wanted; says whether there may be more to do. */
    boolean advance(ByteBuf in) throws Malformed {
        if (!wantsMore()) {
            return false;
        }
        ByteBuf piece = next(in);
        if (piece == null && !requestComplete) {
            return false;
        }
        deliver(piece);
        return true;
    }

    private @Nullable ByteBuf next(ByteBuf in) throws Malformed {
        if (chunks != null) {
            ByteBuf piece = chunks.next(in);
            requestComplete = chunks.isDone();
            return piece;
        }
        int length = (int) Math.min(remaining, in.readableBytes());
        if (length == 0) {
            return null;
        }
        remaining -= length;
        requestComplete = remaining == 0;
        return in.readRetainedSlice(length);
    }

    private void deliver(@Nullable ByteBuf piece) {
        demanded = false;
        if (requestComplete) {
            stopPace();
        } else if (pace != null && piece != null) {
            pace.came(piece.readableBytes(), finished);
        }
        RequestListener hearing = listener;
        if (piece != null && hearing != null) {
            hearing.onData(piece);
        } else if (piece != null) {
            piece.release();
        }
        if (requestComplete) {
            tellEnd();
        }
    }

    private void tellEnd() {
        RequestListener hearing = listener;
        if (hearing != null && !endTold) {
            endTold = true;
            hearing.onEnd();
        }
    }

    boolean wantsMore() {
        return !requestComplete && (demanded || finished);
    }

    /** Whether it is answered and all of it was read. */
    boolean isOver() {
        return finished && requestComplete;
    }

    boolean isRequestComplete() {
        return requestComplete;
    }

    boolean isAnswering() {
        return answer != null;
    }

    boolean mayAnotherFollow() {
        return answer != null && answer.keepAlive();
    }

    void writable() {
        RequestListener hearing = listener;
        if (hearing != null) {
            hearing.onWritable();
        }
    }

    private BodyPace pace() {
        BodyPace known = pace;
        if (known == null) {
            known = new BodyPace(
                    connection.limits().bodies(),
                    connection.context().executor(),
                    System::nanoTime,
                    connection::bodyTooSlow);
            pace = known;
        }
        return known;
    }

    private void stopPace() {
        if (pace != null) {
            pace.stop();
        }
    }

    /** @param byClient whether it is the client that left */
    void gone(boolean byClient) {
        stopPace();
        if (finished) {
            return;
        }
        if (byClient) {
            connection.gaveUp(caller, answer != null);
        }
        finished = true;
        RequestListener hearing = listener;
        listener = null;
        if (hearing != null) {
            hearing.onGone();
        }
    }
}
