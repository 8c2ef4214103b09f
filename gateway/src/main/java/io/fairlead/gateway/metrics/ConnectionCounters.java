package io.fairlead.gateway.metrics;

import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.listen.ConnectionMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** Counts clients' connections, and how often clients met a limit. Any thread. */
public final class ConnectionCounters implements ConnectionMeter {
    private final Map<Protocol, AtomicInteger> open = new EnumMap<>(Protocol.class);
    private final Map<Protocol, Counter> opened = new EnumMap<>(Protocol.class);
    private final Map<Limit, Counter> reached = new EnumMap<>(Limit.class);
    private final Counter refused;
    private final MeterRegistry registry;
    private final Counter handshakeFailed;

    public ConnectionCounters(MeterRegistry registry) {
        this.registry = registry;
        for (Protocol protocol : Protocol.values()) {
            String label = protocol.name().toLowerCase(Locale.ROOT);
            AtomicInteger count = new AtomicInteger();
            open.put(protocol, count);
            Gauge.builder("fairlead.client.connections", count, AtomicInteger::get)
                    .description("Open connections of clients.")
                    .tag("protocol", label)
                    .register(registry);
            opened.put(
                    protocol,
                    Counter.builder("fairlead.client.connections.opened")
                            .description("Connections of clients whose handshake was done.")
                            .tag("protocol", label)
                            .register(registry));
        }
        for (Limit limit : Limit.values()) {
            reached.put(limit, reached(registry, limit.key()));
        }
        refused = Counter.builder("fairlead.client.connections.refused")
                .description("Connections closed at accept because there were too many.")
                .register(registry);
        handshakeFailed = Counter.builder("fairlead.client.handshakes.failed")
                .description("Connections that ended before their TLS handshake was done.")
                .register(registry);
    }

    /** Registers the gauge of clients' incomplete input. */
    public void unparsedBytes(LongSupplier held) {
        Gauge.builder("fairlead.client.unparsed.bytes", held::getAsLong)
                .description("Bytes of records, heads and frames of clients that are not complete.")
                .register(registry);
    }

    /** Registers the gauge of the heap held for requests in progress. */
    public void bufferedBytes(LongSupplier taken) {
        Gauge.builder("fairlead.buffered.bytes", taken::getAsLong)
                .description("Bytes that requests under way, and the history for watches, keep in the heap.")
                .register(registry);
    }

    /** Registers the gauge of short calls that wait for their turn. */
    public void waitingCalls(IntSupplier waiting) {
        Gauge.builder("fairlead.queued.calls", waiting::getAsInt)
                .description("Short calls that wait because too many are under way.")
                .register(registry);
    }

    /** How often clients met a limit, by its key; the same counter for the same key. */
    public static Counter reached(MeterRegistry registry, String key) {
        return Counter.builder("fairlead.limit.reached")
                .description(
                        "How often clients, or attached clusters with what they answer, met a limit, by its key of the"
                                + " configuration.")
                .tag("limit", key)
                .register(registry);
    }

    @Override
    public void opened(Protocol protocol) {
        count(protocol).incrementAndGet();
        Counter counter = opened.get(protocol);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void closed(Protocol protocol) {
        count(protocol).decrementAndGet();
    }

    @Override
    public void refused() {
        refused.increment();
    }

    @Override
    public void handshakeFailed() {
        handshakeFailed.increment();
    }

    @Override
    public void reached(Limit limit) {
        Counter counter = reached.get(limit);
        if (counter != null) {
            counter.increment();
        }
    }

    private AtomicInteger count(Protocol protocol) {
        AtomicInteger count = open.get(protocol);
        if (count == null) {
            throw new IllegalStateException(protocol.toString());
        }
        return count;
    }
}
