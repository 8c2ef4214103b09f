package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import java.util.concurrent.atomic.AtomicBoolean;

/** Builds clients of one factory; derived clients are closed together with their origin. */
final class NettyHttpClientBuilder
        extends StandardHttpClientBuilder<NettyHttpClient, NettyHttpClientFactory, NettyHttpClientBuilder> {
    NettyHttpClientBuilder(NettyHttpClientFactory factory) {
        super(factory);
    }

    @Override
    public NettyHttpClient build() {
        AtomicBoolean closed = client == null ? new AtomicBoolean() : client.getClosed();
        return new NettyHttpClient(this, closed, clientFactory);
    }

    @Override
    protected NettyHttpClientBuilder newInstance(NettyHttpClientFactory factory) {
        return new NettyHttpClientBuilder(factory);
    }
}
