package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is waited for, how long, and what is said when it did not come. */
final class TimeoutTest {
    private static final Pki PKI = new Pki();

    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "test");
    private final List<AutoCloseable> closing = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : closing.reversed()) {
            one.close();
        }
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
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
        FakeServer server = opened(new FakeServer(PKI.forLoopback(), "h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                UpstreamTest.text(ctx, 200, "alive");
            }
        }));
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

    @Test
    void answerThatNeverBegins_namesTheEndpoint() {
        FakeServer server = opened(new FakeServer(PKI.forLoopback(), "h2", (_, _) -> {}));

        UpstreamFailure failure = get(List.of(server.url()), limits().withFirstByteTimeout(Duration.ofSeconds(2)))
                .failure();

        assertThat(failure)
                .isEqualTo(
                        new UpstreamFailure(Kind.TIMEOUT, server.url() + " did not begin to answer within 2 s", true));
    }

    /** Takes connections, and says nothing on them. */
    private URI mute() throws IOException {
        ServerSocket socket = opened(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        return URI.create("https://127.0.0.1:" + socket.getLocalPort());
    }

    /** Agrees on HTTP/2, and says nothing after the handshake. */
    private URI silentBehindTls() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(PKI.forLoopback().toKeyStore("x".toCharArray()), "x".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        SSLServerSocket socket = opened((SSLServerSocket)
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
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(), true, List::of);
        UpstreamClient client = opened(new UpstreamClient(loops, Transport.preferred(), policy, limits));
        Upstream upstream = client.open(new UpstreamSpec(urls, PKI.caPem(), null, null, null));
        Recorder answer = new Recorder();
        upstream.send(
                new RequestHead(HttpMethod.GET, "/", new DefaultHttpHeaders(), 0), Upstream.Kind.SHORT, null, answer);
        return answer;
    }

    private <T extends AutoCloseable> T opened(T one) {
        closing.add(one);
        return one;
    }

    private static UpstreamLimits limits() {
        return UpstreamLimits.defaults();
    }
}
