package io.fairlead.ittests;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a steady rate until they are stopped, by turns over HTTP/1.1 and HTTP/2, each fifth of which writes. A machine that is
 * too slow for the rate has fewer: no more than some wait for their answers at once.
 */
final class SteadyRequests implements AutoCloseable {
    private static final int AT_ONCE_MAX = 32;
    private static final int WRITES_EVERY = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String CONFIG_MAP =
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"steady-\"}}";

    private final List<HttpProbe> probes;
    private final String collection;
    private final String object;
    private final long pauseNanos;
    private final Semaphore room = new Semaphore(AT_ONCE_MAX);
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicLong slowestNanos = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
    private final long beganNanos = System.nanoTime();
    private volatile boolean stopped;

    private SteadyRequests(List<HttpProbe> probes, String collection, String object, int perSecond) {
        this.probes = probes;
        this.collection = collection;
        this.object = object;
        this.pauseNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    }

    /** Begins to ask for config maps, of which nothing is stored. */
    static SteadyRequests start(String server, String token, String collection, int perSecond) {
        return start(server, token, collection, CONFIG_MAP, perSecond);
    }

    /**
     * Begins to ask for objects, of which nothing is stored.
     *
     * @param object JSON of one of them
     */
    static SteadyRequests start(String server, String token, String collection, String object, int perSecond) {
        var requests = new SteadyRequests(
                List.of(HttpProbe.withToken(server, token), HttpProbe.overHttp2(server, token)),
                collection,
                object,
                perSecond);
        requests.senders.execute(requests::run);
        return requests;
    }

    /** How many were answered as they should be. */
    int answered() {
        return answered.get();
    }

    /** How many of them a second, since the first was sent. */
    double rate() {
        return answered.get()
                / ((System.nanoTime() - beganNanos)
                        / (double) Duration.ofSeconds(1).toNanos());
    }

    /** What was answered otherwise. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** The longest that one took. */
    Duration slowest() {
        return Duration.ofNanos(slowestNanos.get());
    }

    /** Sends no more, and returns when all that were sent are answered. */
    void stop() {
        stopped = true;
        Await.until("all requests are answered", PATIENCE, () -> room.availablePermits() == AT_ONCE_MAX);
    }

    @Override
    public void close() {
        stopped = true;
        senders.shutdownNow();
        probes.forEach(HttpProbe::close);
        senders.close();
    }

    private void run() {
        long next = System.nanoTime();
        for (int number = 0; !stopped; number++) {
            room.acquireUninterruptibly();
            int turn = number;
            senders.execute(() -> send(turn));
            next = Math.max(next + pauseNanos, System.nanoTime() - pauseNanos);
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    private void send(int turn) {
        long beganNanos = System.nanoTime();
        try {
            HttpProbe probe = probes.get(turn % probes.size());
            boolean writes = turn % WRITES_EVERY == 0;
            HttpProbe.Answer answer = writes
                    ? probe.send("POST", collection + "?dryRun=All", "application/json", object)
                    : probe.get(collection + "?limit=1");
            if (answer.status() == (writes ? 201 : 200)) {
                answered.incrementAndGet();
            } else {
                failures.add(answer.status() + " " + answer.body());
            }
        } catch (Exception e) {
            failures.add(e.toString());
        } finally {
            slowestNanos.accumulateAndGet(System.nanoTime() - beganNanos, Math::max);
            room.release();
        }
    }
}
