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
    private final ConcurrentMap<RequestLabels, Labelled> labelled = new ConcurrentHashMap<>();
    private volatile boolean succeeded;

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
        boolean wasUsed = succeeded || labelled.values().stream().anyMatch(Labelled::isOpen);
        succeeded = false;
        return wasUsed;
    }

    /** Whether such a request was counted before. */
    boolean has(RequestLabels labels, int code) {
        Labelled known = labelled.get(labels);
        return known != null && known.requests.containsKey(code);
    }

    /** Those of requests with these labels. */
    Labelled of(RequestLabels labels) {
        return labelled.computeIfAbsent(labels, Labelled::new);
    }

    /** Nothing is counted here from now on. */
    void remove() {
        meters.remove();
    }

    /** The series of the requests with the same labels. Each begins with the first request that counts there. */
    final class Labelled {
        private final RequestLabels labels;
        private final ConcurrentMap<Integer, Counter> requests = new ConcurrentHashMap<>();
        private volatile @Nullable Timer durations;
        private volatile @Nullable AtomicInteger longRunning;
        private volatile @Nullable Counter watchEvents;

        private Labelled(RequestLabels labels) {
            this.labels = labels;
        }

        /** A request has ended. */
        void count(int code) {
            Counter counter = requests.computeIfAbsent(
                    code,
                    _ -> meters.add(registry -> Counter.builder("apiserver.request")
                            .description("Requests, by what they ask for and how they were answered.")
                            .tags(labels.tags(cluster).and("code", Integer.toString(code)))
                            .register(registry)));
            if (counter != null) {
                counter.increment();
            }
        }

        /** A short request was answered in this time. */
        void record(long nanos) {
            Timer timer = durations;
            if (timer == null) {
                timer = meters.add(registry -> Timer.builder("apiserver.request.duration")
                        .description("Time from a short request's head to the end of its answer.")
                        .tags(labels.tags(cluster))
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry));
                durations = timer;
            }
            if (timer != null) {
                timer.record(nanos, TimeUnit.NANOSECONDS);
            }
        }

        /** The number of open long-running requests, as shown by the gauge until the series are removed. */
        synchronized AtomicInteger longRunning() {
            AtomicInteger open = longRunning;
            if (open == null) {
                AtomicInteger count = new AtomicInteger();
                meters.add(registry -> Gauge.builder("apiserver.longrunning.requests", count, AtomicInteger::get)
                        .description("Watches and other long-running requests that are open.")
                        .tags(labels.tags(cluster))
                        .register(registry));
                longRunning = count;
                open = count;
            }
            return open;
        }

        /** Counts the events of watches; null once the series are removed. */
        @Nullable
        Counter watchEvents() {
            Counter counter = watchEvents;
            if (counter == null) {
                counter = meters.add(registry -> Counter.builder("apiserver.watch.events")
                        .description("Events that watches were sent, bookmarks included.")
                        .tags(labels.tags(cluster))
                        .register(registry));
                watchEvents = counter;
            }
            return counter;
        }

        private boolean isOpen() {
            AtomicInteger open = longRunning;
            return open != null && open.get() > 0;
        }
    }
}
