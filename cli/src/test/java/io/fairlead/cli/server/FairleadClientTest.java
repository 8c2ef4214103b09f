package io.fairlead.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.FairleadVersion;
import io.fairlead.testkit.HttpServers;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which servers of kubeconfigs are found, and trusted by {@code tls-server-name}. */
class FairleadClientTest {
    private static final Path FILE = Path.of("k");

    private final List<List<SNIServerName>> asked = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private X509Bundle authority;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpsServer server;

    @BeforeEach
    void start() throws Exception {
        authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=test root")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle certificate = new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .addExtendedKeyUsageServerAuth()
                .addSanDnsName("fairlead.example")
                .addSanIpAddress("10.1.2.3")
                .buildIssuedBy(authority);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            ExtendedSSLSession session = (ExtendedSSLSession) ((HttpsExchange) exchange).getSSLSession();
            asked.add(new ArrayList<>(session.getRequestedServerNames()));
            byte[] body = ("{\"product\":\"" + FairleadVersion.PRODUCT + "\"}").getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        HttpServers.stop(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void connect_serverOfTheName_isTrustedAndAskedForByIt(String host) throws Exception {
        FairleadClient.connect(target(host, "fairlead.example"), FILE).close();

        assertThat(asked).containsExactly(List.of(new SNIHostName("fairlead.example")));
    }

    @Test
    void connect_nameThatIsAnAddress_isTrustedAndNotAskedFor() throws Exception {
        FairleadClient.connect(target("localhost", "10.1.2.3"), FILE).close();

        assertThat(asked).containsExactly(List.of());
    }

    @ParameterizedTest
    @CsvSource({"localhost, ", "localhost, other.example", "127.0.0.1, 10.1.2.4", "localhost, localhost"})
    void connect_serverOfAnotherName_isNotTrusted(String host, @Nullable String name) {
        assertThatThrownBy(() -> FairleadClient.connect(target(host, name), FILE))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("cannot be trusted");

        assertThat(asked).isEmpty();
    }

    @Test
    void connect_nameThatNoServerCanHave_isNamed() {
        assertThatThrownBy(() -> FairleadClient.connect(target("localhost", "no name"), FILE))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("k: tls-server-name \"no name\" (expected a host name or an address)");
    }

    @Test
    void connect_hostThatIsNoName_isRefused() {
        String host = "a".repeat(64) + ".example";

        assertThatThrownBy(() -> FairleadClient.connect(target(host, null), FILE))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("k: server https://" + host)
                .hasMessageContaining("(expected the name of a host: ");
    }

    private Target target(String host, @Nullable String name) {
        return new Target(
                URI.create("https://" + host + ":" + server.getAddress().getPort()),
                name,
                authority.getCertificatePEM(),
                null,
                null,
                null,
                null);
    }
}
