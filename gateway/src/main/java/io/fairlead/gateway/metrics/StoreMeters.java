package io.fairlead.gateway.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BooleanSupplier;

/** Shows whether the store has disk space. */
public final class StoreMeters {
    private StoreMeters() {}

    /** Registers the gauge; its supplier must not block. */
    public static void bind(MeterRegistry registry, BooleanSupplier isDiskFull) {
        Gauge.builder("fairlead.store.disk.full", () -> isDiskFull.getAsBoolean() ? 1 : 0)
                .description("Whether the disk of the data directory is full, so that writes are refused: 1 or 0.")
                .register(registry);
    }
}
