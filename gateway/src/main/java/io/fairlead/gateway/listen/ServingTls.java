package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.PrivateKeys;
import io.fairlead.http.TlsProvider;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS 1.2 and 1.3 for the listener: HTTP/2 preferred, client certificates requested and verified later. */
final class ServingTls {
    /**
     * Of a client's certificates, which are kept as long as its connection is open, and which any client can send; the library's own
     * bound is some 100 KiB. A chain of three has about 4 KiB.
     */
    private static final int CLIENT_CHAIN_BYTES_MAX = 16 * 1024;

    private ServingTls() {}

    /**
     * Creates a context.
     *
     * @throws IllegalArgumentException naming what cannot be used; never a key
     */
    static SslContext context(TlsMaterial material) {
        List<X509Certificate> issuers = new ArrayList<>(certificates("client CA", material.clientCa()));
        issuers.addAll(certificates("front proxy CA", material.frontProxyCa()));
        return context(material, issuers.isEmpty() ? ClientAuth.NONE : ClientAuth.OPTIONAL, issuers);
    }

    /**
     * The same for a name that only front proxies ask for: names no CA of client certificates, since a client of Go's
     * sends none that is not signed by one of those named, and clusters have a CA each.
     *
     * @throws IllegalArgumentException as above
     */
    static SslContext ofAnyClientCa(TlsMaterial material) {
        return context(material, ClientAuth.OPTIONAL, List.of());
    }

    private static SslContext context(TlsMaterial material, ClientAuth clientAuth, List<X509Certificate> issuers) {
        List<X509Certificate> chain = certificates("serving certificate", material.certificateChain());
        try {
            // Netty's own PEM parsing would load Bouncy Castle, hundreds of classes, on each start.
            return TlsProvider.build(SslContextBuilder.forServer(PrivateKeys.parse(material.privateKey()), chain)
                    .option(OpenSslContextOption.MAX_CERTIFICATE_LIST_BYTES, CLIENT_CHAIN_BYTES_MAX)
                    .sslProvider(TlsProvider.preferred())
                    // Netty passes the key on in an in-memory key store; PKCS #12 would derive a key from a password
                    // first, ten thousand hashes on each start.
                    .keyStoreType("JKS")
                    .protocols("TLSv1.3", "TLSv1.2")
                    .ciphers(TlsProvider.ciphers(), SupportedCipherSuiteFilter.INSTANCE)
                    .clientAuth(clientAuth)
                    .trustManager(new JudgedLater(issuers))
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            ApplicationProtocolNames.HTTP_2,
                            ApplicationProtocolNames.HTTP_1_1)));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "serving certificate: it and its private key cannot be used together (expected a PEM chain and the"
                            + " leaf's PEM key)",
                    e);
        }
    }

    private static List<X509Certificate> certificates(String what, @Nullable String pem) {
        if (pem == null) {
            return List.of();
        }
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(UTF_8)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new IllegalArgumentException(what + ": expected PEM certificates", e);
        }
    }

    /**
     * Accepts every client certificate in the handshake, which proves the possession of its key: authentication
     * verifies the chain, with the CA of that moment, and answers 401 instead of breaking the connection.
     */
    private static final class JudgedLater extends X509ExtendedTrustManager {
        private final X509Certificate[] issuers;

        JudgedLater(List<X509Certificate> issuers) {
            this.issuers = issuers.toArray(X509Certificate[]::new);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return issuers.clone();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw new CertificateException("this side is the server");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }
    }
}
