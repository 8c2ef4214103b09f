package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a run of tests in which a buffer, or whatever else of Netty must be released, was lost without it. Every run ends
 * with a loss of its own, which must be found: so the others would have been. Where tests run in several processes, each
 * class is a run; one that makes nothing of Netty's costs nothing.
 */
public final class LeakGuard implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CANARY = LeakGuard.class.getName() + ".loseOne";
    private static final AtomicInteger RUNS = new AtomicInteger();

    private static final List<ResourceLeakDetector<Object>> DETECTORS = new CopyOnWriteArrayList<>();
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    /** Whether anything was made since the last look that must be released. */
    private static volatile boolean tracked;

    /** Made before any class of tests, and so before Netty makes the detectors that it keeps. */
    public LeakGuard() {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Detectors());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Run.class, _ -> new Run(), Run.class);
    }

    /** Losses of the same history are reported once only. */
    private static void loseOne(String mark) {
        PooledByteBufAllocator.DEFAULT.buffer(1).touch(mark);
    }

    private static boolean isCanary(String leak) {
        return leak.contains(CANARY);
    }

    /** Everything between the first test and the last. */
    private static final class Run implements AutoCloseable {
        @Override
        public void close() {
            if (!tracked) {
                return;
            }
            String mark = "lost on purpose by run " + RUNS.incrementAndGet() + ".";
            loseOne(mark);
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (LEAKS.stream().noneMatch(leak -> leak.contains(mark))) {
                assertThat(System.nanoTime())
                        .as("the loss of the guard's own is not found")
                        .isLessThan(end);
                System.gc();
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                report();
            }
            tracked = false;
            List<String> leaks = List.copyOf(LEAKS);
            LEAKS.clear();
            assertThat(leaks)
                    .filteredOn(leak -> !isCanary(leak))
                    .as("never released")
                    .isEmpty();
        }

        /** Detectors look at what was lost whenever something new is to be tracked. */
        private static void report() {
            for (ResourceLeakDetector<Object> detector : DETECTORS) {
                Object nothing = new Object();
                ResourceLeakTracker<Object> tracker = detector.trackForcibly(nothing);
                tracker.close(nothing);
            }
        }
    }

    private static final class Detectors extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings({"deprecation", "unchecked"}) // Abstract in Netty; a detector only compares what it tracks.
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int interval, long activeMax) {
            ResourceLeakDetector<T> detector = new Detector<>(resource, interval);
            DETECTORS.add((ResourceLeakDetector<Object>) detector);
            return detector;
        }
    }

    private static final class Detector<T> extends ResourceLeakDetector<T> {
        Detector(Class<T> resource, int interval) {
            super(resource, interval);
        }

        @Override
        public @Nullable ResourceLeakTracker<T> track(T resource) {
            tracked = true;
            return super.track(resource);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resource, String records) {
            LEAKS.add(resource + records);
        }

        @Override
        protected void reportUntracedLeak(String resource) {
            LEAKS.add(resource);
        }
    }
}
