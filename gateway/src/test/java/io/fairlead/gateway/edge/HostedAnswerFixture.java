package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.hosted.ApiResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A gateway with a hosted cluster whose handlers a test scripts. */
abstract class HostedAnswerFixture {
    static final String END = "";
    static final String BROKEN = "broken";

    TestEdge edge;
    FakeHosted dev;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        dev = edge.host("dev");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    /** Frames that a test lets out one by one. */
    static final class Gated implements ApiResponse.Frames {
        final BlockingQueue<String> next = new LinkedBlockingQueue<>();
        final CountDownLatch closed = new CountDownLatch(1);

        ApiResponse response() {
            return new ApiResponse.Stream(200, "application/json", Map.of("X-Many", List.of("a", "b")), this);
        }

        @Override
        public byte @Nullable [] next() throws InterruptedException {
            String frame = next.take();
            if (frame.equals(BROKEN)) {
                throw new ApiResponse.BrokenOffException("the test says so", new IllegalStateException());
            }
            return frame.equals(END) ? null : frame.getBytes(UTF_8);
        }

        @Override
        public byte @Nullable [] nextNow() throws InterruptedException {
            String held = next.peek();
            return held == null || held.equals(END) || held.equals(BROKEN) ? null : next();
        }

        @Override
        public void close() {
            closed.countDown();
            next.add(END);
        }
    }
}
