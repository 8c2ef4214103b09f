package io.fairlead.net;

import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.Transport;
import io.fairlead.http.Via;
import io.fairlead.net.address.AddressPolicy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** Servers of a test and the client that calls them, closed together. */
final class Rig {
    static final Pki PKI = new Pki();

    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "test");
    private final List<AutoCloseable> closing = new ArrayList<>();

    FakeServer server(String protocol, FakeServer.Script script) {
        return opened(new FakeServer(PKI.forLoopback(), protocol, script));
    }

    Upstream upstream(FakeServer server) {
        return client(UpstreamLimits.defaults(), true).open(spec(server));
    }

    UpstreamClient client(UpstreamLimits limits, boolean allowLoopback) {
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(), allowLoopback, List::of);
        return opened(new UpstreamClient(loops, Transport.preferred(), policy, limits));
    }

    <T extends AutoCloseable> T opened(T one) {
        closing.add(one);
        return one;
    }

    /** One of the client's own. */
    EventLoop loop() {
        return loops.next();
    }

    static UpstreamSpec spec(FakeServer server) {
        return new UpstreamSpec(List.of(server.url()), PKI.caPem(), null, null, null);
    }

    /** One without a token, that is not probed. */
    static Endpoint endpoint(URI url) {
        EndpointHealth health = new EndpointHealth(
                EndpointLimits.defaults(),
                false,
                EndpointReport.UNPROVEN,
                System::nanoTime,
                new SplittableRandom(1),
                () -> {});
        return new Endpoint(url, new UpstreamSpec(List.of(url), null, null, null, null), Via.NONE, health);
    }

    /** The next in turn. */
    static Endpoint chosen(Generation generation) {
        return Objects.requireNonNull(generation.choose(null), "none is ready");
    }

    static Recorder get(Upstream upstream, String target) {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, target, 0), Upstream.Kind.SHORT, null, answer);
        return answer;
    }

    static RequestHead head(HttpMethod method, String target, long length) {
        return new RequestHead(method, target, Fields.EMPTY, length);
    }

    static ByteBuf utf8(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    static URI unusedUrl() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("https://127.0.0.1:" + socket.getLocalPort());
        }
    }

    static void text(ChannelHandlerContext ctx, int status, String body) {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), utf8(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        ctx.writeAndFlush(response);
    }

    static io.netty.channel.ChannelFuture raw(ChannelHandlerContext ctx, String bytes) {
        return FakeServer.raw(ctx).writeAndFlush(utf8(bytes));
    }

    static DefaultHttpHeaders chunked(ChannelHandlerContext ctx) {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        if (ctx.channel().parent() == null || ctx.channel().parent() instanceof io.netty.channel.ServerChannel) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return headers;
    }

    void close() throws Exception {
        for (AutoCloseable one : closing.reversed()) {
            one.close();
        }
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }
}
