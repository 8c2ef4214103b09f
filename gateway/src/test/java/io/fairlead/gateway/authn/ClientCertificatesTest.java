package io.fairlead.gateway.authn;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;

/** Chains of client certificates are verified once, and remembered within a bound of bytes. */
class ClientCertificatesTest {
    private static final int CHAINS = 60;

    private final Counting trust = new Counting();
    private final X509Certificate jane = certificate("CN=jane,O=dev");

    @Test
    void chainThatIsKnown_isNotVerifiedAgain() {
        ClientCertificates certificates = new ClientCertificates(trust, 1024 * 1024);
        Identity first = certificates.authenticate(List.of(jane));

        assertThat(first).isNotNull();
        assertThat(certificates.authenticate(List.of(jane))).isSameAs(first);
        assertThat(trust.verified).hasValue(1);
    }

    /** Or a client has the event loop verify it with each of its requests. */
    @Test
    void chainThatIsNotTrusted_isVerifiedOnceForEachConnection() {
        ClientCertificates certificates = new ClientCertificates(trust, 1024 * 1024);
        trust.refusing = true;
        List<X509Certificate> ofOneConnection = List.of(jane);

        assertThat(certificates.authenticate(ofOneConnection)).isNull();
        assertThat(certificates.authenticate(ofOneConnection)).isNull();
        assertThat(certificates.refusal(ofOneConnection)).isEqualTo("CertificateOfAnotherCA");
        assertThat(trust.verified).hasValue(1);

        trust.refusing = false;
        assertThat(certificates.authenticate(List.of(jane))).isNotNull();
        assertThat(trust.verified).hasValue(2);
    }

    @Test
    void chainThatStandsForNothing_isVerifiedOnceForEachConnection() {
        ClientCertificates certificates = new ClientCertificates(trust, 1024 * 1024);
        List<X509Certificate> nameless = List.of(certificate("O=dev"));

        assertThat(certificates.authenticate(nameless)).isNull();
        assertThat(certificates.refusal(nameless)).isEqualTo("CertificateWithoutUser");
        assertThat(trust.verified).hasValue(1);
    }

    /** Whoever has one certificate can make any number of chains of any length with it. */
    @Test
    void chainsOfOneCaller_takeNoMoreThanTheBound() throws Exception {
        List<List<X509Certificate>> chains = new ArrayList<>();
        X509Certificate padding = certificate("CN=padding");
        List<X509Certificate> chain = new ArrayList<>(List.of(jane));
        for (int i = 0; i < CHAINS; i++) {
            chain.add(padding);
            chains.add(List.copyOf(chain));
        }
        // Of all certificates of all chains a quarter, in bytes of their encoding: they take more when they are read.
        long bytesMax = (long) CHAINS * CHAINS / 8 * padding.getEncoded().length;
        ClientCertificates certificates = new ClientCertificates(trust, bytesMax);

        chains.forEach(certificates::authenticate);
        chains.forEach(certificates::authenticate);

        assertThat(trust.verified).hasValueGreaterThan(CHAINS + CHAINS / 2);
        assertThat(chains.stream().map(certificates::authenticate)).doesNotContainNull();
    }

    private static X509Certificate certificate(String subject) {
        try {
            X509Bundle bundle = new CertificateBuilder()
                    .ecp256()
                    .subject(subject)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
            return bundle.getCertificate();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Counts what it is asked. */
    private static final class Counting implements X509TrustManager {
        private final AtomicInteger verified = new AtomicInteger();
        private volatile boolean refusing;

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            verified.incrementAndGet();
            if (refusing) {
                throw new CertificateException("refused");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw new CertificateException("no server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
