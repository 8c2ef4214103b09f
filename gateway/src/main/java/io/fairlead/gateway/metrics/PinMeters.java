package io.fairlead.gateway.metrics;

import io.fairlead.gateway.pin.PinMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts what came of checks of pins. */
public final class PinMeters implements PinMetrics {
    private final Map<Result, Counter> checks = new EnumMap<>(Result.class);

    public PinMeters(MeterRegistry registry) {
        for (Result result : Result.values()) {
            checks.put(
                    result,
                    Counter.builder("fairlead.pin.checks")
                            .description("Checks of requests against pins, by what came of them.")
                            .tag("result", result.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    @Override
    public void checked(Result result) {
        Counter counter = checks.get(result);
        if (counter != null) {
            counter.increment();
        }
    }
}
