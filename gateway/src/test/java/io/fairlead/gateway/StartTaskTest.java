package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StartTaskTest {
    /** A part that counts how often it was closed. */
    private static final class Part implements AutoCloseable {
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @Test
    void part_isOpenedBesideTheStart_whichWaitsForIt() throws Exception {
        Part part = new Part();
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        StartTask<Part> task = StartTask.begin("opening", () -> {
            began.countDown();
            await(mayEnd);
            return part;
        });
        began.await();
        mayEnd.countDown();

        assertThat(task.opened()).isSameAs(part).isSameAs(task.opened());
    }

    @Test
    void close_ofAPartThatNoCallAskedFor_closesIt() throws Exception {
        Part part = new Part();

        StartTask.begin("opening", () -> part).close();

        assertThat(part.closed).hasValue(1);
    }

    @Test
    void failure_isTheStarts_andNothingIsClosed() throws Exception {
        StartFailure failure = new StartFailure("the disk is gone", "");
        StartTask<Part> task = StartTask.begin("opening", () -> {
            throw failure;
        });

        assertThatThrownBy(task::opened).isSameAs(failure);
        task.close();
    }

    @Test
    void anErrorWhileOpening_isTheStarts() throws Exception {
        Error error = new AssertionError("on purpose");
        StartTask<Part> task = StartTask.begin("opening", () -> {
            throw error;
        });

        assertThatThrownBy(task::opened).isSameAs(error);
        task.close();
    }

    @Test
    void interruption_isKeptForLater() throws Exception {
        Part part = new Part();
        CountDownLatch mayEnd = new CountDownLatch(1);
        StartTask<Part> task = StartTask.begin("opening", () -> {
            await(mayEnd);
            return part;
        });
        Thread.currentThread().interrupt();
        mayEnd.countDown();

        assertThat(task.opened()).isSameAs(part);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
