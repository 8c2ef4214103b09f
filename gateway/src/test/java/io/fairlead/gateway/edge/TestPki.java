package io.fairlead.gateway.edge;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.time.Duration;
import java.time.Instant;

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
