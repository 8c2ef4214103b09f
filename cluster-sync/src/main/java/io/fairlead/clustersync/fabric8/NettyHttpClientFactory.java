package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fairlead.net.Upstream;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes fabric8 clients that talk through one cluster's {@link Upstream}.
 *
 * <p>TLS, endpoints, time limits and the credential are the upstream's affair: what a {@link Config} says of them is ignored,
 * and so are files and environment variables that fabric8 would read.
 */
final class NettyHttpClientFactory implements HttpClient.Factory {
    private final Upstream upstream;
    private final Supplier<@Nullable String> bearerToken;
    private final Executor executor;
    private final BodyLimits limits;
    private final WatchObserver watches;
    private final ListPermit turnOf;

    /**
     * @param bearerToken asked for each request; null if the connection's client certificate is the credential
     * @param executor runs callbacks, which may block
     */
    NettyHttpClientFactory(
            Upstream upstream,
            Supplier<@Nullable String> bearerToken,
            Executor executor,
            BodyLimits limits,
            WatchObserver watches,
            ListPermit turnOf) {
        this.upstream = upstream;
        this.bearerToken = bearerToken;
        this.executor = executor;
        this.limits = limits;
        this.watches = watches;
        this.turnOf = turnOf;
    }

    @Override
    public HttpClient.Builder newBuilder() {
        return new NettyHttpClientBuilder(this);
    }

    @Override
    public HttpClient.Builder newBuilder(Config config) {
        NettyHttpClientBuilder builder = new NettyHttpClientBuilder(this);
        builder.tag(config.getRequestConfig());
        return builder;
    }

    Upstream upstream() {
        return upstream;
    }

    @Nullable
    String bearerToken() {
        return bearerToken.get();
    }

    Executor executor() {
        return executor;
    }

    BodyLimits limits() {
        return limits;
    }

    WatchObserver watches() {
        return watches;
    }

    ListPermit turnOf() {
        return turnOf;
    }
}
