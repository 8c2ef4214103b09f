package io.fairlead.net;

import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.spec;
import static io.fairlead.net.Rig.text;
import static io.fairlead.net.Rig.unusedUrl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that cannot be connected to, or must not be trusted, and what is said of them. */
final class ConnectingTest {
    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @Test
    void refusedConnection_isTold() throws IOException {
        URI url = unusedUrl();
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true)
                .open(new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null));

        assertThat(get(upstream, "/").failure())
                .isEqualTo(new UpstreamFailure(Kind.CONNECT, url + " refuses connections", false));
    }

    @Test
    void certificateForAnotherName_isTold() {
        FakeServer server = rig.opened(new FakeServer(Rig.PKI.forName("kube.internal"), "h2", (ctx, piece) -> {}));

        UpstreamFailure failure = get(rig.upstream(server), "/").failure();

        assertThat(failure)
                .isEqualTo(new UpstreamFailure(
                        Kind.CERTIFICATE,
                        server.url() + " presents a certificate for \"kube.internal\", which is not the host asked for",
                        false));
    }

    @Test
    void tlsServerName_isTheNameTheCertificateMustBeFor() {
        FakeServer server = rig.opened(new FakeServer(Rig.PKI.forName("kube.internal"), "h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "ok");
            }
        }));
        UpstreamSpec named = new UpstreamSpec(List.of(server.url()), Rig.PKI.caPem(), "kube.internal", null, null);

        assertThat(get(rig.client(UpstreamLimits.defaults(), true).open(named), "/")
                        .body())
                .isEqualTo("ok");
    }

    @Test
    void certificateOfAnotherCa_isTold() {
        FakeServer server = rig.opened(new FakeServer(new Pki().forLoopback(), "h2", (ctx, piece) -> {}));

        UpstreamFailure failure = get(rig.upstream(server), "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.CERTIFICATE);
        assertThat(failure.message()).contains("not signed by the given CA bundle");
    }

    @Test
    void certificateThatNoSystemCaSigned_isTold() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {});
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true)
                .open(new UpstreamSpec(List.of(server.url()), null, null, null, null));

        assertThat(get(upstream, "/").failure().message()).contains("not signed by a CA of the system's trust store");
    }

    @Test
    void expiredCertificate_isTold() {
        FakeServer server = rig.opened(new FakeServer(Rig.PKI.expired(), "h2", (ctx, piece) -> {}));

        assertThat(get(rig.upstream(server), "/").failure().message()).contains("a certificate that expired on ");
    }

    @Test
    void serverWithoutTls_isTold() throws IOException {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> {
                try (var accepted = plain.accept()) {
                    accepted.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    accepted.getOutputStream().flush();
                    accepted.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // The client leaves.
                }
            });
            URI url = URI.create("https://127.0.0.1:" + plain.getLocalPort());
            Upstream upstream = rig.client(UpstreamLimits.defaults(), true)
                    .open(new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null));

            UpstreamFailure failure = get(upstream, "/").failure();

            assertThat(failure).isEqualTo(new UpstreamFailure(Kind.TLS, url + " does not speak TLS", false));
            server.interrupt();
        }
    }

    /** As a load balancer does whose servers are not there yet. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void serverThatEndsTheHandshake_isNotConnected(boolean reads) throws IOException {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try (var accepted = plain.accept()) {
                        if (reads) {
                            accepted.getInputStream().read(new byte[4096]);
                        }
                    } catch (IOException e) {
                        return; // The test is over.
                    }
                }
            });
            URI url = URI.create("https://127.0.0.1:" + plain.getLocalPort());
            Upstream upstream = rig.client(UpstreamLimits.defaults(), true)
                    .open(new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null));

            assertThat(get(upstream, "/").failure())
                    .isEqualTo(new UpstreamFailure(
                            Kind.CONNECT, url + " closed the connection during the TLS handshake", false));
        }
    }

    @Test
    void clientCertificate_isPresented() {
        X509Bundle identity = Rig.PKI.forClient("fairlead");
        FakeServer server = rig.opened(new FakeServer(
                Rig.PKI.forLoopback(), "h2", Http2Settings.defaultSettings(), Rig.PKI.caPem(), (ctx, piece) -> {
                    if (piece instanceof HttpRequest) {
                        text(ctx, 200, "welcome");
                    }
                }));
        UpstreamSpec spec = new UpstreamSpec(
                List.of(server.url()),
                Rig.PKI.caPem(),
                null,
                identity.getCertificatePathPEM(),
                identity.getPrivateKeyPEM());

        assertThat(get(rig.client(UpstreamLimits.defaults(), true).open(spec), "/")
                        .body())
                .isEqualTo("welcome");
        assertThat(get(rig.upstream(server), "/").failure().kind()).isIn(Kind.TLS, Kind.RESET);
    }

    @Test
    void loopback_isRefusedUnlessAllowed() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {});
        Upstream upstream = rig.client(UpstreamLimits.defaults(), false).open(spec(server));

        UpstreamFailure failure = get(upstream, "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.ADDRESS_DENIED);
        assertThat(failure.message()).contains("127.0.0.1").contains("upstream.allowLoopback");
        assertThat(server.accepted()).isZero();
    }

    @Test
    void unusableSpecification_isRefusedAtOnce() {
        UpstreamClient client = rig.client(UpstreamLimits.defaults(), true);

        assertThatThrownBy(() ->
                        client.open(new UpstreamSpec(List.of(URI.create("https://h")), "no pem", null, null, null)))
                .hasMessageContaining("caBundle");
        assertThatThrownBy(() -> client.open(new UpstreamSpec(List.of(URI.create("http://h")), null, null, null, null)))
                .hasMessageContaining("http://h");
    }
}
