package io.fairlead.net;

import io.fairlead.http.MutableFields;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer, from {@link Upstream#send} to the last callback.
 *
 * <pre>
 * WAITING       - a connection is there -> SENT     the body so far follows
 *               - no server was reached -> WAITING_AGAIN
 * SENT          - did not reach the server -> WAITING_AGAIN
 *               - a piece of the body is gone, the answer began -> BOUND
 * WAITING_AGAIN - a connection is there -> BOUND
 * BOUND         - from here on every failure is final
 * any           - answer ended, failed, cancelled -> DONE
 * </pre>
 *
 * <p>There is a connection in SENT and BOUND alone. All fields but {@code writable} belong to the event loop.
 *
 * <p>What is thrown here or by the receiver, an {@link Error} as well, ends this call alone; an event loop would only log it.
 */
final class Call implements Exchange, Answer.Sink {
    /** Decides whether a request that did not reach the server is sent again, and sends it. */
    interface Resend {
        boolean again(Call call, UpstreamFailure failure);
    }

    private enum State {
        WAITING,
        SENT,
        WAITING_AGAIN,
        BOUND,
        DONE
    }

    private final EventLoop loop;
    private final Upstream.Kind kind;
    private final ResponseReceiver receiver;
    private final Resend resend;
    private final RequestBody body;

    /** Null once the answer began: the request is not sent again, and a watch lasts for long. */
    private @Nullable RequestHead head;

    private State state = State.WAITING;
    private @Nullable EndpointPool lane;
    private @Nullable Endpoint endpoint;
    private @Nullable CallTransport wire;
    private boolean starting = true;
    private boolean reading = true;
    private volatile boolean writable = true;

    private @Nullable FirstByteWait firstByteWait;
    private long lastSentNanos;

    /** When it is due in {@link FirstByteWait}, and its neighbours there. */
    long dueNanos;

    @Nullable
    Call dueBefore;

    @Nullable
    Call dueAfter;

    Call(EventLoop loop, RequestHead head, Upstream.Kind kind, ResponseReceiver receiver, Resend resend) {
        this.loop = loop;
        this.head = head;
        this.kind = kind;
        this.receiver = receiver;
        this.resend = resend;
        this.body = new RequestBody(head.contentLength());
    }

    @Override
    public EventLoop eventLoop() {
        return loop;
    }

    @Override
    public void write(ByteBuf data) {
        try {
            run(() -> writeNow(data));
        } catch (RejectedExecutionException e) {
            data.release();
            throw e;
        }
    }

    @Override
    public void end() {
        run(this::endNow);
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void reading(boolean on) {
        run(() -> {
            reading = on;
            if (wire != null) {
                wire.reading(on);
            }
        });
    }

    @Override
    public void cancel() {
        run(() -> {
            if (state != State.DONE) {
                abandon();
            }
        });
    }

    /** What is sent, as long as no answer has begun. */
    RequestHead head() {
        return Objects.requireNonNull(head, "the answer has begun");
    }

    Upstream.Kind kind() {
        return kind;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /** Whether it was sent and no answer has begun. */
    boolean awaitsAnswer() {
        return isSent() && head != null;
    }

    /** The endpoint that it waited for last; null if it waited for none. */
    @Nullable
    Endpoint endpoint() {
        return endpoint;
    }

    /** Whether all of the request has been given. */
    boolean isBodyEnded() {
        return body.isEnded();
    }

    /**
     * The caller has returned from {@code send}: callbacks may be direct from here on.
     *
     * @param wait bounds the wait for the answer's first byte; null if nothing does
     */
    void started(@Nullable FirstByteWait wait) {
        starting = false;
        lastSentNanos = System.nanoTime();
        if (wait != null && state != State.DONE) {
            firstByteWait = wait;
            wait.add(this, lastSentNanos);
        }
    }

    void waitsIn(EndpointPool lane) {
        this.lane = lane;
        this.endpoint = lane.endpoint();
    }

    /** The head is being sent; the body follows. */
    void sentOver(CallTransport wire) {
        if (state == State.DONE) {
            wire.abort();
            return;
        }
        state = state == State.WAITING ? State.SENT : State.BOUND;
        lane = null;
        this.wire = wire;
        if (!reading) {
            wire.reading(false);
        }
        for (ByteBuf data = body.take(); data != null; data = body.take()) {
            state = State.BOUND;
            wire.body(data);
        }
        if (body.isEnded()) {
            wire.endBody();
        }
        setWritable(wire.isWritable());
    }

    void writabilityChanged(boolean nowWritable) {
        if (isSent()) {
            setWritable(nowWritable);
        }
    }

    @Override
    public void answered(int status, MutableFields headers) {
        if (state != State.DONE) {
            state = State.BOUND;
            head = null;
            stopTimer();
            if (endpoint != null) {
                endpoint.health().answered();
            }
            receiver.onHead(status, headers);
        }
    }

    /** A piece of the body, which it owns. */
    void received(ByteBuf data) {
        if (state == State.DONE) {
            data.release();
        } else {
            receiver.onData(data);
        }
    }

    void waiting(int bytes) {
        if (state != State.DONE) {
            receiver.onWaiting(bytes);
        }
    }

    void ended() {
        if (state != State.DONE) {
            finish();
            receiver.onEnd();
        }
    }

    void failed(UpstreamFailure failure) {
        if (state == State.DONE) {
            return;
        }
        if (!failure.requestReached() && (state == State.WAITING || state == State.SENT)) {
            state = State.WAITING_AGAIN;
            wire = null;
            if (isSentAgain(failure)) {
                return;
            }
        }
        finish();
        tell(failure);
    }

    /** Ends the call after an exception that nothing else handles. */
    void broke(Throwable cause) {
        CallBreakdowns.tell("Broke off a request", cause);
        if (state != State.DONE) {
            UpstreamFailure failure = Failures.brokenHere("the request", cause);
            try {
                abandon();
            } finally {
                tell(failure);
            }
        }
    }

    private boolean isSentAgain(UpstreamFailure failure) {
        try {
            return resend.again(this, failure);
        } catch (RuntimeException | Error e) {
            CallBreakdowns.tell("Failed to send a request again", e);
            return false;
        }
    }

    private void tell(UpstreamFailure failure) {
        if (starting) {
            loop.execute(() -> receiver.onFailure(failure));
        } else {
            CallBreakdowns.guard("Failed to tell that a request failed", () -> receiver.onFailure(failure));
        }
    }

    private boolean isSent() {
        return state == State.SENT || state == State.BOUND;
    }

    private void writeNow(ByteBuf data) {
        if (state == State.DONE || !data.isReadable()) {
            data.release();
            return;
        }
        if (!body.takes(data.readableBytes())) {
            data.release();
            failHere("the request's body is longer than its declared " + body.length() + " bytes");
            return;
        }
        lastSentNanos = System.nanoTime();
        if (wire == null) {
            setWritable(body.hold(data));
        } else {
            state = State.BOUND;
            wire.body(data);
        }
    }

    private void endNow() {
        if (state == State.DONE || body.isEnded()) {
            return;
        }
        if (body.left() > 0) {
            failHere("the request's body ended " + body.left() + " bytes short of its declared " + body.length());
            return;
        }
        body.end();
        lastSentNanos = System.nanoTime();
        if (wire != null) {
            wire.endBody();
        }
    }

    /**
     * The time since the call began is over.
     *
     * @param timeout what the server has after the last piece of the request
     */
    void firstByteIsDue(FirstByteWait wait, Duration timeout) {
        if (lastSentNanos + timeout.toNanos() - System.nanoTime() > 0) {
            wait.add(this, lastSentNanos);
            return;
        }
        firstByteWait = null;
        String within = " within " + Failures.seconds(timeout);
        UpstreamFailure failure = isSent()
                ? Failures.reached(Kind.TIMEOUT, endpoint + " did not begin to answer" + within)
                : Failures.unreached(Kind.TIMEOUT, "there was no free connection to " + endpoint + within);
        if (failure.requestReached() && endpoint != null) {
            endpoint.health().lost(failure);
        }
        abandon();
        tell(failure);
    }

    private void failHere(String message) {
        UpstreamFailure failure = new UpstreamFailure(Kind.PROTOCOL, message, isSent());
        abandon();
        tell(failure);
    }

    /** Leaves the queue or aborts the transport; no further callbacks. */
    private void abandon() {
        EndpointPool queue = lane;
        CallTransport sent = wire;
        finish();
        if (queue != null) {
            queue.forget(this);
        }
        if (sent != null) {
            sent.abort();
        }
    }

    private void finish() {
        state = State.DONE;
        lane = null;
        wire = null;
        stopTimer();
        body.drop();
    }

    private void stopTimer() {
        FirstByteWait wait = firstByteWait;
        if (wait != null) {
            firstByteWait = null;
            wait.remove(this);
        }
    }

    private void setWritable(boolean nowWritable) {
        if (writable != nowWritable) {
            writable = nowWritable;
            if (!starting) {
                receiver.onWritabilityChanged(nowWritable);
            }
        }
    }

    private void run(Runnable action) {
        if (loop.inEventLoop()) {
            guard(action);
        } else {
            loop.execute(() -> guard(action));
        }
    }

    private void guard(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            broke(e);
        }
    }
}
