package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.publication.PublishedBackend;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.listen.TlsMaterial;
import io.netty.pkitesting.X509Bundle;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes where some server names have certificates of their own. */
final class PublishedNamesTest extends PublicationFixture {
    @Test
    void publishedName_hasItsCertificate_andEveryOtherTheOrdinaryOne() throws Exception {
        assertThat(presented(NAME)).isEqualTo(serving().getCertificate());
        assertThat(presented("Fairlead.Fairlead-System.svc"))
                .isEqualTo(serving().getCertificate());

        X509Certificate ordinary = presented("localhost");
        assertThat(ordinary).isNotEqualTo(serving().getCertificate());
        assertThat(presented("other.fairlead-system.svc")).isEqualTo(ordinary);
        assertThat(keep(edge.client()).serverCertificate()).as("without a name").isEqualTo(ordinary);
    }

    @Test
    void certificates_changeForNewConnections() throws Exception {
        RawClient before = proxy(east);
        assertThat(before.get(BOATS, ANN).status()).isEqualTo(200);
        X509Bundle renewed = edge.pki.server(NAME);
        edge.server.publish(List.of(withCertificate(renewed)));

        assertThat(presented(NAME)).isEqualTo(renewed.getCertificate());
        assertThat(before.get(BOATS, ANN).status()).isEqualTo(200);

        X509Bundle ordinary = edge.pki.server();
        edge.server.reload(
                new TlsMaterial(ordinary.getCertificatePathPEM(), ordinary.getPrivateKeyPEM(), edge.pki.caPem(), null));
        assertThat(presented("localhost")).isEqualTo(ordinary.getCertificate());
        assertThat(presented(NAME)).isEqualTo(renewed.getCertificate());
        assertThat(proxy(east).get(BOATS, ANN).status()).isEqualTo(200);

        edge.server.publish(List.of());
        assertThat(presented(NAME)).isEqualTo(ordinary.getCertificate());
    }

    @Test
    void certificateThatCannotBeUsed_leavesOtherNamesAlone() throws Exception {
        PublishedBackend usable = withCertificate(serving());
        PublishedBackend broken = new PublishedBackend(
                "broken.svc",
                usable.target(),
                usable.source(),
                usable.groupVersions(),
                usable.trusted(),
                serving().getCertificatePathPEM(),
                "no PEM");
        edge.server.publish(List.of(broken, usable));

        assertThat(presented(NAME)).isEqualTo(serving().getCertificate());
        assertThat(presented("broken.svc")).isEqualTo(presented("localhost"));
    }

    private PublishedBackend withCertificate(X509Bundle certificate) throws Exception {
        PublishedBackend other = backend("east", east, "dev");
        return new PublishedBackend(
                other.serverName(),
                other.target(),
                other.source(),
                other.groupVersions(),
                other.trusted(),
                certificate.getCertificatePathPEM(),
                certificate.getPrivateKeyPEM());
    }

    private X509Certificate presented(String serverName) throws Exception {
        return keep(edge.client(null, serverName)).serverCertificate();
    }

    /** A client of Go's with one certificate sends none that is not signed by a CA that the server names. */
    @Test
    void publishedName_namesNoCaOfClients() throws Exception {
        assertThat(casNamed("localhost")).as("an ordinary name").isEqualTo(1);
        assertThat(casNamed(NAME)).isZero();
    }

    private int casNamed(String serverName) throws Exception {
        NotesIssuers issuers = new NotesIssuers();
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(new KeyManager[] {issuers}, edge.pki.trust(), null);
        try (RawClient client = new RawClient(tls, edge.address, serverName)) {
            client.get("/livez");
        }
        return issuers.named.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /api HTTP/1.1\r\n\r\n", "SSH-2.0-client\r\n", "\u0016\u0003\u0001\u0001\u0000\u0001"})
    void clientWithoutAHandshake_isCountedOnce(String sent) throws Exception {
        try (Socket client = new Socket(edge.address.getAddress(), edge.address.getPort())) {
            client.setSoTimeout(20_000);
            client.getOutputStream().write(sent.getBytes(ISO_8859_1));
            if (!sent.startsWith("GET")) {
                client.shutdownOutput();
            }
            String answer = new String(client.getInputStream().readAllBytes(), ISO_8859_1);

            assertThat(answer.startsWith("HTTP/1.0 400")).isEqualTo(sent.startsWith("GET"));
        }
        Await.until(() -> failures() > 0);
        assertThat(keep(edge.client()).get("/livez").status()).isEqualTo(200);
        assertThat(failures()).isEqualTo(1);
    }

    @Test
    void firstMessageThatNeverEnds_meetsTheTimeoutOfHandshakes() throws Exception {
        start(Limited.by(Map.of("limits.handshakeTimeout", Duration.ofMillis(300))));
        try (Socket client = new Socket(edge.address.getAddress(), edge.address.getPort())) {
            client.setSoTimeout(20_000);
            client.getOutputStream().write("\u0016\u0003\u0001\u0001\u0000\u0001".getBytes(ISO_8859_1));

            assertThat(client.getInputStream().readAllBytes()).isEmpty();
        }
        Await.until(() -> failures() > 0);
        assertThat(failures()).isEqualTo(1);
        assertThat(edge.metrics.scrape())
                .contains("fairlead_limit_reached_total{limit=\"limits.handshakeTimeout\"} 1.0");
    }

    private double failures() {
        return edge.metrics.get("fairlead.client.handshakes.failed").counter().count();
    }

    /** Has no certificate, and notes how many CAs are named to it. */
    private static final class NotesIssuers extends X509ExtendedKeyManager {
        private final AtomicInteger named = new AtomicInteger(-1);

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            named.set(issuers == null ? 0 : issuers.length);
            return null;
        }

        @Override
        public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            return null;
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            return null;
        }
    }
}
