package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.ConnectionRoom;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.http.RawConnection;
import io.fairlead.http.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts TLS connections and parses requests from them.
 *
 * <p>Threads: the methods are for the owner; the handler is called on event loops.
 */
public final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private static final int BACKLOG = 4096;

    /** So little that a client which reads at least a kilobyte a second is seen to read within a minute. */
    private static final long UNSENT_BYTES = 64L * 1024;

    private static final int READS_AT_ONCE_MAX = 4;

    /** The name in pipelines of what begins TLS. */
    static final String HANDSHAKE = "handshake";

    private final Transport transport;
    private final EventLoopGroup accepting;
    private final EventLoopGroup loops;
    private final LimitSettings limits;
    private final RequestHandler handler;
    private final ConnectionMeter meter;
    private final Places places;
    private final ByteBudget unparsed;
    private final ByteBudget unread;
    private final Cancellations cancellations;
    private final ConcurrentMap<EventLoop, Turns> turns = new ConcurrentHashMap<>();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    private volatile SslContext tls;
    private volatile NamedTls named = NamedTls.NONE;
    private @Nullable Channel server;

    /**
     * A listener without an address.
     *
     * @throws IllegalArgumentException if the TLS material cannot be used
     */
    public Listener(
            Transport transport,
            EventLoopGroup loops,
            TlsMaterial tls,
            LimitSettings limits,
            RequestHandler handler,
            ConnectionMeter meter) {
        this.transport = transport;
        this.loops = loops;
        this.limits = limits;
        this.handler = handler;
        this.meter = meter;
        this.accepting = transport.newGroup(1, "accept");
        this.places = new Places(new ConnectionQuota(limits, connectionsMax(limits)), meter);
        this.cancellations = new Cancellations(limits.streamResetsMax(), limits.floodWindow(), System::nanoTime);
        this.unparsed = ByteBudget.unparsed(limits, System::nanoTime);
        this.unread = ByteBudget.unread(limits, System::nanoTime);
        this.tls = ServingTls.context(tls);
    }

    /**
     * Listens.
     *
     * @return the bound address
     * @throws BindFailure naming the address if it is in use or not local
     */
    public InetSocketAddress start(InetSocketAddress address) throws BindFailure {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(accepting, loops)
                .channelFactory(transport.serverChannels())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_AT_ONCE_MAX))
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark(limits))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel listening) {
                        listening.pipeline().addLast(new FailedAccepts(), places);
                    }
                })
                .childHandler(new Accept());
        transport.boundUnsent(bootstrap, UNSENT_BYTES);
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw BindFailure.ofEndpoint(address, bound.cause());
        }
        server = bound.channel();
        return (InetSocketAddress) bound.channel().localAddress();
    }

    private static int connectionsMax(LimitSettings limits) {
        ConnectionRoom room = ConnectionRoom.of(limits.connectionsMax());
        if (room.possible() < limits.connectionsMax()) {
            LOG.atInfo()
                    .addKeyValue("limit", Limit.CONNECTIONS.key())
                    .addKeyValue("configured", limits.connectionsMax())
                    .addKeyValue("possible", room.possible())
                    .addKeyValue("descriptors", room.descriptors())
                    .addKeyValue("directMemoryBytes", room.bufferBytes())
                    .addKeyValue("advice", room.advice())
                    .log("Fewer connections of clients are possible than configured; the rest is for the store and"
                            + " upstreams");
        }
        return room.possible();
    }

    /**
     * Uses other TLS material for new connections.
     *
     * @throws IllegalArgumentException if it cannot be used; the old one stays
     */
    public void reload(TlsMaterial material) {
        tls = ServingTls.context(material);
    }

    /**
     * Presents certificates of their own to new connections that ask for these server names in their handshakes (SNI).
     * One that cannot be used is logged, and its name gets the ordinary one.
     *
     * @param certificates by server name in lower case; replaces those before. A client CA in them is not used
     */
    public void name(Map<String, TlsMaterial> certificates) {
        named = named.changedTo(certificates);
    }

    /** Accepts no new connections and asks the clients of open ones to reconnect elsewhere. */
    public void drain() {
        stopAccepting();
        for (Channel connection : connections) {
            connection.eventLoop().execute(() -> drain(connection));
        }
    }

    /** The high and low water marks of an answer's queue. */
    static WriteBufferWaterMark waterMark(LimitSettings limits) {
        int high = limits.answerQueueBytesMax().intBytes();
        return new WriteBufferWaterMark(high / 2, high);
    }

    /** The incomplete input of all connections, in bytes. */
    public long unparsedBytes() {
        return unparsed.total();
    }

    /** How many connections are open. */
    public int connectionCount() {
        return connections.size();
    }

    @Override
    public void close() {
        stopAccepting();
        connections.forEach(Listener::closeAtOnce);
        connections.newCloseFuture().awaitUninterruptibly(1, TimeUnit.SECONDS);
        Transport.end(accepting, Duration.ofSeconds(1)).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    /** Closes a connection without its handlers: HTTP/2 would let its streams end. */
    static void closeAtOnce(Channel connection) {
        ChannelHandlerContext first = connection.pipeline().firstContext();
        if (first != null) {
            first.close();
        }
    }

    /**
     * Closes a connection at once, for an answer that cannot be written.
     *
     * @throws RuntimeException the failure, if it is not that memory is lacking
     */
    static void closeFor(Throwable failure, Channel connection) {
        closeAtOnce(connection);
        switch (failure) {
            case OutOfMemoryError _ -> {}
            case RuntimeException fault -> throw fault;
            case Error fault -> throw fault;
            default -> throw new IllegalStateException(failure);
        }
    }

    /**
     * Ends a connection after an error in its handlers. One without memory for a buffer closes at once, since every
     * other close takes a buffer too.
     */
    public static void closeAfter(Throwable cause, ChannelHandlerContext ctx) {
        if (cause instanceof OutOfMemoryError) {
            closeAtOnce(ctx.channel());
        } else {
            ctx.close();
        }
    }

    private void stopAccepting() {
        Channel listening = server;
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
    }

    private static void drain(Channel connection) {
        Http1Connection http1 = connection.pipeline().get(Http1Connection.class);
        Http2Connection http2 = connection.pipeline().get(Http2Connection.class);
        if (http1 != null) {
            http1.drain();
        } else if (http2 != null) {
            http2.drain();
        } else if (!RawConnection.isIn(connection)) {
            connection.close(); // Still in its handshake.
        }
    }

    /** Queues a connection with a place for its handshake. */
    private final class Accept extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel connection) {
            Place place = Places.placeOf(connection);
            if (place == null) {
                connection.close();
                return;
            }
            connections.add(connection);
            connection
                    .pipeline()
                    .addLast(new FirstFlight(
                            place.address(),
                            turns.computeIfAbsent(connection.eventLoop(), Turns::new),
                            unparsed.part(() -> shed(connection)), // which it ends itself
                            meter,
                            limits.handshakeTimeout(),
                            (ctx, timeout) -> beginHandshake(ctx.channel(), place, timeout)));
        }

        private void beginHandshake(Channel connection, Place place, Duration timeout) {
            ChannelHandler handshake = named.handshake(tls, connection.alloc(), timeout);
            Runnable shed = () -> shed(connection);
            ByteBudget.Part records = unparsed.part(shed);
            ByteBudget.Part rest = unparsed.part(shed);
            connection.closeFuture().addListener(_ -> {
                records.end();
                rest.end();
            });
            connection
                    .pipeline()
                    .addLast(new PlainHttp(meter), new RecordTap(records))
                    .addLast(HANDSHAKE, handshake)
                    .addLast(new ProtocolChoice(limits, handler, meter, rest, unread, cancellations, place));
        }

        /** Without an alert, which would take memory when it is scarcest. */
        private void shed(Channel connection) {
            connection.eventLoop().execute(() -> {
                if (connection.isActive()) {
                    meter.reached(Limit.UNPARSED_BYTES);
                    closeAtOnce(connection);
                }
            });
        }
    }
}
