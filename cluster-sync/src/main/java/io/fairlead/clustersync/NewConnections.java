package io.fairlead.clustersync;

import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.EndpointReport;
import io.fairlead.net.UpstreamFailure;
import java.util.List;
import java.util.function.Consumer;

/**
 * Counts a cluster's connections, and tells of each new one: another server, or another certificate, may be behind it. Tells
 * of its endpoints too.
 */
record NewConnections(ConnectionMetrics metrics, Runnable opened, Consumer<List<EndpointReport>> told)
        implements ConnectionMetrics {
    @Override
    public void opened(String protocol) {
        metrics.opened(protocol);
        opened.run();
    }

    @Override
    public void closed(String protocol) {
        metrics.closed(protocol);
    }

    @Override
    public void failed(UpstreamFailure.Kind why) {
        metrics.failed(why);
    }

    @Override
    public void resent() {
        metrics.resent();
    }

    @Override
    public void endpoints(List<EndpointReport> endpoints) {
        metrics.endpoints(endpoints);
        told.accept(endpoints);
    }
}
