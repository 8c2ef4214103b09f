package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives one answer and passes its body on by demand: one batch for each {@link AsyncBody#consume()}, while the
 * transport's back-pressure holds the rest. A watch is read at a {@linkplain WatchPace bounded pace}.
 *
 * <pre>
 * AWAITED - the head of a watch -> WATCHING    it may be silent for as long as it likes
 *         - any other head -> READING
 * any     - all came, failed, stalled, too much, cancelled -> OVER    what came before is still handed over
 * </pre>
 *
 * <p>Threads: the answer arrives on the event loop, to which all fields except the futures are confined; everything
 * that fabric8 runs is called on serial tasks, so that no parsing happens there.
 */
final class BodyReader implements ResponseReceiver, AsyncBody {
    private static final QueryParameter WATCHED_FROM = new QueryParameter("resourceVersion");

    private enum State {
        AWAITED,
        READING,
        WATCHING,
        OVER
    }

    private final StandardHttpRequest request;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final NettyHttpClientFactory factory;
    private final ListLimiter.@Nullable Turn turn;
    private final SerialTasks callbacks;
    private final CompletableFuture<HttpResponse<AsyncBody>> response = new CompletableFuture<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final CompletableFuture<Exchange> exchange = new CompletableFuture<>();

    private final Utf8Cut cut = new Utf8Cut();
    private List<ByteBuffer> ready = new ArrayList<>();
    private State state = State.AWAITED;
    private boolean wanted;
    /** Whether reading pauses until the list has a permit again, or a watch that brings too much has paused for long enough. */
    private boolean paused;

    private @Nullable UpstreamFailure problem;
    private long bytesSeen;
    private long lineBytes;
    private long lastProgressNanos = System.nanoTime();
    private @Nullable ScheduledFuture<?> stallTimer;

    /** @param turn the permit of the answer's list, null if it belongs to none */
    BodyReader(
            StandardHttpRequest request,
            AsyncBody.Consumer<List<ByteBuffer>> consumer,
            NettyHttpClientFactory factory,
            ListLimiter.@Nullable Turn turn) {
        this.request = request;
        this.consumer = consumer;
        this.factory = factory;
        this.turn = turn;
        this.callbacks = new SerialTasks(factory.executor());
    }

    void attach(Exchange started) {
        exchange.complete(started);
        onLoop(this::watchForStalls);
        response.whenComplete((answer, problem) -> {
            if (response.isCancelled()) {
                cancel();
            }
        });
    }

    /** The request was never sent: its list was cancelled. */
    void drop() {
        finish(new UpstreamFailure(UpstreamFailure.Kind.CLOSED, "the list of " + path() + " was given up", false));
    }

    CompletableFuture<HttpResponse<AsyncBody>> response() {
        return response;
    }

    @Override
    public void onHead(int status, MutableFields headers) {
        if (state == State.OVER) {
            return;
        }
        boolean watches = request.isForStreaming() && HttpResponse.isSuccessful(status);
        state = watches ? State.WATCHING : State.READING;
        lastProgressNanos = System.nanoTime();
        onLoop(running -> running.reading(wanted));
        if (watches) {
            factory.watches().stands(path());
            callbacks.execute(() -> factory.watches()
                    .opened(path(), WATCHED_FROM.of(request.uri().getRawQuery())));
        }
        StreamedResponse answer = StreamedResponse.of(status, headers, this, request);
        callbacks.execute(() -> response.complete(answer));
    }

    @Override
    public void onData(ByteBuf data) {
        lastProgressNanos = System.nanoTime();
        bytesSeen += data.readableBytes();
        heard();
        if (isTooMuch(data)) {
            data.release();
            return;
        }
        byte[] bytes = ByteBufUtil.getBytes(data);
        cut.add(bytes, ready);
        data.release();
        if (!mayReadOn(bytes.length) || !isInPace(bytes)) {
            return;
        }
        if (wanted) {
            handOver();
        } else {
            onLoop(running -> running.reading(wanted));
        }
    }

    @Override
    public void onEnd() {
        heard();
        finish(null);
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        finish(failure);
    }

    @Override
    public void consume() {
        onLoop(running -> {
            if (!ready.isEmpty()) {
                handOver();
            } else if (state == State.OVER) {
                tellEnd();
            } else {
                wanted = true;
                lastProgressNanos = System.nanoTime();
                running.reading(!paused);
            }
        });
    }

    @Override
    public CompletableFuture<Void> done() {
        return done;
    }

    @Override
    public void cancel() {
        onLoop(this::stop);
        done.cancel(false);
    }

    private void stop(Exchange running) {
        running.cancel();
        ready = new ArrayList<>();
        if (state != State.OVER) {
            over(false);
        }
    }

    private String path() {
        return request.uri().getRawPath();
    }

    /** An aborted answer gives no freshness: it may have been silent for long. */
    private void heard() {
        if (state == State.WATCHING) {
            factory.watches().heard(path());
        }
    }

    private boolean mayReadOn(int count) {
        if (turn == null) {
            return true;
        }
        return switch (turn.arrived(count)) {
            case NOW -> true;
            case LATER -> {
                awaitPlace(turn);
                yield false;
            }
            case NEVER -> {
                onLoop(this::stop);
                callbacks.execute(() -> done.cancel(false));
                yield false;
            }
        };
    }

    private void awaitPlace(ListLimiter.Turn turn) {
        if (!paused) {
            paused = true;
            onLoop(running -> running.reading(false));
            turn.whenPlaced(() -> onLoop(this::readOn));
        }
    }

    private boolean isInPace(byte[] bytes) {
        if (state != State.WATCHING) {
            return true;
        }
        long pauseNanos = factory.limits().watchPace().pauseAfter(bytes, System.nanoTime());
        if (pauseNanos > 0 && !paused) {
            paused = true;
            onLoop(running -> {
                running.reading(false);
                var _ = running.eventLoop().schedule(() -> readOn(running), pauseNanos, TimeUnit.NANOSECONDS);
            });
        }
        return !paused;
    }

    private void readOn(Exchange running) {
        paused = false;
        lastProgressNanos = System.nanoTime();
        if (state == State.OVER || !mayReadOn(0) || !wanted) {
            return;
        }
        if (ready.isEmpty()) {
            running.reading(true);
        } else {
            handOver();
        }
    }

    private boolean isTooMuch(ByteBuf data) {
        AnswerLimits limits = factory.limits().answers();
        if (!request.isForStreaming()) {
            long ofList = turn == null ? bytesSeen : turn.read(data.readableBytes());
            return (bytesSeen > limits.pageBytesMax()
                            && tooMuch(
                                    "an answer of more than " + limits.pageBytesMax() + " bytes",
                                    AnswerLimits.PAGE_BYTES))
                    || (ofList > limits.listBytesMax()
                            && tooMuch(
                                    "a list of more than " + limits.listBytesMax() + " bytes",
                                    AnswerLimits.LIST_BYTES));
        }
        int newline = data.indexOf(data.writerIndex(), data.readerIndex(), (byte) '\n');
        lineBytes = newline < 0 ? lineBytes + data.readableBytes() : data.writerIndex() - newline - 1L;
        if (lineBytes <= limits.eventBytesMax()) {
            return false;
        }
        factory.limits().reached(AnswerLimits.EVENT_BYTES);
        return refuse("a watch event of more than " + limits.eventBytesMax() + " bytes");
    }

    /** The received part of the answer is dropped, and no more is expected. */
    private boolean tooMuch(String what, String key) {
        factory.limits().reached(key);
        TooMuchException problem = new TooMuchException("the cluster sends " + what + " for " + path());
        onLoop(this::stop);
        callbacks.execute(() -> {
            response.completeExceptionally(problem);
            done.completeExceptionally(problem);
        });
        return true;
    }

    private boolean refuse(String what) {
        onLoop(Exchange::cancel);
        finish(new UpstreamFailure(UpstreamFailure.Kind.PROTOCOL, what + " for " + path(), true));
        return true;
    }

    private void handOver() {
        wanted = false;
        List<ByteBuffer> batch = ready;
        ready = new ArrayList<>();
        callbacks.execute(() -> {
            try {
                consumer.consume(batch, this);
            } catch (Throwable e) { // an Error ends this answer; otherwise its caller would wait for ever
                done.completeExceptionally(e);
                cancel();
            }
        });
    }

    private void finish(@Nullable UpstreamFailure failure) {
        if (state == State.OVER) {
            return;
        }
        problem = failure;
        over(failure == null);
        cut.end(ready);
        if (failure != null) {
            UpstreamException exception = new UpstreamException(failure);
            callbacks.execute(() -> response.completeExceptionally(exception));
        }
        if (ready.isEmpty()) {
            tellEnd();
        } else if (wanted) {
            handOver();
        }
    }

    private void tellEnd() {
        UpstreamFailure failure = problem;
        callbacks.execute(() -> {
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(new UpstreamException(failure));
            }
        });
    }

    private void over(boolean orderly) {
        boolean watched = state == State.WATCHING;
        state = State.OVER;
        if (turn != null) {
            turn.answered();
        }
        if (stallTimer != null) {
            stallTimer.cancel(false);
        }
        if (request.isForStreaming()) {
            factory.watches().ended(path(), watched, watched && orderly);
        }
        if (watched) {
            callbacks.execute(() -> factory.watches().closed(path()));
        }
    }

    /** An established watch may be silent without limit; any other answer that stops would be waited for for ever. */
    private void watchForStalls(Exchange running) {
        if (state != State.OVER && stallTimer == null) {
            lastProgressNanos = System.nanoTime();
            judgeStallIn(running, factory.limits().stallTimeout().toNanos());
        }
    }

    private void judgeStallIn(Exchange running, long nanos) {
        stallTimer = running.eventLoop().schedule(() -> judgeStall(running), nanos, TimeUnit.NANOSECONDS);
    }

    private void judgeStall(Exchange running) {
        long left = factory.limits().stallTimeout().toNanos() - (System.nanoTime() - lastProgressNanos);
        if (state == State.OVER || state == State.WATCHING) {
            return;
        }
        boolean waits = state == State.AWAITED || (wanted && !paused);
        if (left > 0 || !waits) {
            judgeStallIn(running, Math.max(left, TimeUnit.SECONDS.toNanos(1)));
            return;
        }
        running.cancel();
        finish(new UpstreamFailure(
                UpstreamFailure.Kind.TIMEOUT,
                "the answer to " + path() + " made no progress for "
                        + factory.limits().stallTimeout().toSeconds() + " s",
                true));
    }

    private void onLoop(java.util.function.Consumer<Exchange> action) {
        exchange.thenAccept(running -> {
            if (running.eventLoop().inEventLoop()) {
                action.accept(running);
            } else {
                running.eventLoop().execute(() -> action.accept(running));
            }
        });
    }
}
