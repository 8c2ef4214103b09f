package io.fairlead.hosted.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SoleWorkerTest {
    private static final long SECONDS_MAX = 30;
    private static final ThreadFactory VIRTUAL = Thread.ofVirtual().factory();

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<Thread> runs = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void call_beforeTheStart_isAnsweredAfterIt_byAThreadThatEnds() throws Exception {
        try (SoleWorker worker = worker(VIRTUAL, () -> runs.add(Thread.currentThread()))) {
            worker.call();
            assertThat(runs).isEmpty();
            worker.start();

            Thread first = next();
            assertThat(first.join(Duration.ofSeconds(SECONDS_MAX))).isTrue();
            worker.call();
            assertThat(next()).isNotSameAs(first);
        }
    }

    @Test
    void call_duringTheWork_hasItDoneOnceMore_byTheSameThread() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        SoleWorker.Work work = () -> {
            runs.add(Thread.currentThread());
            begun.countDown();
            go.await();
        };
        try (SoleWorker worker = worker(VIRTUAL, work)) {
            worker.start();
            worker.call();
            begun.await();
            worker.call();
            worker.call();
            go.countDown();

            assertThat(next()).isSameAs(next());
        }
        assertThat(runs).isEmpty();
    }

    @Test
    void error_hasTheWorkDoneAgain_withoutAnotherCall() throws Exception {
        AtomicInteger errors = new AtomicInteger(1);
        SoleWorker.Work work = () -> {
            if (errors.getAndDecrement() > 0) {
                throw new StackOverflowError("injected");
            }
            runs.add(Thread.currentThread());
        };
        try (SoleWorker worker = worker(VIRTUAL, work)) {
            worker.start();
            worker.call();

            assertThat(next()).isNotNull();
        }
    }

    @Test
    void interruption_thatIsNotTheEnd_hasTheWorkDoneAgain() throws Exception {
        AtomicInteger interruptions = new AtomicInteger(1);
        SoleWorker.Work work = () -> {
            if (interruptions.getAndDecrement() > 0) {
                throw new InterruptedException("injected");
            }
            runs.add(Thread.currentThread());
        };
        try (SoleWorker worker = worker(VIRTUAL, work)) {
            worker.start();
            worker.call();

            assertThat(next()).isNotNull();
        }
    }

    @Test
    void threadThatCannotBeStarted_isStartedLater_withoutAnotherCall() throws Exception {
        AtomicInteger refusals = new AtomicInteger(2);
        ThreadFactory threads = task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread: injected");
            }
            return Thread.ofPlatform().daemon().unstarted(task);
        };
        try (SoleWorker worker = worker(threads, () -> runs.add(Thread.currentThread()))) {
            worker.start();
            worker.call();

            assertThat(next()).isNotNull();
        }
    }

    @Test
    void close_interruptsTheWork_andIsTheEnd() throws Exception {
        CountDownLatch forever = new CountDownLatch(1);
        SoleWorker worker = worker(VIRTUAL, () -> {
            runs.add(Thread.currentThread());
            forever.await();
        });
        worker.start();
        worker.call();
        Thread working = next();

        worker.close();
        assertThat(working.isAlive()).isFalse();
        worker.call();
        assertThat(runs).isEmpty();
    }

    private SoleWorker worker(ThreadFactory threads, SoleWorker.Work work) {
        return new SoleWorker("test", threads, work, scheduler);
    }

    private Thread next() throws InterruptedException {
        Thread ran = runs.poll(SECONDS_MAX, TimeUnit.SECONDS);
        assertThat(ran).isNotNull();
        return ran;
    }
}
