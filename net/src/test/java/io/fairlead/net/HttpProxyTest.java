package io.fairlead.net;

import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;
import static io.fairlead.net.Rig.unusedUrl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.pkitesting.X509Bundle;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are reached through an HTTP proxy, and those that are not. */
final class HttpProxyTest {
    /** A name that no DNS knows: it is for the proxy to look up. */
    private static final String NAME = "api.invalid";

    private static final URI API = URI.create("https://" + NAME + ":6443");
    private static final String OPENED = "HTTP/1.1 200 Connection established\r\n\r\n";

    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({"http, h2", "http, http/1.1", "https, h2", "https, http/1.1"})
    void request_goesThroughTheProxy_whichLearnsTheServersNameAlone(String scheme, String protocol) throws Exception {
        FakeProxy proxy = rig.opened(new FakeProxy(identity(scheme), OPENED, server(protocol)));
        Upstream upstream = open(proxy.url(), UpstreamLimits.defaults());

        assertThat(get(upstream, "/version").body()).isEqualTo("Bearer secret of /version");
        assertThat(get(upstream, "/healthz").body()).isEqualTo("Bearer secret of /healthz");

        assertThat(proxy.heads())
                .containsExactly("CONNECT " + NAME + ":6443 HTTP/1.1\r\nhost: " + NAME + ":6443\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void upgrade_goesThroughTheProxy(String scheme) throws Exception {
        FakeServer server = rig.opened(new FakeServer(Rig.PKI.forName(NAME), "http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                Rig.raw(ctx, "HTTP/1.1 101 Go on\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello");
            }
        }));
        FakeProxy proxy = rig.opened(new FakeProxy(identity(scheme), OPENED, server));
        Switched switched = new Switched();

        open(proxy.url(), UpstreamLimits.defaults())
                .upgrade(head(HttpMethod.GET, "/exec", 0), "x", rig.loop(), switched);

        assertThat(switched.heard.get(20, TimeUnit.SECONDS)).isEqualTo("hello");
        assertThat(proxy.heads()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "403 Forbidden, answered CONNECT with 403",
        "502 Bad Gateway, answered CONNECT with 502",
        "407 Proxy Authentication Required, answered CONNECT with 407 (expected one that asks for no credential)",
        "201 Created, answered CONNECT with 201"
    })
    void proxyThatRefuses_isTold(String status, String what) throws Exception {
        FakeProxy proxy =
                rig.opened(new FakeProxy(null, "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n", server("h2")));

        UpstreamFailure failure =
                get(open(proxy.url(), UpstreamLimits.defaults()), "/").failure();

        assertThat(failure)
                .isEqualTo(new UpstreamFailure(
                        Kind.CONNECT, "the proxy " + proxy.url() + " of " + API + " " + what, false));
        assertThat(failure.withoutAddress()).isEqualTo("the proxy of its API server " + what);
    }

    @Test
    void proxyThatIsNotThere_isTold() throws Exception {
        URI nobody = URI.create(unusedUrl().toString().replace("https", "http"));

        UpstreamFailure failure =
                get(open(nobody, UpstreamLimits.defaults()), "/").failure();

        assertThat(failure)
                .isEqualTo(new UpstreamFailure(
                        Kind.CONNECT, "the proxy " + nobody + " of " + API + " refuses connections", false));
        assertThat(failure.withoutAddress()).isEqualTo("the proxy of its API server refuses connections");
    }

    @Test
    void proxyThatDoesNotResolve_isTold() {
        HttpProxy proxy = Objects.requireNonNull(HttpProxy.of(spec(API, URI.create("http://proxy.invalid:3128"))));

        UpstreamFailure failure =
                Failures.resolving(new ProxyHop(proxy, Rig.endpoint(API)), new UnknownHostException());

        assertThat(failure.kind()).isEqualTo(Kind.UNKNOWN_HOST);
        assertThat(failure.message())
                .isEqualTo("the proxy http://proxy.invalid:3128 of " + API
                        + ": the host \"proxy.invalid\" does not resolve");
        assertThat(failure.withoutAddress())
                .isEqualTo("the proxy of its API server has a host name that does not resolve");
    }

    @Test
    void proxyThatSaysNothing_isTold() throws Exception {
        FakeServer mute = server("h2");
        mute.mute(true);
        URI url = URI.create(mute.url().toString().replace("https", "http"));
        UpstreamLimits limits = UpstreamLimits.defaults().withConnectTimeout(Duration.ofMillis(200));

        assertThat(get(open(url, limits), "/").failure().message())
                .isEqualTo("the proxy " + url + " of " + API + " did not answer CONNECT within 200 ms");
    }

    @Test
    void proxyThatIsNoHttpServer_isTold() throws Exception {
        FakeProxy proxy = rig.opened(new FakeProxy(null, "SSH-2.0-x\r\n\r\n", null));

        assertThat(get(open(proxy.url(), UpstreamLimits.defaults()), "/")
                        .failure()
                        .message())
                .isEqualTo(
                        "the proxy " + proxy.url() + " of " + API + " did not answer CONNECT (expected an HTTP proxy)");
    }

    @Test
    void proxyWhoseCertificateIsNotTrusted_isTold() throws Exception {
        FakeProxy proxy = rig.opened(new FakeProxy(new Pki().forLoopback(), OPENED, server("h2")));

        UpstreamFailure failure =
                get(open(proxy.url(), UpstreamLimits.defaults()), "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.CERTIFICATE);
        assertThat(failure.message()).startsWith("the proxy " + proxy.url() + " of " + API + " presents ");
        assertThat(proxy.heads()).isEmpty();
    }

    @Test
    void serverWhoseCertificateIsNotTrusted_isTold() throws Exception {
        FakeServer stranger = rig.opened(new FakeServer(new Pki().forName(NAME), "h2", (ctx, piece) -> {}));
        FakeProxy proxy = rig.opened(FakeProxy.leadingTo(stranger));

        UpstreamFailure failure =
                get(open(proxy.url(), UpstreamLimits.defaults()), "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.CERTIFICATE);
        assertThat(failure.message()).startsWith(API + " presents ");
    }

    @Test
    void addressOfTheProxy_isCheckedByThePolicy() throws Exception {
        FakeProxy proxy = rig.opened(FakeProxy.leadingTo(server("h2")));
        Upstream upstream =
                rig.opened(rig.client(UpstreamLimits.defaults(), false).open(spec(API, proxy.url())));

        UpstreamFailure failure = get(upstream, "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.ADDRESS_DENIED);
        assertThat(failure.message()).startsWith("the proxy " + proxy.url()).contains("upstream.allowLoopback");
        assertThat(failure.withoutAddress())
                .isEqualTo("the proxy of its API server has an address that may not be connected to");
        assertThat(proxy.heads()).isEmpty();
    }

    @Test
    void serverNamedByAnAddressThatIsDenied_isNotAskedForOfAProxy() throws Exception {
        FakeProxy proxy = rig.opened(FakeProxy.leadingTo(server("h2")));
        Upstream upstream = rig.opened(rig.client(UpstreamLimits.defaults(), true)
                .open(spec(URI.create("https://169.254.169.254"), proxy.url())));

        assertThat(get(upstream, "/").failure().kind()).isEqualTo(Kind.ADDRESS_DENIED);
        assertThat(proxy.heads()).isEmpty();
    }

    /** Who registers clusters could otherwise learn by a proxy's fate which ports are open. */
    @Test
    void ofAProxyThatIsNotNamed_noMoreIsTold() {
        HttpProxy proxy = Objects.requireNonNull(HttpProxy.of(spec(API, URI.create("http://10.0.0.1:3128"))));
        Hop hop = new ProxyHop(proxy, Rig.endpoint(API));
        Duration timeout = Duration.ofSeconds(1);

        assertThat(Stream.of(
                                Failures.connecting(hop, new ConnectException("refused"), timeout, false),
                                Failures.tunnelRefused(hop, 403, false),
                                Failures.tunnelTimeout(hop, timeout, false),
                                Failures.tunnelling(hop, new ClosedChannelException(), timeout, false))
                        .distinct())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://proxy:1080", "http://user:canary@proxy", "http:proxy", "http://proxy:0"})
    void proxyThatIsNone_isRefused(String proxy) {
        assertThatThrownBy(() -> rig.client(UpstreamLimits.defaults(), true).open(spec(API, URI.create(proxy))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("proxy: expected http[s]://host[:port] without a credential");
    }

    private FakeServer server(String protocol) {
        return rig.opened(new FakeServer(Rig.PKI.forName(NAME), protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                text(ctx, 200, request.headers().get("authorization") + " of " + request.uri());
            }
        }));
    }

    private Upstream open(URI proxy, UpstreamLimits limits) {
        return rig.opened(rig.client(limits, true).open(spec(API, proxy)));
    }

    private static UpstreamSpec spec(URI server, URI proxy) {
        return new UpstreamSpec(List.of(server), Rig.PKI.caPem(), null, null, null, "secret", proxy);
    }

    private static @Nullable X509Bundle identity(String scheme) {
        return scheme.equals("https") ? Rig.PKI.forLoopback() : null;
    }

    /** Hears what comes behind a 101. */
    private static final class Switched implements UpgradeReceiver {
        private final CompletableFuture<String> heard = new CompletableFuture<>();

        @Override
        public void onSwitched(String protocol, MutableFields headers, RawConnection connection) {
            connection.listen(new RawConnection.Listener() {
                @Override
                public void onData(ByteBuf data) {
                    heard.complete(data.toString(StandardCharsets.UTF_8));
                    data.release();
                }

                @Override
                public void onPause() {}

                @Override
                public void onEnd() {}

                @Override
                public void onWritable() {}

                @Override
                public void onLost() {}
            });
        }

        @Override
        public void onHead(int status, MutableFields headers) {
            heard.completeExceptionally(new AssertionError("answered " + status));
        }

        @Override
        public void onData(ByteBuf data) {
            data.release();
        }

        @Override
        public void onEnd() {}

        @Override
        public void onFailure(UpstreamFailure failure) {
            heard.completeExceptionally(new AssertionError(failure));
        }
    }
}
