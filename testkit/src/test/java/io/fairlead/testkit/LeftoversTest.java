package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeftoversTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(10);

    @Test
    void after_aThreadThatStillRuns_namesItUntilItEnds() {
        Leftovers before = Leftovers.since();
        CountDownLatch end = new CountDownLatch(1);
        Thread.ofPlatform().name("left-over").start(() -> await(end));

        assertThat(before.after(SHORT)).singleElement().asString().contains("thread left-over", "await");

        end.countDown();
        assertThat(before.after(LONG)).isEmpty();
    }

    @Test
    void after_aSocketThatIsOpen_namesItUntilItIsClosed() throws IOException {
        Leftovers before = Leftovers.since();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.format(":%04X", socket.getLocalPort());

            assertThat(before.after(SHORT)).singleElement().asString().contains("socket in tcp", port);
        }
        assertThat(before.after(LONG)).isEmpty();
    }

    @Test
    void after_whatWasThereBefore_isNothing() throws IOException {
        try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Leftovers.since().after(LONG)).isEmpty();
        }
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
