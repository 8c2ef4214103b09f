package io.fairlead.net;

import io.fairlead.http.KeepAlive;
import io.fairlead.http.PeerTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Establishes one connection: resolves, checks the address, connects, performs the handshake, negotiates the protocol.
 * Reports its outcome exactly once, on the event loop.
 *
 * <p>With a proxy, the proxy is resolved, checked and connected to, and then asked to {@code CONNECT} to the server; a
 * server named by an address is checked too.
 *
 * <p>A name's addresses are tried in turn while they cannot be connected to; the address checked is the address
 * connected to, since nothing is resolved again.
 *
 * @param <C> the handler of the negotiated protocol
 */
final class Dial<C> {
    private static final int ADDRESSES_MAX = 4;

    /** Receives the outcome. */
    interface Outcome<C> {
        /** The handshake is done: creates the protocol's handler, and reports when it is ready, or why it failed. */
        void agreed(Channel channel, Endpoint.Protocol protocol, Opening<C> opening);

        void connected(Dial<C> dial, C connection, Endpoint.Protocol protocol);

        void failed(Dial<C> dial, UpstreamFailure failure);
    }

    /** Receives the result of the protocol's start. */
    interface Opening<C> {
        void ready(C connection);

        void failed(UpstreamFailure failure);
    }

    private final UpstreamClient client;
    private final Endpoint endpoint;
    private final SslContext tls;
    private final @Nullable String tlsServerName;
    private final @Nullable HttpProxy proxy;
    private final Hop hop;
    private final EventLoop loop;
    private final ConnectionBudget budget;
    private final Outcome<C> outcome;

    private @Nullable Channel channel;
    private @Nullable ScheduledFuture<?> deadline;
    private boolean over;

    /** Whether failures may reveal what is found at the address. */
    private boolean isNamed = true;

    /** @param budget from which one was taken, returned with the connection or with the failure */
    Dial(
            UpstreamClient client,
            Endpoint endpoint,
            SslContext tls,
            Generation generation,
            EventLoop loop,
            ConnectionBudget budget,
            Outcome<C> outcome) {
        this.client = client;
        this.endpoint = endpoint;
        this.tls = tls;
        this.tlsServerName = generation.spec().tlsServerName();
        this.proxy = generation.proxy();
        this.hop = proxy == null ? endpoint : new ProxyHop(proxy, endpoint);
        this.loop = loop;
        this.budget = budget;
        this.outcome = outcome;
    }

    /** On the event loop. */
    void start() {
        byte @Nullable [] literal = NetUtil.createByteArrayFromIpAddressString(hop.host());
        Optional<UpstreamFailure> refusal = proxy == null ? Optional.empty() : refusalOfServer();
        if (refusal.isPresent()) {
            nextStep(() -> fail(refusal.get()));
        } else if (literal != null) {
            nextStep(() -> tryNext(List.of(address(literal)).iterator(), null));
        } else {
            nextStep(this::lookUp);
        }
    }

    /** Cancels; reports nothing. */
    void abandon() {
        if (!over) {
            over = true;
            budget.giveBack();
        }
        close();
    }

    /** Runs an action soon; an exception ends the dial, since calls wait for its outcome. */
    private void nextStep(Runnable step) {
        loop.execute(() -> take(step));
    }

    private void take(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            fail(Failures.brokenDial(endpoint, e));
        }
    }

    /** A forbidden address is not requested from a proxy either, where it is known here. */
    private Optional<UpstreamFailure> refusalOfServer() {
        byte @Nullable [] literal = NetUtil.createByteArrayFromIpAddressString(endpoint.host());
        return literal == null
                ? Optional.empty()
                : client.addressPolicy()
                        .refusal(new InetSocketAddress(address(literal), endpoint.port()))
                        .map(why -> Failures.denied(endpoint, endpoint.host(), why));
    }

    private void lookUp() {
        if (over) {
            return;
        }
        Duration timeout = client.limits().connectTimeout();
        deadline = loop.schedule(
                () -> fail(Failures.lookUpTimeout(hop, timeout)), timeout.toNanos(), TimeUnit.NANOSECONDS);
        client.resolver()
                .resolve(hop.host())
                .whenComplete((addresses, problem) -> nextStep(() -> lookedUp(addresses, problem)));
    }

    private void lookedUp(List<InetAddress> addresses, @Nullable Throwable problem) {
        stopDeadline();
        if (problem != null) {
            fail(Failures.resolving(hop, problem));
        } else {
            tryNext(addresses.stream().limit(ADDRESSES_MAX).iterator(), null);
        }
    }

    private void tryNext(Iterator<InetAddress> addresses, @Nullable UpstreamFailure last) {
        if (over) {
            return;
        }
        if (!addresses.hasNext()) {
            fail(last != null ? last : Failures.resolving(hop, new UnknownHostException()));
            return;
        }
        InetSocketAddress address = new InetSocketAddress(addresses.next(), hop.port());
        Optional<String> refusal = client.addressPolicy().refusal(address);
        if (refusal.isPresent()) {
            tryNext(addresses, Failures.denied(hop, address.getAddress().getHostAddress(), refusal.get()));
            return;
        }
        isNamed = client.addressPolicy().names(address.getAddress());
        connect(address).addListener((ChannelFuture connected) -> take(() -> connected(connected, addresses)));
    }

    private void connected(ChannelFuture connecting, Iterator<InetAddress> addresses) {
        if (!connecting.isSuccess()) {
            tryNext(
                    addresses,
                    Failures.connecting(hop, connecting.cause(), client.limits().connectTimeout(), isNamed));
        } else if (over) {
            connecting.channel().close();
        } else {
            channel = connecting.channel();
            if (proxy == null) {
                handshakeIsDueIn(client.limits().tlsTimeout().toNanos());
            } else {
                tunnelIsDue();
            }
        }
    }

    private ChannelFuture connect(InetSocketAddress address) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(client.transport().socketChannels())
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .option(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(client.limits().connectTimeout().toMillis()))
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel fresh) {
                        KeepAlive.on(fresh);
                        if (proxy == null) {
                            fresh.pipeline().addLast(handshake(fresh), new AlpnSwitch());
                        } else {
                            throughProxy(fresh, proxy);
                        }
                    }
                });
        return bootstrap.connect(address);
    }

    private void throughProxy(Channel fresh, HttpProxy through) {
        SslContext withProxy = through.tls();
        if (withProxy != null) {
            SslHandler handler = withProxy.newHandler(fresh.alloc(), hop.host(), hop.port());
            handler.setHandshakeTimeoutMillis(client.limits().tlsTimeout().toMillis());
            fresh.pipeline().addLast(handler);
        }
        fresh.pipeline().addLast(new Tunnel(endpoint.hostAndPort(), new Tunnelled(fresh)));
    }

    private SslHandler handshake(Channel fresh) {
        SslHandler handler =
                tls.newHandler(fresh.alloc(), tlsServerName == null ? endpoint.host() : tlsServerName, endpoint.port());
        handler.setHandshakeTimeoutMillis(client.limits().tlsTimeout().toMillis());
        return handler;
    }

    /** The time for a connection, plus that for a handshake if over TLS. */
    private void tunnelIsDue() {
        Duration timeout = client.limits().connectTimeout();
        Duration more = proxy != null && proxy.tls() != null ? client.limits().tlsTimeout() : Duration.ZERO;
        deadline = loop.schedule(
                () -> fail(Failures.tunnelTimeout(hop, timeout.plus(more), isNamed)),
                timeout.plus(more).toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Longer than the handshake's own timeout: over HTTP/2 the peer's settings must arrive too. */
    private void handshakeIsDueIn(long nanos) {
        deadline = loop.schedule(
                () -> fail(Failures.handshakeTimeout(endpoint, client.limits().tlsTimeout(), isNamed)),
                nanos + TimeUnit.MILLISECONDS.toNanos(50),
                TimeUnit.NANOSECONDS);
    }

    private void succeed(C connection, Endpoint.Protocol protocol) {
        if (over) {
            close();
            return;
        }
        over = true;
        stopDeadline();
        ConnectionBudget held = budget; // The connection stays for long, this does not.
        Objects.requireNonNull(channel).closeFuture().addListener(_ -> held.giveBack());
        outcome.connected(this, connection, protocol);
    }

    private void fail(UpstreamFailure failure) {
        if (!over) {
            over = true;
            close();
            budget.giveBack();
            outcome.failed(this, failure);
        }
    }

    private void close() {
        stopDeadline();
        if (channel != null) {
            channel.close();
        }
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    private static InetAddress address(byte[] literal) {
        try {
            return InetAddress.getByAddress(literal);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private final class Opened implements Opening<C> {
        private final Endpoint.Protocol protocol;

        Opened(Endpoint.Protocol protocol) {
            this.protocol = protocol;
        }

        @Override
        public void ready(C connection) {
            succeed(connection, protocol);
        }

        @Override
        public void failed(UpstreamFailure failure) {
            fail(failure);
        }
    }

    /** Starts the handshake with the server once the proxy has opened the tunnel. */
    private final class Tunnelled implements Tunnel.Outcome {
        private final Channel opening;

        Tunnelled(Channel opening) {
            this.opening = opening;
        }

        @Override
        public void opened() {
            stopDeadline();
            if (over) {
                opening.close();
                return;
            }
            channel = opening;
            handshakeIsDueIn(client.limits().tlsTimeout().toNanos());
            opening.pipeline().addLast(handshake(opening), new AlpnSwitch());
        }

        @Override
        public void refused(int status) {
            fail(Failures.tunnelRefused(hop, status, isNamed));
        }

        @Override
        public void failed(Throwable cause) {
            fail(Failures.tunnelling(hop, cause, client.limits().tlsTimeout(), isNamed));
            opening.close();
        }
    }

    /** Ends the handshake: reports what ALPN chose (RFC 7301), or the failure. */
    private final class AlpnSwitch extends ApplicationProtocolNegotiationHandler {
        AlpnSwitch() {
            super(ApplicationProtocolNames.HTTP_1_1);
        }

        /** Netty's result is that of the first peer, which may be a proxy. */
        @Override
        protected void configurePipeline(ChannelHandlerContext ctx, String told) {
            channel = ctx.channel();
            String protocol = PeerTls.of(ctx.pipeline()).applicationProtocol();
            Endpoint.Protocol agreed = ApplicationProtocolNames.HTTP_2.equals(protocol)
                    ? Endpoint.Protocol.HTTP_2
                    : Endpoint.Protocol.HTTP_1_1;
            outcome.agreed(ctx.channel(), agreed, new Opened(agreed));
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
            fail(Failures.handshaking(endpoint, cause, client.limits().tlsTimeout(), isNamed));
            ctx.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            handshakeFailure(ctx, cause);
        }

        /** Netty leaves failures to {@link #exceptionCaught}, and there is no exception when the peer closes. */
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
            if (event instanceof SslHandshakeCompletionEvent done && !done.isSuccess()) {
                handshakeFailure(ctx, done.cause());
            }
            super.userEventTriggered(ctx, event);
        }
    }
}
