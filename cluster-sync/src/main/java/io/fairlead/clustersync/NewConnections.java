package io.fairlead.clustersync;

import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.UpstreamFailure;

/** Counts a cluster's connections, and tells of each new one: another server, or another certificate, may be behind it. */
record NewConnections(ConnectionMetrics metrics, Runnable opened) implements ConnectionMetrics {
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
}
