package io.fairlead.gateway.tracing;

import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends spans to a collector: OTLP over HTTP, as protobuf. A collector that is down delays no request: an export is tried a few
 * times, what comes meanwhile waits within its limit, and what finds no room is counted and forgotten.
 *
 * <p>Threads: any; only {@link #close} blocks, for a limited time.
 */
public final class SpanExport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpanExport.class);

    /** Below the URL of a collector (OpenTelemetry, "OTLP exporter"). */
    private static final String PATH = "/v1/traces";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration END_WAIT = Duration.ofSeconds(2);
    private static final int ATTEMPTS_MAX = 5;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final URI collector;
    private final Spans.Origin origin;
    private final TraceMetrics metrics;
    private final SpanQueue queue;
    private final HttpClient http;
    private final Supervised work;
    private final Repetitions failures = new Repetitions();
    private final CountDownLatch drained = new CountDownLatch(1);

    /** What came of an attempt. */
    private sealed interface Attempt {
        record Taken() implements Attempt {}

        record Refused(String problem) implements Attempt {}

        /** Another attempt may succeed (OTLP, "OTLP/HTTP Response": these codes, and no answer). */
        record Again(String problem) implements Attempt {}
    }

    private SpanExport(
            URI collector, Spans.Origin origin, int bytesMax, TraceMetrics metrics, Supervised.Witness witness) {
        this.collector = collector;
        this.origin = origin;
        this.metrics = metrics;
        this.queue = new SpanQueue(bytesMax);
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        this.work = new Supervised("trace-export", Thread.ofPlatform().daemon(), this::export, witness);
    }

    /**
     * Begins to send.
     *
     * @param endpoint the URL of the collector
     * @param version of this program
     * @param instance a name that no other process has
     * @param bytesMax of the spans that wait
     * @param witness is told of an Error that interrupts the sending
     */
    public static SpanExport start(
            String endpoint,
            String version,
            String instance,
            int bytesMax,
            TraceMetrics metrics,
            Supervised.Witness witness) {
        URI collector =
                URI.create((endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint) + PATH);
        SpanExport export = new SpanExport(collector, new Spans.Origin(version, instance), bytesMax, metrics, witness);
        export.work.start();
        return export;
    }

    /** The thread that sends. */
    public Supervised work() {
        return work;
    }

    /** The bytes of spans that wait. */
    public int queuedBytes() {
        return queue.bytes();
    }

    /** Sends these soon, or drops them. */
    void add(Spans spans) {
        if (!queue.offer(spans)) {
            metrics.dropped(spans.count());
        }
    }

    /** Sends what waits, for a limited time. */
    @Override
    public void close() {
        queue.close();
        try {
            var _ = drained.await(END_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        work.close(END_WAIT);
        http.shutdownNow();
    }

    private void export() throws InterruptedException {
        for (List<Spans> batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
            deliver(batch);
        }
        drained.countDown();
        work.pause(Duration.ofDays(1)); // Its end comes from outside.
    }

    private void deliver(List<Spans> batch) throws InterruptedException {
        int count = batch.stream().mapToInt(Spans::count).sum();
        byte[] body = Spans.request(batch, origin);
        Attempt last = attempt(body);
        long pauseNanos = FIRST_PAUSE_NANOS;
        for (int left = ATTEMPTS_MAX - 1; left > 0 && last instanceof Attempt.Again(String problem); left--) {
            tell(problem);
            if (!queue.pause(pauseNanos)) {
                break; // The end has come, and with it the last attempt.
            }
            pauseNanos *= 2;
            last = attempt(body);
        }
        switch (last) {
            case Attempt.Taken() -> metrics.sent(count);
            case Attempt.Again(String problem) -> fail(problem, count);
            case Attempt.Refused(String problem) -> fail(problem, count);
        }
    }

    private void fail(String problem, int count) {
        metrics.failed(count);
        tell(problem);
    }

    private void tell(String problem) {
        failures.next("export")
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("collector", collector)
                        .addKeyValue("problem", problem)
                        .addKeyValue("leftOut", leftOut)
                        .log("Spans cannot be sent"));
    }

    /** The whole answer has a time limit, as the request has; its body says nothing that is needed. */
    private Attempt attempt(byte[] body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(collector)
                .header("Content-Type", "application/x-protobuf")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        CompletableFuture<HttpResponse<Void>> answer = http.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            return judged(
                    answer.get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).statusCode());
        } catch (TimeoutException slow) {
            return new Attempt.Again("no answer in " + ANSWER_TIMEOUT.toSeconds() + " seconds");
        } catch (ExecutionException failed) {
            Throwable why = failed.getCause();
            return new Attempt.Again(why instanceof IOException ? String.valueOf(why) : "broken: " + why);
        } finally {
            answer.cancel(true);
        }
    }

    private static Attempt judged(int status) {
        return switch (status) {
            case 200 -> new Attempt.Taken();
            case 429, 502, 503, 504 -> new Attempt.Again("it answers " + status);
            default -> new Attempt.Refused("it answers " + status);
        };
    }
}
