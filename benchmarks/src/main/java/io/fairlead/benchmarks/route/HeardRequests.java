package io.fairlead.benchmarks.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.Pki;
import io.fairlead.credentials.pki.PkiException;
import io.fairlead.gateway.listen.ClientStream;
import io.fairlead.gateway.listen.ConnectionMeter;
import io.fairlead.gateway.listen.Listener;
import io.fairlead.gateway.listen.Peer;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestHandler;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Transport;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoopGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Real heads of requests, received by a listener on the loopback interface: only the listener makes them. */
final class HeardRequests implements RequestHandler, AutoCloseable {
    private static final long WAIT_SECONDS = 10;

    private final Path folder = Files.createTempDirectory("fairlead-benchmark");
    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "benchmark-io");
    private final BlockingQueue<Received> heard = new LinkedBlockingQueue<>();
    private final Listener listener;
    private final InetSocketAddress address;
    private final HttpClient client;

    HeardRequests() throws IOException, PkiException, GeneralSecurityException {
        Pki pki = Pki.open(folder, InstantSource.system());
        KeyedCertificate serving = pki.serving(Set.of("localhost"));
        listener = new Listener(
                Transport.preferred(),
                loops,
                new TlsMaterial(serving.certificate(), serving.key(), null, null),
                DefaultLimits.FRONT_END,
                this,
                ConnectionMeter.NONE);
        address = listener.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting(pki.caCertificate()))
                .build();
    }

    /** A GET with a token, as the front end receives it. */
    Received get(String target, String token) throws IOException, InterruptedException {
        client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + address.getPort() + target))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.discarding());
        return Objects.requireNonNull(heard.poll(WAIT_SECONDS, TimeUnit.SECONDS), target);
    }

    @Override
    public void handle(Received request, ClientStream stream) {
        heard.add(request);
        stream.receive(new Unheard());
        stream.head(204, new MutableFields(), true);
    }

    @Override
    public void refused(Peer peer, Status status) {}

    @Override
    public void close() throws IOException {
        client.close();
        listener.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static SSLContext trusting(String ca) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "ca",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(ca.getBytes(UTF_8))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** Of a request without a body whose answer is there at once. */
    private static final class Unheard implements RequestListener {
        @Override
        public void onData(ByteBuf data) {
            data.release();
        }

        @Override
        public void onEnd() {}

        @Override
        public void onGone() {}
    }
}
