package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A cluster whose API server takes requests and answers none, and another one beside it. */
@Isolated("it measures how soon calls are answered")
class HungClusterTest {
    private static final int PAIRS = 11;

    /** Of few pairs the median is off by more than a fifth where other programs take the processors by turns. */
    private static final int PAIRS_MAX = 33;

    private static final double RATIO_MAX = 1.2;
    private static final int CALLERS = 4;
    private static final int CALLS_OF_EACH = 250;
    private static final long CALL_MILLIS = 2;
    private static final int HUNG_AT_ONCE = 20;
    private static final int HUNG_PER_SECOND = 50;
    private static final String HEALTHY = "/clusters/healthy/api/v1/pods";
    private static final String HUNG = "/clusters/hung/api/v1/pods";

    /** Each time without and with calls to the hung cluster are neighbours: what else the machine does falls on both. */
    @Test
    @Timeout(120)
    void othersAreAnswered_asSoonAsWithoutIt() throws Exception {
        try (TestEdge edge = new TestEdge(
                Limited.by(Map.of("limits.shortCallsPerClusterMax", HUNG_AT_ONCE, "limits.queueWait", "500ms")))) {
            FakeUpstream healthy = new FakeUpstream();
            healthy.answerAfter(CALL_MILLIS);
            edge.attach("healthy", healthy);
            edge.attach("hung", new FakeUpstream());
            percentile99OfMicros(edge);
            List<Double> ratios = new ArrayList<>();

            while (ratios.size() < PAIRS || (ratios.size() < PAIRS_MAX && median(ratios) >= RATIO_MAX)) {
                long without = percentile99OfMicros(edge);
                ratios.add((double) besideHung(edge) / without);
            }

            assertThat(median(ratios)).as("the median of %s", ratios).isLessThan(RATIO_MAX);
        }
    }

    private static double median(List<Double> ratios) {
        return ratios.stream().sorted().toList().get(ratios.size() / 2);
    }

    /** The same while all shares of the hung cluster are taken, and more of its calls wait and are refused. */
    private static long besideHung(TestEdge edge) throws Exception {
        AtomicInteger refused = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient hung = edge.http2()) {
            Future<?> calls = threads.submit(() -> callHung(edge, hung, refused, ended));
            try {
                Await.until(() -> refused.get() > 10);
                return percentile99OfMicros(edge);
            } finally {
                ended.set(true);
                calls.get();
                hung.shutdownNow();
            }
        }
    }

    /** Each caller sends one call after another. */
    private static long percentile99OfMicros(TestEdge edge) throws Exception {
        Queue<Long> took = new ConcurrentLinkedQueue<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(threads.submit(() -> {
                    call(edge, took);
                    return null;
                }));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
        }
        List<Long> sorted = took.stream().sorted().toList();
        return sorted.get(sorted.size() * 99 / 100);
    }

    private static void call(TestEdge edge, Queue<Long> took) throws Exception {
        try (RawClient client = edge.client()) {
            client.get(HEALTHY, TestEdge.ADMIN); // The first one has the handshake before it.
            for (int i = 0; i < CALLS_OF_EACH; i++) {
                long began = System.nanoTime();
                assertThat(client.get(HEALTHY, TestEdge.ADMIN).status()).isEqualTo(200);
                took.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began));
            }
        }
    }

    private static void callHung(TestEdge edge, HttpClient client, AtomicInteger refused, AtomicBoolean ended) {
        HttpRequest request = HttpRequest.newBuilder(edge.uri(HUNG))
                .header("Authorization", TestEdge.JANE.substring("Authorization: ".length()))
                .build();
        while (!ended.get()) {
            client.sendAsync(request, BodyHandlers.discarding()).thenAccept(answer -> {
                if (answer.statusCode() == 429) {
                    refused.incrementAndGet();
                }
            });
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) / HUNG_PER_SECOND);
        }
    }
}
