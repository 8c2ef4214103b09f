package io.fairlead.fleet.conditions;

import io.fairlead.model.ClusterName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/** How many transitions stated a time that contradicts the observed order. Any thread. */
public final class TravelCounts {
    private final Map<Series, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * What is counted apart.
     *
     * @param resource with its group, as {@code deployments.apps}
     */
    public record Series(ClusterName cluster, String resource, String condition) {}

    /** Each series with its count. */
    public void forEach(BiConsumer<Series, Long> reader) {
        counts.forEach((series, count) -> reader.accept(series, count.sum()));
    }

    /** A series is there from the first observation on, so that its first increase is seen. */
    void observed(Series series) {
        counts.computeIfAbsent(series, _ -> new LongAdder());
    }

    void travelled(Series series) {
        counts.computeIfAbsent(series, _ -> new LongAdder()).increment();
    }

    void forget(Series series) {
        counts.remove(series);
    }
}
