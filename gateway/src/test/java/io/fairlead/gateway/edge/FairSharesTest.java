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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A tenant that sends twenty times its share of what a cluster can do, and a quiet one beside it. */
@Isolated("it measures how soon calls are answered")
class FairSharesTest {
    /** The cluster takes this for each call, and four calls at once: 20 a second, of which each of two tenants has half. */
    private static final long CALL_MILLIS = 200;

    private static final int CALLS_AT_ONCE = 4;
    private static final int NOISY_PER_SECOND = 20 * 10;
    private static final int ATTEMPTS_MAX = 3;
    private static final String PODS = "/clusters/slow/api/v1/pods";

    @Test
    void quietTenant_waitsAtMostTwiceAsLong_andOnlyTheNoisyOneIsRefused() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of(
                "limits.shortCallsPerClusterMax", CALLS_AT_ONCE, "limits.queuedBytesPerClusterMax", 64 * 1024)))) {
            FakeUpstream slow = new FakeUpstream();
            slow.answerAfter(CALL_MILLIS);
            edge.attach("slow", slow);
            List<Long> warm = quiet(edge, 2);
            assertThat(warm).isNotEmpty();

            Measured measured = Measured.of(edge);
            // What else the machine does makes calls longer, and never shorter: queues that are not fair fail each
            // time.
            for (int again = 1; again < ATTEMPTS_MAX && !measured.isFair(); again++) {
                measured = Measured.of(edge);
            }

            assertThat(measured.answers().keySet()).containsExactlyInAnyOrder(200, 429);
            assertThat(measured.answers().get(200))
                    .as("its own half, and what the other leaves")
                    .isGreaterThan(30);
            assertThat(measured.isFair()).as("%s", measured).isTrue();
        }
    }

    /** How long the quiet tenant's calls took, in ms, and how often the noisy one was answered by which code. */
    private record Measured(List<Long> alone, List<Long> beside, Map<Integer, Integer> answers) {
        static Measured of(TestEdge edge) throws Exception {
            List<Long> alone = quiet(edge, 3);
            ConcurrentMap<Integer, Integer> answers = new ConcurrentHashMap<>();
            AtomicBoolean ended = new AtomicBoolean();
            List<Long> beside;
            try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                    HttpClient client = edge.http2()) {
                Future<?> noise = threads.submit(() -> noisy(edge, client, answers, ended));
                Await.until(() ->
                        answers.getOrDefault(429, 0) > 300); // What the client loads first is not time of the server's.
                beside = quiet(edge, 6);
                ended.set(true);
                noise.get();
            }
            return new Measured(alone, beside, answers);
        }

        boolean isFair() {
            return percentile99(beside) <= 2 * percentile99(alone);
        }
    }

    /** Two connections, each with one call after another; what each took, in ms. None is refused. */
    private static List<Long> quiet(TestEdge edge, int seconds) throws Exception {
        Queue<Long> took = new ConcurrentLinkedQueue<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                callers.add(threads.submit(() -> {
                    try (RawClient client = edge.client()) {
                        client.get(PODS, TestEdge.ADMIN); // The first one has the handshake before it.
                        while (System.nanoTime() < end) {
                            long began = System.nanoTime();
                            assertThat(client.get(PODS, TestEdge.ADMIN).status())
                                    .isEqualTo(200);
                            took.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
        }
        return List.copyOf(took);
    }

    private static void noisy(
            TestEdge edge, HttpClient client, ConcurrentMap<Integer, Integer> answers, AtomicBoolean ended) {
        HttpRequest request = HttpRequest.newBuilder(edge.uri(PODS))
                .header("Authorization", TestEdge.JANE.substring("Authorization: ".length()))
                .build();
        while (!ended.get()) {
            for (int i = 0; i < NOISY_PER_SECOND / 50; i++) {
                client.sendAsync(request, BodyHandlers.discarding())
                        .thenAccept(answer -> answers.merge(answer.statusCode(), 1, Integer::sum));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static long percentile99(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        return sorted.get(sorted.size() * 99 / 100);
    }
}
