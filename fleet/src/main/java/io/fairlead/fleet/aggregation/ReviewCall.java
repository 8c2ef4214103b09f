package io.fairlead.fleet.aggregation;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** One POST of a review to a webhook, bounded in time and in bytes. A redirect is not followed. On the exchange's event loop. */
final class ReviewCall implements ResponseReceiver {
    private static final String JSON = "application/json";

    private final int bytesMax;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    /** The result. */
    sealed interface Outcome {}

    /** The body of a successful answer. */
    record Answered(byte[] body) implements Outcome {}

    /** None. */
    record Failed(String why) implements Outcome {}

    private ReviewCall(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Sends a review, and waits for the answer. */
    static Outcome send(Upstream upstream, String path, byte[] review, Duration timeout, int bytesMax)
            throws InterruptedException {
        ReviewCall call = new ReviewCall(bytesMax);
        MutableFields fields =
                new MutableFields().set(FieldName.CONTENT_TYPE, JSON).set(FieldName.ACCEPT, JSON);
        RequestHead head = new RequestHead(HttpMethod.POST, path, fields.toFields(), review.length);
        Exchange exchange = upstream.send(head, Upstream.Kind.SHORT, null, call);
        exchange.write(Unpooled.wrappedBuffer(review));
        exchange.end();
        ScheduledFuture<?> timer = null;
        try {
            timer = exchange.eventLoop()
                    .schedule(
                            () -> call.outcome.complete(
                                    new Failed("it did not answer within " + timeout.toMillis() + " ms")),
                            timeout.toNanos(),
                            TimeUnit.NANOSECONDS);
            return call.outcome.get();
        } catch (ExecutionException never) {
            throw new IllegalStateException("a review completes exceptionally", never);
        } finally {
            if (timer != null) {
                timer.cancel(false);
            }
            exchange.cancel();
        }
    }

    @Override
    public void onHead(int code, MutableFields headers) {
        status = code;
    }

    @Override
    public void onData(ByteBuf data) {
        try {
            if (body.size() + data.readableBytes() <= bytesMax) {
                body.writeBytes(ByteBufUtil.getBytes(data));
            } else {
                outcome.complete(new Failed("its answer has more than " + bytesMax + " bytes"));
            }
        } finally {
            data.release();
        }
    }

    @Override
    public void onEnd() {
        boolean isSuccess = status >= 200 && status < 300;
        outcome.complete(
                isSuccess ? new Answered(body.toByteArray()) : new Failed("it answers " + status + " (expected 200)"));
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        outcome.complete(new Failed(failure.message()));
    }
}
