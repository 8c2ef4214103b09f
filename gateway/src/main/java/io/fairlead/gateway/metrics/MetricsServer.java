package io.fairlead.gateway.metrics;

import io.fairlead.gateway.admin.Health;
import io.fairlead.gateway.admin.Probes;
import io.fairlead.gateway.listen.BindFailure;
import io.fairlead.http.Transport;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A plain HTTP listener for {@code /metrics}, {@code /livez} and {@code /readyz}, meant for the loopback interface.
 *
 * <p>Metrics come in the Prometheus text format, or in OpenMetrics if accepted. Probes are answered independently of
 * other clients: a separate event loop reads heads, a separate thread collects metrics, and the oldest connections of
 * the address with the most make room for new ones.
 *
 * <p>Threads: the methods are for the owner.
 */
public final class MetricsServer implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int CONNECTIONS_MAX = 64;
    private static final int SCRAPES_WAITING_MAX = 16;
    private static final int BIND_SECONDS_MAX = 10;

    private final InetSocketAddress bindAddress;
    private final PrometheusMeterRegistry registry;
    private final Probes probes;
    private final Duration patience;
    private final Transport transport = Transport.preferred();
    private final EventLoopGroup loop = transport.newGroup(1, "metrics-io");
    private final ExecutorService scrapes = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(SCRAPES_WAITING_MAX),
            Thread.ofPlatform().daemon().name("metrics-", 0).factory());

    /** Confined to the event loop. */
    private final CrowdedOut connections = new CrowdedOut(CONNECTIONS_MAX);

    private @Nullable Channel server;

    /**
     * A listener that does not listen yet.
     *
     * @param patience for a whole request, and for the next one
     */
    public MetricsServer(
            InetSocketAddress bindAddress, PrometheusMeterRegistry registry, Health health, Duration patience) {
        this.bindAddress = bindAddress;
        this.registry = registry;
        this.probes = new Probes(health);
        this.patience = patience;
    }

    /**
     * Listens.
     *
     * @return the bound address
     * @throws BindFailure naming the address if it is in use or not local
     */
    public InetSocketAddress start() throws BindFailure {
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channelFactory(transport.serverChannels())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new Accept())
                .bind(bindAddress);
        if (!bound.awaitUninterruptibly(BIND_SECONDS_MAX, TimeUnit.SECONDS) || !bound.isSuccess()) {
            throw BindFailure.ofMetrics(bindAddress, bound.cause());
        }
        server = bound.channel();
        return (InetSocketAddress) bound.channel().localAddress();
    }

    @Override
    public void close() {
        Channel listening = server;
        if (listening != null) {
            listening.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
        scrapes.shutdownNow();
        loop.submit(connections::closeAll).awaitUninterruptibly(1, TimeUnit.SECONDS);
        Transport.end(loop, Duration.ofSeconds(1)).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    private final class Accept extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel connection) {
            connections.add(connection);
            connection.pipeline().addLast(new MetricsRequests(probes, registry, scrapes, patience));
        }
    }
}
