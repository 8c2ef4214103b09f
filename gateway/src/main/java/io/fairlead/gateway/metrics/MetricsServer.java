package io.fairlead.gateway.metrics;

import io.fairlead.gateway.own.Health;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A plain HTTP listener for {@code /metrics}, {@code /livez} and {@code /readyz}. */
@SuppressWarnings("DoNotCallSuggester")
public final class MetricsServer implements AutoCloseable {
    private final InetSocketAddress bindAddress;
    private final PrometheusMeterRegistry registry;
    private final Health health;

    public MetricsServer(InetSocketAddress bindAddress, PrometheusMeterRegistry registry, Health health) {
        this.bindAddress = bindAddress;
        this.registry = registry;
        this.health = health;
    }

    /**
     * Listens.
     *
     * @return the bound address
     * @throws IOException naming the address if it is taken or not ours
     */
    public InetSocketAddress start() throws IOException {
        throw new UnsupportedOperationException(
                "listen on " + bindAddress + registry.get("x").meters().size() + health.readinessChecks());
    }

    @Override
    public void close() {}
}
