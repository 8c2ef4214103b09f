package io.fairlead.net;

import io.fairlead.http.MutableFields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One request whose answer is wanted whole, within a time and a number of bytes. A redirect is an answer like any other: it is
 * not followed. Threads: any; what it does itself runs on the exchange's event loop.
 */
public final class WholeAnswer implements ResponseReceiver {
    private static final byte[] NO_BODY = new byte[0];

    private final int bytesMax;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    /** The result. */
    public sealed interface Outcome {}

    /** A complete answer, of whatever status. */
    public record Answered(int status, byte[] body) implements Outcome {
        /** Whether the status is one of success (2xx). */
        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    /** One with a longer body than was wanted, of which nothing is kept. */
    public record TooLong(int status) implements Outcome {}

    /** None, or none in time. */
    public record Failed(UpstreamFailure failure) implements Outcome {}

    private WholeAnswer(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Sends a request without a body.
     *
     * @param timeout until the answer must be complete
     * @param bytesMax how long its body may be
     * @return completes on an event loop, never exceptionally
     */
    public static CompletableFuture<Outcome> of(
            Upstream upstream, RequestHead head, Upstream.Kind kind, Duration timeout, int bytesMax) {
        return send(upstream, head, NO_BODY, kind, timeout, bytesMax);
    }

    /** The same as a short call with a body, whose length the head has. */
    public static CompletableFuture<Outcome> of(
            Upstream upstream, RequestHead head, byte[] body, Duration timeout, int bytesMax) {
        return send(upstream, head, body, Upstream.Kind.SHORT, timeout, bytesMax);
    }

    /** Waits for one. */
    public static Outcome await(CompletableFuture<Outcome> outcome) throws InterruptedException {
        try {
            return outcome.get();
        } catch (ExecutionException never) {
            throw new IllegalStateException("a whole answer completes exceptionally", never);
        }
    }

    private static CompletableFuture<Outcome> send(
            Upstream upstream, RequestHead head, byte[] body, Upstream.Kind kind, Duration timeout, int bytesMax) {
        WholeAnswer answer = new WholeAnswer(bytesMax);
        Exchange exchange = upstream.send(head, kind, null, answer);
        if (body.length > 0) {
            exchange.write(Unpooled.wrappedBuffer(body));
            exchange.end();
        }
        ScheduledFuture<?> deadline = exchange.eventLoop()
                .schedule(
                        () -> answer.outcome.complete(new Failed(late(head.target(), timeout))),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        return answer.outcome.whenComplete((_, _) -> {
            deadline.cancel(false);
            exchange.cancel();
        });
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
                outcome.complete(new TooLong(status));
            }
        } finally {
            data.release();
        }
    }

    @Override
    public void onEnd() {
        outcome.complete(new Answered(status, body.toByteArray()));
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        outcome.complete(new Failed(failure));
    }

    private static UpstreamFailure late(String target, Duration timeout) {
        return new UpstreamFailure(
                UpstreamFailure.Kind.TIMEOUT,
                "the server did not answer " + target + " within " + timeout.toMillis() + " ms",
                true);
    }
}
