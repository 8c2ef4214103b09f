package io.fairlead.gateway.metrics;

import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.tracing.SpanExport;
import io.fairlead.gateway.tracing.TraceMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts the spans of traces. Any thread. */
public final class TraceMeters implements TraceMetrics {
    private final MeterRegistry registry;
    private final Counter sent;
    private final Counter dropped;
    private final Counter failed;
    private final Counter tooManyAskedFor;

    public TraceMeters(MeterRegistry registry) {
        this.registry = registry;
        this.sent = counter("sent");
        this.dropped = counter("dropped");
        this.failed = counter("failed");
        this.tooManyAskedFor = ConnectionCounters.reached(registry, Limit.TRACES_ASKED_FOR.key());
    }

    /** Shows how much waits. */
    public void bind(SpanExport export) {
        Gauge.builder("fairlead.trace.queued.bytes", export, SpanExport::queuedBytes)
                .description("Bytes of spans that are not sent yet.")
                .register(registry);
    }

    @Override
    public void sent(int spans) {
        sent.increment(spans);
    }

    @Override
    public void dropped(int spans) {
        dropped.increment(spans);
    }

    @Override
    public void tooManyAskedFor() {
        tooManyAskedFor.increment();
    }

    @Override
    public void failed(int spans) {
        failed.increment(spans);
    }

    private Counter counter(String result) {
        return Counter.builder("fairlead.trace.spans")
                .description("Spans of traces by what became of them.")
                .tag("result", result)
                .register(registry);
    }
}
