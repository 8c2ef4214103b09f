package io.fairlead.gateway.metrics;

import io.fairlead.gateway.audit.AuditLevel;
import io.fairlead.gateway.audit.AuditLog;
import io.fairlead.gateway.audit.AuditMetrics;
import io.fairlead.gateway.limits.Limit;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Counts the lines of the audit log, and the requests that could not have one. Any thread. */
public final class AuditMeters implements AuditMetrics {
    private final MeterRegistry registry;
    private final Map<AuditLevel, Counter> levels = new EnumMap<>(AuditLevel.class);
    private final Counter made;
    private final Counter lost;
    private final Counter refused;
    private final Counter failed;
    private final Counter tooManyUnknownCallers;

    public AuditMeters(MeterRegistry registry) {
        this.registry = registry;
        this.made = counter("apiserver.audit.event", "Lines that were made for the audit log.");
        this.lost = Counter.builder("apiserver.audit.error")
                .description("Lines that the audit log will never have.")
                .tag("plugin", "log")
                .register(registry);
        this.refused = counter(
                "apiserver.audit.requests.rejected", "Requests that were refused since they could not be recorded.");
        this.failed = counter(
                "fairlead.audit.write.failures", "Attempts to write the audit log that failed and are made again.");
        this.tooManyUnknownCallers = ConnectionCounters.reached(registry, Limit.AUDITED_UNKNOWN_CALLERS.key());
        for (AuditLevel level : AuditLevel.values()) {
            levels.put(
                    level,
                    Counter.builder("apiserver.audit.level")
                            .description("Requests by the level that the audit policy has for them.")
                            .tag("level", level.text())
                            .register(registry));
        }
    }

    /** Shows the state of the log and of its policy. */
    public void bind(AuditLog log, BooleanSupplier isPolicyRefused) {
        gauge(
                "fairlead.audit.log.failing",
                "Whether the audit log cannot be written: 1 or 0.",
                () -> log.failure().isPresent());
        gauge(
                "fairlead.audit.policy.refused",
                "Whether the audit policy's file has changed and cannot be used: 1 or 0.",
                isPolicyRefused);
        Gauge.builder("fairlead.audit.queued.bytes", log, AuditLog::queuedBytes)
                .description("Bytes of lines of the audit log that are not written yet.")
                .register(registry);
    }

    @Override
    public void judged(AuditLevel level) {
        Counter counter = levels.get(level);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void made() {
        made.increment();
    }

    @Override
    public void lost(int lines) {
        lost.increment(lines);
    }

    @Override
    public void tooManyUnknownCallers() {
        tooManyUnknownCallers.increment();
    }

    @Override
    public void failed() {
        failed.increment();
    }

    @Override
    public void refused() {
        refused.increment();
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private void gauge(String name, String description, BooleanSupplier isSo) {
        Gauge.builder(name, () -> isSo.getAsBoolean() ? 1 : 0)
                .description(description)
                .register(registry);
    }
}
