package io.fairlead.gateway.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Meters that are removed together, as those of a cluster or type on its deletion.
 *
 * <p>A registry identifies a meter only by its name and labels. So a group must be removed before another replaces it;
 * from then on the removed one registers nothing, even if requests still count there.
 *
 * <p>Threads: any.
 */
final class MeterGroup {
    private final MeterRegistry registry;
    private final IntConsumer counted;

    /** Guarded, as the fields below, by this object. */
    private final Set<Meter.Id> meters = new HashSet<>();

    private boolean removed;

    MeterGroup(MeterRegistry registry) {
        this(registry, _ -> {});
    }

    /** @param counted is told how many more meters there are, or fewer */
    MeterGroup(MeterRegistry registry, IntConsumer counted) {
        this.registry = registry;
        this.counted = counted;
    }

    /**
     * Registers a meter unless the group is removed.
     *
     * @return null if it is removed: then nothing is counted
     */
    synchronized <M extends Meter> @Nullable M add(Function<MeterRegistry, M> register) {
        if (removed) {
            return null;
        }
        M meter = register.apply(registry);
        if (meters.add(meter.getId())) {
            counted.accept(1);
        }
        return meter;
    }

    /** Removes the meters; no others can be registered. */
    synchronized void remove() {
        removed = true;
        meters.forEach(registry::remove);
        counted.accept(-meters.size());
        meters.clear();
    }
}
