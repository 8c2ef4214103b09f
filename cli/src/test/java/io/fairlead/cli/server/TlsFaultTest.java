package io.fairlead.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What people are told of a server that cannot be trusted. */
class TlsFaultTest {
    @Test
    void unknownIssuer_isToldWithoutTheJdksClasses() {
        Exception building = new CertPathBuilderException("unable to find valid certification path");
        Exception validating =
                new CertificateException("PKIX path building failed: sun.security.X: unable to find", building);

        assertThat(TlsFault.of(failed(validating)))
                .isEqualTo("its certificate is signed by no CA that the kubeconfig names");
    }

    @Test
    void expired_isToldSo() {
        assertThat(TlsFault.of(failed(new CertificateException("PKIX", new CertificateExpiredException("x")))))
                .isEqualTo("its certificate has expired");
    }

    @Test
    void anotherName_isTheCertificatesOwnWords() {
        assertThat(TlsFault.of(failed(new CertificateException("No name matching a found"))))
                .isEqualTo("No name matching a found");
        assertThat(TlsFault.of(new SSLException("Unrecognized SSL message"))).isEqualTo("Unrecognized SSL message");
    }

    private static SSLException failed(Exception cause) {
        SSLException failure = new SSLHandshakeException("(certificate_unknown) " + cause);
        failure.initCause(cause);
        return failure;
    }
}
