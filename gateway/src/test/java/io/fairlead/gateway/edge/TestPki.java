package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayInputStream;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate authority for one test run. */
final class TestPki {
    private final X509Bundle root = root();

    String caPem() {
        return root.getCertificatePEM();
    }

    X509Bundle server() {
        return issue(new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .addExtendedKeyUsageServerAuth()
                .addSanIpAddress("127.0.0.1")
                .addSanDnsName("localhost"));
    }

    /** A server's certificate for one name. */
    X509Bundle server(String dnsName) {
        return issue(new CertificateBuilder()
                .ecp256()
                .subject("CN=" + dnsName)
                .addExtendedKeyUsageServerAuth()
                .addSanDnsName(dnsName));
    }

    /** A client's certificate; the subject is written first attribute last ({@code CN=jane,O=dev}). */
    X509Bundle client(String subject) {
        return issue(new CertificateBuilder().ecp256().subject(subject).addExtendedKeyUsageClientAuth());
    }

    /** One of a client's that is over. */
    X509Bundle expiredClient(String subject) {
        Instant now = Instant.now();
        return issue(new CertificateBuilder()
                .ecp256()
                .subject(subject)
                .addExtendedKeyUsageClientAuth()
                .notBefore(now.minus(Duration.ofDays(2)))
                .notAfter(now.minus(Duration.ofDays(1))));
    }

    /** How clients of its servers speak TLS, with a certificate or without. */
    SSLContext tls(@Nullable X509Bundle certificate) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(certificate), trust(), null);
            return context;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What clients trust: servers whose certificates it signed. */
    TrustManager[] trust() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "ca",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(caPem().getBytes(UTF_8))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        return trust.getTrustManagers();
    }

    /** What a client authenticates with; null for a client without a certificate. */
    static KeyManager @Nullable [] keys(@Nullable X509Bundle certificate) throws Exception {
        if (certificate == null) {
            return null;
        }
        // That of PKIX derives the private key from its password at each handshake.
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(certificate.toKeyStore("x".toCharArray()), "x".toCharArray());
        return keys.getKeyManagers();
    }

    private X509Bundle issue(CertificateBuilder builder) {
        try {
            return builder.buildIssuedBy(root);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Bundle root() {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=test root")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
