package io.fairlead.gateway.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The series of the requests for one resource of one cluster, or for everything counted together. Removed together. Any
 * thread.
 */
final class RequestSeries {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60)
    };

    private final String cluster;
    private final MeterGroup meters;
    private final ConcurrentMap<Answered, Counter> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<RequestLabels, Timer> durations = new ConcurrentHashMap<>();
    private final ConcurrentMap<RequestLabels, AtomicInteger> longRunning = new ConcurrentHashMap<>();
    private final ConcurrentMap<RequestLabels, Counter> watchEvents = new ConcurrentHashMap<>();
    private volatile boolean succeeded;

    private record Answered(RequestLabels labels, int code) {}

    /** @param cluster empty for requests that entered none */
    RequestSeries(String cluster, MeterRegistry registry, MeterCount count) {
        this.cluster = cluster;
        this.meters = new MeterGroup(registry, count::add);
    }

    /** A request was answered without an error. */
    void succeeded() {
        succeeded = true;
    }

    /** Whether there was one since {@link #wasUsed} was last called. */
    boolean hasSucceeded() {
        return succeeded;
    }

    /** Whether a long-running request is open, or an answer without an error was given since the last call. */
    boolean wasUsed() {
        boolean wasUsed = succeeded || longRunning.values().stream().anyMatch(open -> open.get() > 0);
        succeeded = false;
        return wasUsed;
    }

    /** Whether such a request was counted before. */
    boolean has(RequestLabels labels, int code) {
        return requests.containsKey(new Answered(labels, code));
    }

    /** A request has ended. */
    void count(RequestLabels labels, int code) {
        Counter counter = requests.computeIfAbsent(
                new Answered(labels, code),
                _ -> meters.add(registry -> Counter.builder("apiserver.request")
                        .description("Requests, by what they ask for and how they were answered.")
                        .tags(labels.tags(cluster).and("code", Integer.toString(code)))
                        .register(registry)));
        if (counter != null) {
            counter.increment();
        }
    }

    /** A short request was answered in this time. */
    void record(RequestLabels labels, long nanos) {
        Timer timer = durations.computeIfAbsent(
                labels,
                _ -> meters.add(registry -> Timer.builder("apiserver.request.duration")
                        .description("Time from a short request's head to the end of its answer.")
                        .tags(labels.tags(cluster))
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry)));
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** The number of open long-running requests, as shown by the gauge until the series are removed. */
    AtomicInteger longRunning(RequestLabels labels) {
        return longRunning.computeIfAbsent(labels, _ -> {
            AtomicInteger count = new AtomicInteger();
            meters.add(registry -> Gauge.builder("apiserver.longrunning.requests", count, AtomicInteger::get)
                    .description("Watches and other long-running requests that are open.")
                    .tags(labels.tags(cluster))
                    .register(registry));
            return count;
        });
    }

    /** Counts the events of watches; null once the series are removed. */
    @Nullable
    Counter watchEvents(RequestLabels labels) {
        return watchEvents.computeIfAbsent(
                labels,
                _ -> meters.add(registry -> Counter.builder("apiserver.watch.events")
                        .description("Events that watches were sent, bookmarks included.")
                        .tags(labels.tags(cluster))
                        .register(registry)));
    }

    /** Nothing is counted here from now on. */
    void remove() {
        meters.remove();
    }
}
