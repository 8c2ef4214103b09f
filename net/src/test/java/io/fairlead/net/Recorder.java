package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Hears an answer and keeps it. */
final class Recorder implements ResponseReceiver {
    private static final long PATIENCE_SECONDS = 20;

    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final CompletableFuture<UpstreamFailure> failure = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong waitingBytes = new AtomicLong();
    private volatile Fields headers = Fields.EMPTY;
    private volatile @Nullable String over;

    @Override
    public void onHead(int code, MutableFields received) {
        expectOpen("onHead");
        headers = received.toFields();
        status.complete(code);
    }

    @Override
    public void onData(ByteBuf data) {
        expectOpen("onData");
        bytes.addAndGet(data.readableBytes());
        synchronized (text) {
            text.append(data.toString(StandardCharsets.UTF_8));
        }
        data.release();
    }

    @Override
    public void onWaiting(int count) {
        expectOpen("onWaiting");
        waitingBytes.set(count);
    }

    @Override
    public void onEnd() {
        expectOpen("onEnd");
        over = "onEnd";
        body.complete(soFar());
    }

    @Override
    public void onFailure(UpstreamFailure why) {
        expectOpen("onFailure");
        over = "onFailure";
        failure.complete(why);
        IllegalStateException problem = new IllegalStateException(why.toString());
        status.completeExceptionally(problem);
        body.completeExceptionally(problem);
    }

    int status() {
        return await(status);
    }

    String body() {
        return await(body);
    }

    UpstreamFailure failure() {
        return await(failure);
    }

    Fields headers() {
        return headers;
    }

    String soFar() {
        synchronized (text) {
            return text.toString();
        }
    }

    boolean hasHead() {
        return status.isDone() && !status.isCompletedExceptionally();
    }

    /** Whether the answer came to its end. */
    boolean isComplete() {
        return "onEnd".equals(over);
    }

    boolean isOver() {
        return over != null;
    }

    /** Waits, in bounded steps, for a fact that no callback tells. */
    static void eventually(java.util.function.BooleanSupplier fact) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!fact.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("waited for %s s", PATIENCE_SECONDS)
                    .isLessThan(deadline);

            LockSupport.parkNanos(1_000_000);
        }
    }

    private void expectOpen(String callback) {
        if (over != null) {
            throw new IllegalStateException(callback + " after " + over);
        }
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("nothing was heard", e);
        }
    }
}
