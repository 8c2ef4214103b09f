package io.fairlead.hosted.controller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class KeyQueueTest {
    private static final long SECONDS_MAX = 30;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void keys_addedBeforeTheStart_areWorkedOnInOrder() throws Exception {
        var worked = new LinkedBlockingQueue<String>();
        try (KeyQueue queue = new KeyQueue("test", worked::add, scheduler)) {
            List.of("a", "b", "a").forEach(queue::add);
            assertThat(worked).isEmpty();
            queue.start();

            assertThat(worked.poll(SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo("a");
            assertThat(worked.poll(SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo("b");
        }
    }

    @Test
    void worker_endsWithTheWork_andComesWithMore() throws Exception {
        var workers = new LinkedBlockingQueue<Thread>();
        try (KeyQueue queue = new KeyQueue("test", key -> workers.add(Thread.currentThread()), scheduler)) {
            queue.start();
            for (int i = 0; i < 3; i++) {
                queue.add("a");
                Thread worker = workers.poll(SECONDS_MAX, TimeUnit.SECONDS);

                assertThat(worker).isNotNull();
                assertThat(worker.join(Duration.ofSeconds(SECONDS_MAX))).isTrue();
            }
        }
    }

    @Test
    void error_endsNotTheQueue() throws Exception {
        var worked = new LinkedBlockingQueue<String>();
        var errors = new AtomicInteger(2);
        try (KeyQueue queue = new KeyQueue(
                "test",
                key -> {
                    if (errors.getAndDecrement() > 0) {
                        throw new NoClassDefFoundError("of the test");
                    }
                    return worked.add(key);
                },
                scheduler)) {
            queue.start();
            List.of("a", "b", "c").forEach(queue::add);

            var seen = new HashSet<String>();
            for (int i = 0; i < 3; i++) {
                seen.add(worked.poll(SECONDS_MAX, TimeUnit.SECONDS));
            }
            assertThat(seen).containsExactlyInAnyOrder("a", "b", "c");
        }
    }

    @Test
    void key_inWorkThatIsInterrupted_comesAgain() throws Exception {
        var worked = new LinkedBlockingQueue<String>();
        var interruptions = new AtomicInteger(1);
        KeyQueue.Reconciler reconciler = key -> {
            if (interruptions.getAndDecrement() > 0) {
                throw new InterruptedException("injected");
            }
            return worked.add(key);
        };
        try (KeyQueue queue = new KeyQueue("test", reconciler, scheduler)) {
            queue.start();
            queue.add("a");

            assertThat(worked.poll(SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo("a");
        }
    }

    @Test
    void key_addedWhileInWork_isWorkedOnAgain_neverTwiceAtOnce() throws Exception {
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var twice = new CountDownLatch(2);
        Queue<String> log = new ConcurrentLinkedQueue<>();
        KeyQueue.Reconciler reconciler = key -> {
            log.add("begin");
            begun.countDown();
            go.await();
            log.add("end");
            twice.countDown();
            return true;
        };
        try (KeyQueue queue = new KeyQueue("test", reconciler, scheduler)) {
            queue.start();
            queue.add("a");
            begun.await();
            queue.add("a");
            queue.add("a");
            go.countDown();

            assertThat(twice.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(log).containsExactly("begin", "end", "begin", "end");
    }

    @Test
    void error_ofTheReconciler_endsTheWorkOnItsKeyAlone() throws Exception {
        var worked = new LinkedBlockingQueue<String>();
        var failed = new AtomicBoolean();
        KeyQueue.Reconciler reconciler = key -> {
            if (key.equals("bad") && failed.compareAndSet(false, true)) {
                throw new StackOverflowError("injected");
            }
            return worked.add(key);
        };
        try (KeyQueue queue = new KeyQueue("test", reconciler, scheduler)) {
            queue.start();
            queue.add("bad");
            queue.add("good");

            assertThat(worked.poll(SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo("good");
            assertThat(worked.poll(SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo("bad");
            queue.add("later");
            assertThat(worked.poll(SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo("later");
        }
    }

    @Test
    void keysThatNeverSucceed_doNotFillTheLog() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(KeyQueue.class);
        logger.addAppender(lines);
        var attempts = new CountDownLatch(100);
        KeyQueue.Reconciler reconciler = key -> {
            attempts.countDown();
            throw new IllegalStateException("of the test");
        };
        try (KeyQueue queue = new KeyQueue("test", reconciler, scheduler)) {
            queue.start();
            for (int i = 0; i < 100; i++) {
                queue.add("key" + i);
            }

            assertThat(attempts.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(lines.list).hasSize(1);
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void key_thatFails_comesAgain() throws Exception {
        var done = new CountDownLatch(3);
        KeyQueue.Reconciler reconciler = key -> {
            done.countDown();
            if (done.getCount() == 2) {
                throw new IllegalStateException("the first attempt fails");
            }
            return done.getCount() == 0;
        };
        try (KeyQueue queue = new KeyQueue("test", reconciler, scheduler)) {
            queue.start();
            queue.add("a");

            assertThat(done.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        }
    }
}
