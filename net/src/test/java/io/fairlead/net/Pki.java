package io.fairlead.net;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.time.Duration;
import java.time.Instant;

/** A certificate authority for one test run. */
final class Pki {
    private final X509Bundle root = root("CN=test root");

    String caPem() {
        return root.getCertificatePEM();
    }

    /** A server's certificate for 127.0.0.1 and localhost. */
    X509Bundle forLoopback() {
        return issue(server().addSanIpAddress("127.0.0.1").addSanDnsName("localhost"));
    }

    X509Bundle forName(String name) {
        return issue(server().addSanDnsName(name));
    }

    X509Bundle expired() {
        Instant now = Instant.now();
        return issue(server().addSanIpAddress("127.0.0.1")
                .notBefore(now.minus(Duration.ofDays(3)))
                .notAfter(now.minus(Duration.ofDays(1))));
    }

    X509Bundle forClient(String commonName) {
        return issue(
                new CertificateBuilder().ecp256().subject("CN=" + commonName).addExtendedKeyUsageClientAuth());
    }

    private static CertificateBuilder server() {
        return new CertificateBuilder().ecp256().subject("CN=server").addExtendedKeyUsageServerAuth();
    }

    private X509Bundle issue(CertificateBuilder builder) {
        try {
            return builder.buildIssuedBy(root);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Bundle root(String subject) {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject(subject)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
