package io.fairlead.fleet.informers;

import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an attached cluster as a virtual thread reads it: piece by piece, while back-pressure holds what is more
 * than 32 KiB ahead of the reader.
 *
 * <p>Threads: pieces come on the exchange's event loop, and are read by one thread.
 */
final class AttachedAnswer implements ResponseReceiver, AutoCloseable {
    private static final long AHEAD_BYTES_MAX = 32L * 1024;

    private final CompletableFuture<Exchange> exchange = new CompletableFuture<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final AtomicLong aheadBytes = new AtomicLong();
    private int status;
    private boolean isOver;

    /** What the event loop hands over. */
    private sealed interface Event {
        record Head(int status) implements Event {}

        record Piece(byte[] bytes) implements Event {}

        record End() implements Event {}

        record Failed(UpstreamFailure failure) implements Event {}
    }

    private AttachedAnswer() {}

    /** Sends a request, and waits for the head of its answer. */
    static AttachedAnswer to(
            RequestHead head, byte @Nullable [] body, Upstream upstream, Upstream.Kind kind, Duration timeout)
            throws CallFailure, InterruptedException {
        AttachedAnswer answer = new AttachedAnswer();
        Exchange sent = upstream.send(head, kind, null, answer);
        answer.exchange.complete(sent);
        if (body != null) {
            sent.write(Unpooled.wrappedBuffer(body));
            sent.end();
        }
        try {
            if (answer.take(timeout) instanceof Event.Head(int status)) {
                answer.status = status;
                return answer;
            }
            throw new CallFailure(0, "UnexpectedAnswer", "its API server answers without a head");
        } catch (CallFailure | InterruptedException | RuntimeException failure) {
            answer.close();
            throw failure;
        }
    }

    int status() {
        return status;
    }

    /** The next piece of the body; null at its end. */
    byte @Nullable [] next(Duration timeout) throws CallFailure, InterruptedException {
        if (isOver) {
            return null;
        }
        return switch (take(timeout)) {
            case Event.Piece(byte[] bytes) -> bytes;
            case Event.End _, Event.Head _ -> {
                isOver = true;
                yield null;
            }
            case Event.Failed(UpstreamFailure failure) -> throw failure(failure);
        };
    }

    /** Lets go of the exchange, and ends the read of another thread. */
    @Override
    public void close() {
        exchange.thenAccept(Exchange::cancel);
        events.add(new Event.End());
    }

    @Override
    public void onHead(int code, MutableFields headers) {
        events.add(new Event.Head(code));
    }

    @Override
    public void onData(ByteBuf data) {
        byte[] bytes = ByteBufUtil.getBytes(data);
        data.release();
        events.add(new Event.Piece(bytes));
        if (aheadBytes.addAndGet(bytes.length) > AHEAD_BYTES_MAX) {
            exchange.thenAccept(running -> running.reading(false));
        }
    }

    @Override
    public void onEnd() {
        events.add(new Event.End());
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        events.add(new Event.Failed(failure));
    }

    private Event take(Duration timeout) throws CallFailure, InterruptedException {
        Event event = events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        switch (event) {
            case null ->
                throw new CallFailure(0, "Timeout", "its API server was silent for " + timeout.toSeconds() + " s");
            case Event.Piece(byte[] bytes) -> {
                long ahead = aheadBytes.addAndGet(-bytes.length);
                if (ahead <= AHEAD_BYTES_MAX && ahead + bytes.length > AHEAD_BYTES_MAX) {
                    exchange.thenAccept(running -> running.reading(true));
                }
            }
            case Event.Failed(UpstreamFailure failure) -> throw failure(failure);
            case Event.Head _, Event.End _ -> {}
        }
        return event;
    }

    private static CallFailure failure(UpstreamFailure failure) {
        return new CallFailure(0, "ConnectionFailed", failure.withoutAddress());
    }
}
