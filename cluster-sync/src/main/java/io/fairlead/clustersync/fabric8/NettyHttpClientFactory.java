package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fairlead.net.Upstream;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates fabric8 clients over one cluster's {@link Upstream}.
 *
 * <p>The upstream decides TLS, endpoints, time limits and the credential: those of a {@link Config} are ignored, and so
 * are files and environment variables that fabric8 would read.
 */
final class NettyHttpClientFactory implements HttpClient.Factory {
    private final Upstream upstream;
    private final Supplier<@Nullable String> bearerToken;
    private final Executor executor;
    private final BodyLimits limits;
    private final WatchObserver watches;
    private final ListPermit turnOf;

    /**
     * @param bearerToken read for each request; null if the connection's client certificate is the credential
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
