package io.fairlead.gateway.listen;

import io.fairlead.http.Malformed;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.http.h1.AnswerWriter;
import io.fairlead.http.h1.RequestHead;
import io.fairlead.http.h1.RequestReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/1.1 connection and its answer. After the answer or a disconnect it does nothing more.
 *
 * <p>Its body:
 *
 * <pre>
 * HELD           - a piece is asked for -> DEMANDED
 * DEMANDED       - a piece is handed over -> HELD
 * HELD, DEMANDED - all of it was read -> COMPLETE    pieces are read unasked, and dropped, after the answer
 * COMPLETE       - the listener is told -> TOLD      at once if there is one, else when it asks
 * </pre>
 */
final class Http1Stream implements ClientStream {
    private static final int DISCARDED_BYTES_MAX = 256 * 1024;

    private enum Body {
        HELD,
        DEMANDED,
        COMPLETE,
        TOLD
    }

    private final Http1Connection connection;
    private final RequestReader reader;

    /** Null once the answer began: a watch lasts for long. */
    private @Nullable RequestHead head;

    private @Nullable Object caller;
    private @Nullable RequestListener listener;
    private @Nullable AnswerWriter answer;
    private @Nullable BodyPace pace;
    private Body body;
    private boolean continueSent;
    private boolean finished;

    /** @param reader has read the head, and reads the body next */
    Http1Stream(Http1Connection connection, RequestReader reader, RequestHead head) {
        this.connection = connection;
        this.reader = reader;
        this.head = head;
        this.body = head.contentLength() == 0 ? Body.COMPLETE : Body.HELD;
    }

    @Override
    public EventLoop eventLoop() {
        return connection.context().channel().eventLoop();
    }

    @Override
    public @Nullable CallerRefused madeBy(Object owner, Object newCaller) {
        caller = newCaller;
        connection.timers().readBy(newCaller);
        return connection.client().authenticated(owner, newCaller);
    }

    @Override
    public void answeredBy(Object newCluster) {
        connection.timers().answeredBy(newCluster);
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
        RequestHead unanswered = head;
        if (unanswered != null && unanswered.expectsContinue() && !continueSent && !isRequestComplete()) {
            continueSent = true;
            AnswerWriter.proceed(connection.output());
        }
        if (body == Body.HELD) {
            body = Body.DEMANDED;
        }
        connection.advance();
        if (isRequestComplete()) {
            tellEnd();
        } else if (body == Body.DEMANDED && !finished) {
            pace().awaiting();
        }
    }

    @Override
    public void head(int status, MutableFields headers, boolean last) {
        RequestHead request = head;
        if (finished || request == null) {
            return;
        }
        boolean mayKeepAlive =
                request.keepAlive() && !connection.isDraining() && (isRequestComplete() || restIsSmall(request));
        try {
            answer = AnswerWriter.begin(connection.output(), request, status, headers, last, mayKeepAlive);
            head = null;
        } catch (RuntimeException | Error failure) {
            connection.cannotAnswer(failure);
            return;
        }
        if (last) {
            end();
        }
    }

    /**
     * Whether to read the rest of the body rather than close the connection; a client that awaits a 100 may send none.
     */
    private boolean restIsSmall(RequestHead request) {
        return !request.expectsContinue()
                && request.contentLength() != Received.LENGTH_UNKNOWN
                && reader.bodyBytesLeft() <= DISCARDED_BYTES_MAX;
    }

    @Override
    public void data(ByteBuf data) {
        if (finished || answer == null) {
            data.release();
            return;
        }
        try {
            answer.write(connection.output(), data);
        } catch (RuntimeException | Error failure) {
            connection.cannotAnswer(failure);
            return;
        }
        connection.timers().flushed();
    }

    @Override
    public void end() {
        if (finished || answer == null) {
            return;
        }
        try {
            if (!answer.end(connection.output())) {
                abort();
                return;
            }
        } catch (RuntimeException | Error failure) {
            connection.cannotAnswer(failure);
            return;
        }
        finished = true;
        connection.timers().sourceEnded();
        listener = null;
        if (!isRequestComplete()) {
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
    public RawConnection switchProtocols(String protocol, MutableFields headers) {
        finished = true;
        listener = null;
        return connection.switchProtocols(protocol, headers);
    }

    @Override
    public void wroteToConnection() {
        connection.timers().flushed();
    }

    @Override
    public boolean isWritable() {
        return connection.context().channel().isWritable();
    }

    @Override
    public void waiting(int bytes) {
        connection.timers().waiting(bytes);
    }

    @Override
    public void waitForReader() {
        connection.timers().ignoreReader();
    }

    /** Delivers an available piece of the body on demand; returns whether there may be more to do. */
    boolean advance() throws Malformed {
        if (!wantsMore()) {
            return false;
        }
        ByteBuf piece = reader.body();
        if (reader.isBodyOver()) {
            body = Body.COMPLETE;
        }
        if (piece == null && !isRequestComplete()) {
            return false;
        }
        deliver(piece);
        return true;
    }

    private void deliver(@Nullable ByteBuf piece) {
        if (body == Body.DEMANDED) {
            body = Body.HELD;
        }
        if (isRequestComplete()) {
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
        if (isRequestComplete()) {
            tellEnd();
        }
    }

    private void tellEnd() {
        RequestListener hearing = listener;
        if (hearing != null && body == Body.COMPLETE) {
            body = Body.TOLD;
            hearing.onEnd();
        }
    }

    boolean wantsMore() {
        return body == Body.DEMANDED || (body == Body.HELD && finished);
    }

    /** Whether it is answered and its body was read completely. */
    boolean isOver() {
        return finished && isRequestComplete();
    }

    boolean isRequestComplete() {
        return body == Body.COMPLETE || body == Body.TOLD;
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
                    connection.client().limits(),
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
            connection.client().gaveUp(caller, answer != null);
        }
        finished = true;
        RequestListener hearing = listener;
        listener = null;
        if (hearing != null) {
            hearing.onGone();
        }
    }
}
