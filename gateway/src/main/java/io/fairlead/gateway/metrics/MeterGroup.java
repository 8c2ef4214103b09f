package io.fairlead.gateway.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Meters that go together, as those of a cluster or of a type do when it is deleted.
 *
 * <p>A registry knows a meter by its name and labels alone. So who makes a group in the place of another must have removed the
 * other before; from then on the other registers nothing, even if requests still count there.
 *
 * <p>Threads: any.
 */
final class MeterGroup {
    private final MeterRegistry registry;

    /** Guarded, as what follows, by this object. */
    private final Set<Meter.Id> meters = new HashSet<>();

    private boolean removed;

    MeterGroup(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Registers a meter unless the group is gone.
     *
     * @return null if it is gone: then there is nothing to count
     */
    synchronized <M extends Meter> @Nullable M add(Function<MeterRegistry, M> register) {
        if (removed) {
            return null;
        }
        M meter = register.apply(registry);
        meters.add(meter.getId());
        return meter;
    }

    /** Removes the meters; there will be no others. */
    synchronized void remove() {
        removed = true;
        meters.forEach(registry::remove);
        meters.clear();
    }
}
