package io.fairlead.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
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
                .isEqualTo(
                        "the server's certificate was not issued by the CA of the kubeconfig (certificate-authority)");
    }

    @Test
    void issuerOfTheSameName_isToldWithoutTheJdksClasses() {
        Exception signature = new CertPathValidatorException("signature check failed");
        Exception validating = new CertificateException(
                "PKIX path validation failed: java.security.cert.CertPathValidatorException: signature", signature);

        assertThat(TlsFault.of(failed(validating)))
                .isEqualTo("the server's certificate was not issued by the CA of the kubeconfig"
                        + " (certificate-authority)");
    }

    @Test
    void alert_isSaidToBeTheServers() {
        assertThat(TlsFault.of(new SSLHandshakeException("(internal_error) Received fatal alert: internal_error")))
                .isEqualTo("the server ended the TLS handshake: (internal_error) Received fatal alert: internal_error");
    }

    @Test
    void expired_isToldSo() {
        assertThat(TlsFault.of(failed(new CertificateException("PKIX", new CertificateExpiredException("x")))))
                .isEqualTo("the server's certificate has expired");
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
