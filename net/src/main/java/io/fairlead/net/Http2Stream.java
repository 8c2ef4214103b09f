package io.fairlead.net;

import io.fairlead.http.Fields;
import io.fairlead.http.Pieces;
import io.fairlead.http.h2.ErrorCode;
import io.fairlead.http.h2.StreamEnd;
import io.fairlead.http.hpack.HpackDecoder;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One call on an {@link Http2Connection}. While the answer is not read, its body waits here; the stream's window bounds
 * it. There is a call until it has ended, failed or was cancelled.
 */
final class Http2Stream extends StreamEnd implements CallTransport {
    /** Whether pieces are on their way to the receiver. */
    private enum Delivery {
        NONE,
        UNDER_WAY
    }

    private final Http2Connection connection;
    private final Endpoint endpoint;
    private final Answer answer;
    private final Pieces waiting = new Pieces();
    private @Nullable Call call;
    private boolean requestEnded;
    private boolean answerEnded;
    private boolean reading = true;
    private Delivery delivery = Delivery.NONE;
    private int waitingBytes;
    private int toldBytes;

    Http2Stream(Call call, Http2Connection connection, Endpoint endpoint) {
        this.call = call;
        this.connection = connection;
        this.endpoint = endpoint;
        this.answer = new Answer(call);
        this.requestEnded = call.head().contentLength() == 0;
    }

    void send() {
        Call sending = call;
        if (sending == null) {
            return;
        }
        try {
            Requests.http2(connection.session(), this, sending.head(), endpoint, connection.spec());
            sending.sentOver(this);
        } catch (RuntimeException | Error e) {
            broke(e);
        }
    }

    @Override
    public void body(ByteBuf data) {
        connection.session().data(this, data);
        if (call != null && !isWritable()) {
            call.writabilityChanged(false);
        }
    }

    @Override
    public void endBody() {
        if (!requestEnded) {
            requestEnded = true;
            connection.session().end(this);
        }
    }

    @Override
    public boolean isWritable() {
        return connection.session().isWritable(this);
    }

    @Override
    public void reading(boolean on) {
        reading = on;
        handOver();
    }

    @Override
    public void abort() {
        call = null;
        giveUp();
    }

    @Override
    protected void onHead(Fields fields, boolean last) {
        if (call == null) {
            return;
        }
        int status = Integer.parseInt(fields.value(0));
        try {
            if (!answer.head(status, fields)) {
                fail(Failures.reached(Kind.PROTOCOL, endpoint + " " + answer.problem()));
            } else if (last) {
                complete();
            }
        } catch (RuntimeException | Error e) {
            broke(e);
        }
    }

    @Override
    protected void onHeadTooLarge(HpackDecoder.Excess excess) {
        fail(notHttp());
    }

    @Override
    protected void onData(ByteBuf data) {
        waitingBytes += data.readableBytes();
        waiting.add(data);
        handOver();
    }

    @Override
    protected void onEnd() {
        answerEnded = true;
        handOver();
    }

    @Override
    protected void onSent() {
        // The answer tells.
    }

    @Override
    protected void onWritable() {
        if (call != null) {
            call.writabilityChanged(true);
        }
    }

    /** NO_ERROR only means that the rest of the request is not needed (RFC 9113 section 8.1). */
    @Override
    protected void onReset(int code) {
        if (code == ErrorCode.REFUSED_STREAM.code()) {
            fail(Failures.unreached(Kind.RESET, endpoint + " refused the stream"));
        } else if (code == ErrorCode.NO_ERROR.code()) {
            fail(Failures.reached(Kind.RESET, endpoint + " ended the stream before its answer was complete"));
        } else {
            lose(Failures.reached(Kind.RESET, endpoint + " reset the stream: " + ErrorCode.text(code)));
        }
    }

    @Override
    protected void onBroken(String why) {
        lose(notHttp());
    }

    @Override
    protected void onLost() {
        Call losing = call;
        fail(connection.lossReason(losing != null && losing.awaitsAnswer()));
    }

    /**
     * Hands over what came, one piece after the other, as long as it is read. The receiver may stop and resume meanwhile, which
     * counts after each piece: the end comes after the last one was taken.
     */
    private void handOver() {
        if (delivery == Delivery.UNDER_WAY) {
            return;
        }
        delivery = Delivery.UNDER_WAY;
        try {
            while (call != null && reading) {
                ByteBuf data = waiting.poll();
                if (data == null) {
                    break;
                }
                waitingBytes -= data.readableBytes();
                connection.session().consumed(this, data.readableBytes());
                call.received(data);
            }
            tellWaiting();
            if (call == null) {
                drop();
            } else if (answerEnded && waiting.isEmpty()) {
                complete();
            }
        } catch (RuntimeException | Error e) {
            broke(e);
        } finally {
            delivery = Delivery.NONE;
        }
    }

    private void tellWaiting() {
        if (call != null && toldBytes != waitingBytes) {
            toldBytes = waitingBytes;
            waiting.settle();
            call.waiting(toldBytes);
        }
    }

    private void complete() {
        Call done = call;
        call = null;
        if (!requestEnded) {
            connection.session().reset(this, ErrorCode.CANCEL);
        }
        if (done != null) {
            try {
                done.ended();
            } catch (RuntimeException | Error e) {
                done.broke(e);
            }
        }
    }

    /** An exception of the call's receiver, which ends this call and no other. */
    private void broke(Throwable cause) {
        Call breaking = call;
        call = null;
        giveUp();
        if (breaking != null) {
            breaking.broke(cause);
        }
    }

    /** The same, which counts against the endpoint where no answer had begun. */
    private void lose(UpstreamFailure failure) {
        if (call != null && call.awaitsAnswer()) {
            endpoint.health().lost(failure);
        }
        fail(failure);
    }

    /** Ends the stream; the call gets the reason, if it is still active. */
    private void fail(UpstreamFailure failure) {
        Call failing = call;
        call = null;
        giveUp();
        if (failing != null) {
            failing.failed(failure);
        }
    }

    private void giveUp() {
        drop();
        connection.session().reset(this, ErrorCode.CANCEL);
    }

    private void drop() {
        for (ByteBuf data = waiting.poll(); data != null; data = waiting.poll()) {
            connection.session().consumed(this, data.readableBytes());
            data.release();
        }
    }

    private UpstreamFailure notHttp() {
        return Failures.reached(Kind.PROTOCOL, endpoint + " sent what is not valid HTTP");
    }
}
