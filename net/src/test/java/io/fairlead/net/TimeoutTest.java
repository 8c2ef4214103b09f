package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is waited for, how long, and what is said when it did not come. */
final class TimeoutTest {
    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @Test
    void handshakeThatIsNeverAnswered_isATimeout() throws IOException {
        URI url = mute();

        UpstreamFailure failure = get(List.of(url), limits().withTlsTimeout(Duration.ofMillis(300)))
                .failure();

        assertThat(failure)
                .isEqualTo(new UpstreamFailure(
                        Kind.TIMEOUT, url + " did not finish the TLS handshake within 300 ms", false));
    }

    @Test
    void settingsThatNeverCome_areATimeout() throws Exception {
        URI url = silentBehindTls();

        UpstreamFailure failure = get(List.of(url), limits().withTlsTimeout(Duration.ofSeconds(1)))
                .failure();

        assertThat(failure)
                .isEqualTo(
                        new UpstreamFailure(Kind.TIMEOUT, url + " did not finish the TLS handshake within 1 s", false));
    }

    @Test
    void endpointThatHangsInItsHandshake_isWalkedRound() throws IOException {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                Rig.text(ctx, 200, "alive");
            }
        });
        List<URI> both = List.of(mute(), server.url());

        assertThat(get(both, limits().withTlsTimeout(Duration.ofSeconds(3))).body())
                .isEqualTo("alive");
    }

    @Test
    void connectionThatIsNotThereInTime_isNoAnswerOfTheServer() throws IOException {
        URI url = mute();

        UpstreamFailure failure = get(List.of(url), limits().withFirstByteTimeout(Duration.ofMillis(300)))
                .failure();

        assertThat(failure)
                .isEqualTo(new UpstreamFailure(
                        Kind.TIMEOUT, "there was no free connection to " + url + " within 300 ms", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void answerThatNeverBegins_namesTheEndpoint(String protocol) {
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request && request.uri().equals("/connect")) {
                Rig.text(ctx, 200, "connected");
            }
        });
        Upstream upstream = upstream(List.of(server.url()), limits().withFirstByteTimeout(Duration.ofSeconds(2)));
        // However long the first handshake takes here: what is measured begins on a connection that stands.
        eventually(() -> answers(Rig.get(upstream, "/connect")));

        UpstreamFailure failure = Rig.get(upstream, "/").failure();

        assertThat(failure)
                .isEqualTo(
                        new UpstreamFailure(Kind.TIMEOUT, server.url() + " did not begin to answer within 2 s", true));
    }

    private static boolean answers(Recorder answer) {
        eventually(answer::isOver);
        return answer.soFar().equals("connected");
    }

    /** Takes connections, and says nothing on them. */
    private URI mute() throws IOException {
        ServerSocket socket = rig.opened(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        return URI.create("https://127.0.0.1:" + socket.getLocalPort());
    }

    /** Agrees on HTTP/2, and says nothing after the handshake. */
    private URI silentBehindTls() throws Exception {
        // That of PKIX derives the private key from its password at each handshake.
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(Rig.PKI.forLoopback().toKeyStore("x".toCharArray()), "x".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        SSLServerSocket socket = rig.opened((SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        Thread.ofVirtual().start(() -> {
            try (Socket accepted = socket.accept()) {
                accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // The client leaves, or the test ends.
            }
        });
        return URI.create("https://127.0.0.1:" + socket.getLocalPort());
    }

    private Recorder get(List<URI> urls, UpstreamLimits limits) {
        return Rig.get(upstream(urls, limits), "/");
    }

    private Upstream upstream(List<URI> urls, UpstreamLimits limits) {
        return rig.client(limits, true).open(new UpstreamSpec(urls, Rig.PKI.caPem(), null, null, null));
    }

    private static UpstreamLimits limits() {
        return UpstreamLimits.defaults();
    }
}
