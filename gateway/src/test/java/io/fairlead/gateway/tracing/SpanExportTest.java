package io.fairlead.gateway.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.protobuf.ProtobufWriter;
import io.fairlead.testkit.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of spans where their collector does not what it should. */
class SpanExportTest {
    private static final int BYTES_MAX = 10_000;
    private static final Spans SPAN = named("x".repeat(1_000));
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger errorsToCome = new AtomicInteger();
    private final List<Throwable> told = new CopyOnWriteArrayList<>();
    private final TraceMetrics metrics = new TraceMetrics() {
        @Override
        public void sent(int spans) {
            if (errorsToCome.getAndDecrement() > 0) {
                throw new AssertionError("of the test");
            }
            sent.addAndGet(spans);
        }

        @Override
        public void dropped(int spans) {
            dropped.addAndGet(spans);
        }

        @Override
        public void failed(int spans) {
            failed.addAndGet(spans);
        }
    };

    private Collector collector;
    private LogLines log;
    private SpanExport export;

    @BeforeEach
    void start() throws Exception {
        collector = new Collector();
        log = new LogLines(SpanExport.class);
        export = start(collector.url() + "/");
    }

    private SpanExport start(String endpoint) {
        return SpanExport.start(endpoint, "1", "one", BYTES_MAX, metrics, (_, failure) -> told.add(failure));
    }

    @AfterEach
    void stop() {
        export.close();
        collector.close();
        log.close();
    }

    @Test
    void whatFindsNoRoomWhileTheCollectorIsDown_isDroppedAndCounted_andTheRestIsSentLater() {
        collector.answer(503);
        add(1);
        until(() -> !collector.bodies().isEmpty());

        add(20);
        int kept = 20 - dropped.get();
        assertThat(kept).isBetween(5, 9);
        assertThat(export.queuedBytes()).isLessThanOrEqualTo(BYTES_MAX);
        assertThat(sent).hasValue(0);

        collector.answer(200);
        until(() -> sent.get() == 1 + kept);
        assertThat(export.queuedBytes()).isZero();
        assertThat(failed).hasValue(0);
        assertThat(log.texts())
                .singleElement()
                .asString()
                .startsWith(
                        "WARN Spans cannot be sent collector=" + collector.url() + "/v1/traces problem=it answers 503");
    }

    @Test
    void whatTheCollectorRefuses_isNotSentAgain() {
        collector.answer(400);
        add(3);

        until(() -> failed.get() == 3);
        collector.answer(200);
        add(1);
        until(() -> sent.get() == 1);
        assertThat(collector.bodies()).hasSize(2);
        assertThat(dropped).hasValue(0);
    }

    @Test
    void addressWithoutACollector_holdsNothingUp() {
        export.close();
        export = start("http://127.0.0.1:1");
        add(1);

        until(() -> !log.texts().isEmpty());
        export.close();
        assertThat(failed).hasValue(1);
        add(1);
        assertThat(dropped).as("added after the end").hasValue(1);
    }

    @Test
    void end_sendsWhatWaits() {
        add(2);
        export.close();

        assertThat(sent).hasValue(2);
    }

    @Test
    void error_isTold_andTheSpansAfterItAreSent() {
        errorsToCome.set(1);
        add(1);
        until(() -> !told.isEmpty());
        assertThat(told).singleElement().isInstanceOf(AssertionError.class);

        add(2);
        until(() -> sent.get() == 2);
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            export.add(SPAN);
        }
    }

    private static Spans named(String name) {
        ProtobufWriter bytes = new ProtobufWriter();
        bytes.message(2, span -> span.text(5, name));
        return new Spans(1, bytes.bytes());
    }

    private static void until(BooleanSupplier state) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("not so within " + TIMEOUT).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
